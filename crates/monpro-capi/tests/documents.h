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
