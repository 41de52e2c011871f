/* Documents of other tools, for the C tests: made by OpenSSL 3 with keys of 1024 bits. */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

/* openssl req -x509 -newkey rsa:1024 -nodes -subj /CN=monpro -days 36500 */
static const char certificate[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIICADCCAWmgAwIBAgIUKbrj6pbkjwd8aYx9EMHe9qktQWQwDQYJKoZIhvcNAQEL\n"
    "BQAwETEPMA0GA1UEAwwGbW9ucHJvMCAXDTI2MTEyMjE3NTgzNVoYDzIxMjYxMDI5\n"
    "MTc1ODM1WjARMQ8wDQYDVQQDDAZtb25wcm8wgZ8wDQYJKoZIhvcNAQEBBQADgY0A\n"
    "MIGJAoGBANruGYKANYwHTcrcBxKDXo8Tg/2ZWanP5s+y8Yv0LpP4M6eMw1Sm+n5U\n"
    "vcOtRKXDTJOZmRCWfJxk1W0OpjdyqJZNOz/6QX3/+vDei6dFZf9hzf4nXSrEIA+m\n"
    "9VMfGkgZxOzGSUmJ1UwIfeJml6mD8bLjQ51pSrZDbXUumVNzzFMTAgMBAAGjUzBR\n"
    "MB0GA1UdDgQWBBQalxITptfFP+tHbR7RcBr5/t6ZXjAfBgNVHSMEGDAWgBQalxIT\n"
    "ptfFP+tHbR7RcBr5/t6ZXjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUA\n"
    "A4GBAKrMj05rZlanEOFkNc6JXztMUDwwuapkAjX06mIxARujMAQ5BQxfuYHS1eZF\n"
    "L/XITLEIDyplEVBOCbqYMx9zwSo/++LTRdGZQww/yXHCFPEctDV2ald70KQyzHd1\n"
    "Q/JQYYEmmBTIezz9rBWfR6qXRKu54hTkfMY23O9u84weBP/F\n"
    "-----END CERTIFICATE-----\n";

/* openssl ecparam -name prime256v1 -genkey -noout */
static const char key_of_a_curve[] =
    "-----BEGIN EC PRIVATE KEY-----\n"
    "MHcCAQEEID1zJmyUiAaPjt5TsfIYyJJz/UU2fOHmQKVUGqZih3xPoAoGCCqGSM49\n"
    "AwEHoUQDQgAEhqLMTu+4F3sgCTt4hMiT4ZRFna/RqABUQlQhG7QL4dKu+wDrvRs3\n"
    "DoNGII2t5nWgiDkbffn1yPF4an/Qg1zowQ==\n"
    "-----END EC PRIVATE KEY-----\n";

/* The private key of the certificate. */
static const char key_of_certificate[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBANruGYKANYwHTcrc\n"
    "BxKDXo8Tg/2ZWanP5s+y8Yv0LpP4M6eMw1Sm+n5UvcOtRKXDTJOZmRCWfJxk1W0O\n"
    "pjdyqJZNOz/6QX3/+vDei6dFZf9hzf4nXSrEIA+m9VMfGkgZxOzGSUmJ1UwIfeJm\n"
    "l6mD8bLjQ51pSrZDbXUumVNzzFMTAgMBAAECgYBOZWylGpwSJJtqxReTPY+i1G4z\n"
    "ZbKB6HzSa1WrtCjpu7tjiDh6G8Efc+DwLR+j7CeDw0DYe8rrhgAXKWPD/z72yYEg\n"
    "W1YLorFByy4zHIM5b3fk7WCe63OqCDsNSR7ZxeDMSWYIJTrJGdha99l5ykSapGq1\n"
    "mUtbIA+eUlbsTb/WYQJBAP338bnV9FBKYLzu5vM7/hR6xf6+0+rumABwA9JgSiPy\n"
    "BXU6oEgo/cN1o+Dsifgl7daoDEVIdLhwh8DjFAaeFf0CQQDcrmgT7lHe2SMhC45q\n"
    "915YADkxJ2PZu3cVmc0YJW5EEzJBdGYGV7fE/peey/YvF2vDYBJthYCOfg7JgQd7\n"
    "AtJPAkBAVgE8TID5nf3nnrWOxJHW6ksh/4F7sDl9UuME9jOR64uKaPGVlhzC2RhM\n"
    "sF87J5CaojOJkZNP7eHV8TBvhLiZAkEAocp8I6CmBWvMhX2jfGi/kmUXiSIH4qm+\n"
    "NOf9paZLoT0xqytbYWsOIC9HmfSPGRdiumrFF+a4yb9BuBoREe6PoQJAJjqndD6j\n"
    "LoZ9merCRqrcSBO9BaWwOncc0WZi249OVgMZu7bnTTU3jERS66ZgvVLR4aRUnm6L\n"
    "7fml0OcZs4Q5Tw==\n"
    "-----END PRIVATE KEY-----\n";

/* openssl genrsa -traditional -primes 3 1024 */
static const char key_of_three_primes[] =
    "-----BEGIN RSA PRIVATE KEY-----\n"
    "MIICfQIBAQKBgQCiBRSv9rFUACRXzVvougQ6G+uXQCzqkDCASeWgxOcqvTtrxRvz\n"
    "UPGwtoUmQm+dIoMZ4jBNtilTJNcGu7W/r8TG6I8SAxFRy0aEsLjh2lhO1UZ0zGfE\n"
    "o5n6hO11fXJMykbWrTZ8NPLayHk2G2AqsYdaZ7HJj1UQpBHqDl5ZgUqd1wIDAQAB\n"
    "AoGAKodw5bu40pby80VJse5aO7Kmhd5nq+7LfHFpYGkvUQ25MlHcQ2Nk/gD7MLdF\n"
    "10j8MnxoBz7PccaMCgNwYlXQS2jDScDOnuWLUd5/gnGpb4PzuZyJK/F6dJTO9LDF\n"
    "YTQJX3/gZfDOeLXwl+97fvUpTTXhMKhYncIrq/7sZrBNVwECKzTM0uJD7CILQrAc\n"
    "gh1aeI3W0wIFZRL1oScM6ampYu2JEHwLIRDys9xwn08CKxseH/hZTwsvwkWCljcj\n"
    "PPd0QsLa9zTjXEdc/MkShJtOHm5fM/XSRJL5zTECKyLYz5F/jHfHgMLkfcdLr2bF\n"
    "UkvyLYv+ytYQAqLz5ROqM1P6sF8UHzqspacCKxSZWqG1fbS6r7FLlD4IF4zFlN0d\n"
    "pgFX4EYZXbCDz5WFztn6mabW9d5LwVECKxA03AH8COsp0/Z9b6RpaAJxW9vaS8eO\n"
    "nOEVvXtaYuvPCbTIy4HfLB93zMIwgYowgYcCKxz32eZK4/tz1bxhzogJclo8B0AV\n"
    "6Zv6BkWlzFL6VNySPECb9JpJT+oN9EkCKwDoiK2e9Y0h8bbJfldnrG1F6phI151r\n"
    "dpzieQi1Dsonz7na6g2YdOgK7fkCKxl8wSUpAWV9/Zk8MFrsRGukpZ/tDw5m1s4P\n"
    "JQ9Koy+zzaLPSSm2RBh1DPA=\n"
    "-----END RSA PRIVATE KEY-----\n";

/* openssl genrsa 512, as PKCS#8 in DER: one of those whose last byte is 0, which is no end of a string. */
static const unsigned char key_ending_in_zero[] = {
    0x30, 0x82, 0x01, 0x55, 0x02, 0x01, 0x00, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01,
    0x01, 0x05, 0x00, 0x04, 0x82, 0x01, 0x3f, 0x30, 0x82, 0x01, 0x3b, 0x02, 0x01, 0x00, 0x02, 0x41, 0x00, 0xb8, 0x0c,
    0x05, 0x00, 0xc3, 0x1c, 0x6f, 0xf8, 0x7a, 0x98, 0xb9, 0x17, 0x4e, 0x42, 0x10, 0x2d, 0x1b, 0xd0, 0x0a, 0x3e, 0xc3,
    0x00, 0x37, 0x25, 0xbe, 0xd9, 0xce, 0x15, 0x62, 0xab, 0x98, 0x4d, 0xfd, 0x99, 0xe3, 0x8c, 0xd4, 0x8b, 0xd7, 0x8c,
    0xea, 0x95, 0xb4, 0x22, 0xdf, 0x93, 0xe0, 0x30, 0x0b, 0x91, 0x18, 0x53, 0x3d, 0x3a, 0xf3, 0x27, 0xc1, 0x00, 0x79,
    0xe5, 0x73, 0x59, 0xce, 0xe1, 0x02, 0x03, 0x01, 0x00, 0x01, 0x02, 0x40, 0x6d, 0x5b, 0x8e, 0xf9, 0x75, 0xf5, 0x86,
    0xbe, 0xb1, 0x31, 0xe0, 0x00, 0xee, 0x1a, 0x28, 0xfc, 0x74, 0xa3, 0x38, 0x03, 0x34, 0xe1, 0x02, 0xe3, 0xa5, 0xb4,
    0x4b, 0x54, 0xbf, 0xad, 0x50, 0x30, 0x3d, 0x03, 0x32, 0xfc, 0x47, 0x59, 0x1f, 0x7e, 0x08, 0x0a, 0x23, 0xe9, 0xe2,
    0x4b, 0x18, 0x2e, 0x1e, 0xa9, 0x48, 0x44, 0xe2, 0x4a, 0xc1, 0x78, 0x31, 0x60, 0x1a, 0x65, 0xce, 0xf3, 0xbd, 0x71,
    0x02, 0x21, 0x00, 0xe2, 0xf3, 0xd4, 0x7f, 0x02, 0x7b, 0x41, 0xd4, 0x7c, 0x5a, 0x7f, 0x52, 0x61, 0xee, 0xf3, 0x39,
    0x0a, 0xe4, 0x2c, 0x12, 0x7a, 0xc1, 0x7a, 0x0a, 0xd4, 0xc8, 0xbe, 0x24, 0x3a, 0x09, 0x0c, 0x1d, 0x02, 0x21, 0x00,
    0xcf, 0x9a, 0x60, 0x71, 0xb2, 0xa8, 0x6d, 0x3a, 0xd7, 0xd2, 0x8f, 0x98, 0x64, 0xa1, 0x50, 0x39, 0x99, 0x4a, 0x13,
    0x70, 0x95, 0x09, 0x7c, 0x5a, 0xb4, 0xe6, 0xd7, 0x5c, 0x1b, 0x2d, 0x2a, 0x95, 0x02, 0x21, 0x00, 0x94, 0xea, 0x1c,
    0xd2, 0x41, 0xd4, 0x92, 0x7b, 0x54, 0x25, 0x25, 0x49, 0xef, 0x0c, 0x94, 0xf7, 0x26, 0xd8, 0x54, 0xba, 0xc3, 0x65,
    0x54, 0x28, 0xeb, 0x39, 0xd4, 0xd9, 0x7c, 0x63, 0x17, 0x59, 0x02, 0x20, 0x26, 0x06, 0x7c, 0xcb, 0xd6, 0x91, 0x8b,
    0x10, 0x50, 0x1f, 0xbd, 0x35, 0x88, 0x99, 0x13, 0x7c, 0xb9, 0x5b, 0x1c, 0x1c, 0x6e, 0xf0, 0x01, 0xdb, 0x0b, 0x6f,
    0x8c, 0xda, 0xce, 0x0f, 0x83, 0xd1, 0x02, 0x21, 0x00, 0xd2, 0x9b, 0xf5, 0xfb, 0x65, 0xcd, 0x2d, 0x03, 0x16, 0x4a,
    0xfc, 0xdf, 0x5e, 0x41, 0xf3, 0xe2, 0xe0, 0xb8, 0xc2, 0xfe, 0x04, 0x68, 0x8b, 0x3e, 0x9c, 0x33, 0x17, 0x7d, 0x7f,
    0x68, 0x59, 0x00,
};

/* openssl genpkey -algorithm RSA-PSS, with rsa_keygen_bits:1024, SHA-256 for the hash and for MGF1, and
   rsa_pss_keygen_saltlen:20 */
static const char key_of_pss[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIICpgIBADA8BgkqhkiG9w0BAQowL6APMA0GCWCGSAFlAwQCAQUAoRwwGgYJKoZI\n"
    "hvcNAQEIMA0GCWCGSAFlAwQCAQUABIICYTCCAl0CAQACgYEAv7gQ5/t1/5VlQjXC\n"
    "Lt6nXuswngtb1sgv+ayqhGY86YZvE6SPB1rrpVwu8w4fxHGPxdEhWNam5Oa67AQR\n"
    "IxeDeCQApxU5gMe5pcfcuzaPvPPXSjymbcjaTx5H728QLIaqD2CPWYIAUH0BfGnL\n"
    "BVY3OfPxvTqvcES3LwdT4AjA8CECAwEAAQKBgQCtSI4nT3ZoyzxZqsNXn7GBrmwj\n"
    "/TpGGGyca783qjzWCcct5ufMCxbAQGDDGPoHkWkUsCBG7sSsUguTNV3T7PXKuaSH\n"
    "IP09g8B9N+2NXGYCmKO3d0NwgOgmSwdbqMc1cbWb2/15OBeDPhqr+gcHnyVLpjXP\n"
    "er4D6ambWdqIy5KRPQJBAOBiAkuYqfifNxsEIpmiqL5e3QlJI3zQ2Zj55x526lYV\n"
    "r+B3DfE1QbvzdsGvKssPBqJb80YmRbXCfuKzZbXI49MCQQDau8yh0IX4aAi9eREG\n"
    "vjWZsfmLvZ1k/gpDJPSV2wfVUQmUvRIDtLQ5LcCOpRjpB9F+RkhbHpfIrNR3LopM\n"
    "AUe7AkAqiImU2OiHV27zsRH5+4pvI75Uj0ep1lEZHW4BKVt8W/oN26OJ8KV4Qktl\n"
    "pZXADiYcyr9PsduO+8JfqNAD6IO/AkB+6fyf3yf8rBB2L6rraK4dEaEjrc+Ha8d0\n"
    "khrAYKg4455ViSbMs6rmil9x5OWBQKITTKBrDmMvcuiMhpqD4zJFAkEAzMsoIf5n\n"
    "03v/hgfq6R/bjQPbMJb/yMWlKBO9MvNWtab/MQ7QaFAIGgPINOing/NP8Igs2C2U\n"
    "Gprj55uHbF5inQ==\n"
    "-----END PRIVATE KEY-----\n";

#endif
