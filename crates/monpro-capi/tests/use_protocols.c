/* Uses key exchange, RSA, random sources, cancellation and progress of monpro.h as a program would. */
#include "check.h"
#include "documents.h"
#include <pthread.h>

#define OK(call) check_status((call), MONPRO_STATUS_OK, #call, __LINE__)

/* ---- key exchange */

static void both_sides_agree(void) {
    enum { BYTES = 256 };
    uint8_t values[2][BYTES], secrets[2][BYTES];
    monpro_group *group = NULL;
    monpro_dh_key *keys[2];
    OK(monpro_group_named("ffdhe2048", &group));
    check(monpro_group_bytes(group) == BYTES && monpro_group_private_bytes(group) >= 28, "the size of a group", 0);
    for (int i = 0; i < 2; i++) {
        OK(monpro_dh_key_generate(group, NULL, &keys[i]));
        check(monpro_dh_key_bytes(keys[i]) == BYTES, "the size of a key", i);
        OK(monpro_dh_public_value(keys[i], values[i], BYTES));
    }
    monpro_group_free(group);
    for (int i = 0; i < 2; i++)
        OK(monpro_dh_agree(keys[i], values[1 - i], BYTES, secrets[i], BYTES));
    check(memcmp(values[0], values[1], BYTES) != 0, "keys differ", 0);
    check(memcmp(secrets[0], secrets[1], BYTES) == 0, "both sides have one secret", 0);
    memset(values[0], 0, BYTES);
    check_status(monpro_dh_agree(keys[0], values[0], BYTES, secrets[0], BYTES), MONPRO_STATUS_PEER_REFUSED, "0", 0);
    for (int i = 0; i < 2; i++)
        monpro_dh_key_free(keys[i]);
    int names = 0;
    for (; monpro_group_name((size_t)names) != NULL; names++) {
        OK(monpro_group_named(monpro_group_name((size_t)names), &group));
        monpro_group_free(group);
    }
    check(names >= 10, "names of groups", names);
    check_status(monpro_group_named("ffdhe1", &group), MONPRO_STATUS_UNKNOWN_GROUP, "no group", 0);
}

static void groups_of_ones_own(void) {
    /* 5 generates all of Z_23*: 5^6 = 8, 5^15 = 19, 5^90 = 2. */
    const uint8_t p[] = {23}, g[] = {5}, order[] = {22}, wrong[] = {21}, d[] = {6}, zero[] = {0}, peer[] = {19};
    uint8_t value[1];
    monpro_group *group = NULL;
    monpro_dh_key *key = NULL;
    OK(monpro_group_integers(p, 1, g, 1, order, 1, &group));
    OK(monpro_dh_key_new(group, d, 1, &key));
    OK(monpro_dh_public_value(key, value, 1));
    check(value[0] == 8, "5^6", 0);
    OK(monpro_dh_agree(key, peer, 1, value, 1));
    check(value[0] == 2, "5^90", 0);
    monpro_dh_key_free(key);
    check_status(monpro_dh_key_new(group, zero, 1, &key), MONPRO_STATUS_DEGENERATE_PRIVATE_KEY, "5^0", 0);
    monpro_group_free(group);
    check_status(monpro_group_integers(p, 1, g, 1, wrong, 1, &group), MONPRO_STATUS_UNUSABLE_GROUP, "an order", 0);
    OK(monpro_group_integers(p, 1, g, 1, NULL, 0, &group));
    monpro_group_free(group);

    const uint8_t polynomial[] = {1, 0x1b}, x[] = {3}, all[] = {255};
    monpro_field *field = NULL;
    OK(monpro_field_new(polynomial, 2, NULL, &field));
    OK(monpro_group_binary_field(field, x, 1, all, 1, &group));
    monpro_field_free(field);
    OK(monpro_dh_key_new(group, d, 1, &key));
    OK(monpro_dh_public_value(key, value, 1));
    check(value[0] == 0x55, "3^6 in GF(2^8)", value[0]); /* 3^2 = 5, 3^4 = 0x11, 5·0x11 = 0x55 */
    monpro_dh_key_free(key);
    monpro_group_free(group);
}

/* ---- RSA */

static const uint8_t message[] = "a message";
enum { BITS = 1024, BYTES = BITS / 8, SPACE = 2000 };

static void signatures(const monpro_rsa_private *key, const monpro_rsa_public *public_key) {
    uint8_t signature[BYTES];
    const monpro_pss ways[] = {{NULL, NULL, 0},
                               {"sha384", "sha1", MONPRO_SALT_NONE},
                               {"sha3_256", NULL, 20},
                               {"sha512_256", NULL, MONPRO_SALT_ANY}};
    for (long i = 0; i < 4; i++) {
        OK(monpro_rsa_sign_pss(key, i == 0 ? NULL : &ways[i], message, 9, NULL, signature, BYTES));
        check_status(monpro_rsa_verify_pss(public_key, &ways[i], message, 9, signature, BYTES), MONPRO_STATUS_OK,
                     "a signature", i);
        check_status(monpro_rsa_verify_pss(public_key, &ways[i], message, 8, signature, BYTES),
                     MONPRO_STATUS_BAD_SIGNATURE, "another message", i);
        check_status(monpro_rsa_verify_pss(public_key, &ways[(i + 1) % 4], message, 9, signature, BYTES),
                     MONPRO_STATUS_BAD_SIGNATURE, "another way", i);
        signature[i] ^= 1;
        check_status(monpro_rsa_verify_pss(public_key, &ways[i], message, 9, signature, BYTES),
                     MONPRO_STATUS_BAD_SIGNATURE, "a changed signature", i);
    }
    /* A signature without a salt is one with any salt, and not one with a salt as long as the hash. */
    const monpro_pss none = {NULL, NULL, MONPRO_SALT_NONE}, any = {NULL, NULL, MONPRO_SALT_ANY};
    OK(monpro_rsa_sign_pss(key, &none, message, 9, NULL, signature, BYTES));
    check_status(monpro_rsa_verify_pss(public_key, &any, message, 9, signature, BYTES), MONPRO_STATUS_OK, "any salt", 0);
    check_status(monpro_rsa_verify_pss(public_key, NULL, message, 9, signature, BYTES), MONPRO_STATUS_BAD_SIGNATURE,
                 "any salt", 1);
    const monpro_pss weak = {"sha1", NULL, 0}, unknown = {"sha-256", NULL, 0}, too_long = {NULL, NULL, BYTES};
    check_status(monpro_rsa_sign_pss(key, &weak, message, 9, NULL, signature, BYTES), MONPRO_STATUS_WEAK_HASH, "sha1", 0);
    check_status(monpro_rsa_sign_pss(key, &unknown, message, 9, NULL, signature, BYTES), MONPRO_STATUS_UNKNOWN_HASH,
                 "sha-256", 0);
    check_status(monpro_rsa_sign_pss(key, &too_long, message, 9, NULL, signature, BYTES), MONPRO_STATUS_KEY_TOO_SHORT,
                 "a long salt", 0);
    OK(monpro_rsa_sign_pkcs1(key, NULL, message, 9, NULL, signature, BYTES));
    check_status(monpro_rsa_verify_pkcs1(public_key, "sha256", message, 9, signature, BYTES), MONPRO_STATUS_OK,
                 "PKCS#1", 0);
    check_status(monpro_rsa_verify_pkcs1(public_key, "sha512", message, 9, signature, BYTES),
                 MONPRO_STATUS_BAD_SIGNATURE, "PKCS#1", 1);
    check_status(monpro_rsa_verify_pkcs1(public_key, NULL, message, 9, signature, BYTES - 1),
                 MONPRO_STATUS_BAD_SIGNATURE, "PKCS#1", 2);
}

static void ciphertexts(const monpro_rsa_private *key, const monpro_rsa_public *public_key) {
    uint8_t ciphertext[BYTES], plain[BYTES];
    size_t length = 7;
    const monpro_oaep ways[] = {{NULL, NULL, NULL, 0}, {"sha1", "sha224", message, 5}, {NULL, NULL, message, 9}};
    for (long i = 0; i < 3; i++) {
        OK(monpro_rsa_encrypt_oaep(public_key, i == 0 ? NULL : &ways[i], message, 9, NULL, ciphertext, BYTES));
        OK(monpro_rsa_decrypt_oaep(key, &ways[i], ciphertext, BYTES, NULL, plain, BYTES, &length));
        check(length == 9 && memcmp(plain, message, 9) == 0, "a message", i);
        check_status(monpro_rsa_decrypt_oaep(key, &ways[(i + 1) % 3], ciphertext, BYTES, NULL, plain, BYTES, &length),
                     MONPRO_STATUS_DECRYPTION, "another label", i);
        check(length == 0, "no message, no length", i);
    }
    OK(monpro_rsa_encrypt_pkcs1(public_key, message, 9, NULL, ciphertext, BYTES));
    OK(monpro_rsa_decrypt_pkcs1(key, ciphertext, BYTES, NULL, plain, BYTES, &length));
    check(length == 9 && memcmp(plain, message, 9) == 0, "a message by PKCS#1", 0);
    check_status(monpro_rsa_decrypt_pkcs1(key, ciphertext, BYTES, NULL, plain, BYTES - 1, &length),
                 MONPRO_STATUS_SPACE_TOO_SHORT, "a space that would suffice for this message", 0);
    ciphertext[BYTES - 1] ^= 1;
    OK(monpro_rsa_decrypt_pkcs1(key, ciphertext, BYTES, NULL, plain, BYTES, &length));
    check(length != 9 || memcmp(plain, message, 9) != 0, "implicit rejection", 0);
    check_status(monpro_rsa_encrypt_pkcs1(public_key, plain, BYTES - 10, NULL, ciphertext, BYTES),
                 MONPRO_STATUS_MESSAGE_TOO_LONG, "a long message", 0);

    memset(plain, 0, BYTES);
    plain[BYTES - 1] = 5;
    OK(monpro_rsa_public_raw(public_key, plain, ciphertext, BYTES));
    OK(monpro_rsa_private_raw(key, ciphertext, NULL, ciphertext, BYTES));
    check(memcmp(plain, ciphertext, BYTES) == 0, "5^(e·d)", 0);
    memset(plain, 0xff, BYTES);
    check_status(monpro_rsa_public_raw(public_key, plain, ciphertext, BYTES), MONPRO_STATUS_NOT_REDUCED, "n or more", 0);
    check_status(monpro_rsa_private_raw(key, plain, NULL, ciphertext, BYTES), MONPRO_STATUS_NOT_REDUCED, "n or more", 1);
}

/* Each document is asked for its length, written, and read again. */
static void documents(const monpro_rsa_private *key, const monpro_rsa_public *public_key) {
    char pem[SPACE], again[SPACE];
    uint8_t der[SPACE];
    size_t length, written;
    monpro_rsa_private *read = NULL;
    monpro_rsa_public *read_public = NULL;
    check_status(monpro_rsa_private_to_pem(key, NULL, 0, &length), MONPRO_STATUS_SPACE_TOO_SHORT, "a length", 0);
    check_status(monpro_rsa_private_to_pem(key, pem, length, &written), MONPRO_STATUS_SPACE_TOO_SHORT, "the 0", 0);
    OK(monpro_rsa_private_to_pem(key, pem, length + 1, &written));
    check(written == length && strlen(pem) == length, "the length of a document", 0);
    OK(monpro_rsa_private_from_pem(pem, length + 1, &read));
    OK(monpro_rsa_private_to_pem(read, again, SPACE, &written));
    check(strcmp(pem, again) == 0, "a document that was read", 0);
    monpro_rsa_private_free(read);
    OK(monpro_rsa_public_from_pem(pem, length, &read_public)); /* the public half of a private key */
    monpro_rsa_public_free(read_public);
    OK(monpro_rsa_private_to_der(key, der, SPACE, &length));
    OK(monpro_rsa_private_from_der(der, length, &read));
    monpro_rsa_private_free(read);
    der[length / 2] ^= 1;
    check(monpro_rsa_private_from_der(der, length, &read) >= MONPRO_STATUS_NOT_A_KEY, "a damaged document", 0);
    check(read == NULL, "no key", 0);
    OK(monpro_rsa_public_to_pem(public_key, pem, SPACE, &length));
    OK(monpro_rsa_public_from_pem(pem, length, &read_public));
    monpro_rsa_public_free(read_public);
    check_status(monpro_rsa_private_from_pem(pem, length, &read), MONPRO_STATUS_NOT_A_KEY, "a public key", 0);
    OK(monpro_rsa_public_to_der(public_key, der, SPACE, &length));
    OK(monpro_rsa_public_from_der(der, length, &read_public));
    monpro_rsa_public_free(read_public);
}

static void encrypted_documents(const monpro_rsa_private *key) {
    const uint8_t right[] = "passphrase", wrong[] = "Passphrase";
    char pem[SPACE + 500], plain[SPACE], again[SPACE];
    size_t length;
    monpro_rsa_private *read = NULL;
    monpro_rsa_public *read_public = NULL;
    check_status(monpro_rsa_private_to_encrypted_pem(key, NULL, 0, NULL, pem, sizeof pem, &length),
                 MONPRO_STATUS_EMPTY_PASSPHRASE, "an empty passphrase", 0);
    OK(monpro_rsa_private_to_encrypted_pem(key, right, 10, NULL, pem, sizeof pem, &length));
    check(strlen(pem) == length && strstr(pem, "BEGIN ENCRYPTED PRIVATE KEY") != NULL, "an encrypted document", 0);
    const uint8_t *document = (const uint8_t *)pem;
    check_status(monpro_rsa_private_load(document, length, NULL, 0, &read), MONPRO_STATUS_PASSPHRASE_NEEDED, "none", 0);
    check_status(monpro_rsa_private_load(document, length, wrong, 10, &read), MONPRO_STATUS_WRONG_PASSPHRASE, "wrong", 0);
    check_status(monpro_rsa_private_from_pem(pem, length, &read), MONPRO_STATUS_PASSPHRASE_NEEDED, "none", 1);
    check(read == NULL, "no key", 0);
    OK(monpro_rsa_private_load(document, length, right, 10, &read));
    OK(monpro_rsa_private_to_pem(key, plain, SPACE, &length));
    OK(monpro_rsa_private_to_pem(read, again, SPACE, &length));
    check(strcmp(plain, again) == 0, "a document that was decrypted", 0);
    monpro_rsa_private_free(read);
    OK(monpro_rsa_public_load((const uint8_t *)plain, length, NULL, 0, &read_public));
    monpro_rsa_public_free(read_public);
}

static void keys_of_numbers(void) {
    /* Of a key of 512 bits with e = 65537, by OpenSSL. */
    static const char *const digits[] = {
        "b47cd819204870d764ae9d41cc1762939f4ad4e569c8bb798a35bb59e970c2b73e4ade58cb8e6f2043c357543bb6e536"
        "98d249206704a1de3e29a916eb3fa17d",
        "010001",
        "17b582a9a24d01cdb9a31a73473d172cef32e44e929bd4ccbd741b7d4f2609ddd197369622be7872a7158ca2683e7444"
        "fc28f235bc6ebe155e797f5a8e8282bd",
        "eff1269d47076a7cd3a88828553df776e65b281b38bb72f0ae5eb0a7d8adbbaf",
        "c09114db34ef5b6f622e9f3ce2228f24fefa9cac5e796678dc19a8696d3be493",
    };
    uint8_t number[5][64];
    size_t length[5];
    for (int i = 0; i < 5; i++) {
        length[i] = strlen(digits[i]) / 2;
        for (size_t j = 0; j < length[i]; j++) {
            const char pair[] = {digits[i][2 * j], digits[i][2 * j + 1], 0};
            number[i][j] = (uint8_t)strtoul(pair, NULL, 16);
        }
    }
    char pem[2][SPACE];
    monpro_rsa_private *key = NULL;
    for (int primes = 0; primes < 2; primes++) {
        const monpro_rsa_numbers numbers = {number[0], length[0], number[1], length[1],         number[2],
                                            length[2], number[3], primes * length[3], number[4], primes * length[4]};
        OK(monpro_rsa_private_new(&numbers, &key));
        size_t written;
        OK(monpro_rsa_private_to_pem(key, pem[primes], SPACE, &written));
        monpro_rsa_private_free(key);
    }
    /* The primes that are computed may come in the other order; then the documents differ, but not in their lengths. */
    check(strlen(pem[0]) / 8 == strlen(pem[1]) / 8, "a key with and without its primes", 0);
    number[2][3] ^= 1;
    const monpro_rsa_numbers damaged = {number[0], length[0], number[1], length[1], number[2],
                                        length[2], number[3], length[3], number[4], length[4]};
    check_status(monpro_rsa_private_new(&damaged, &key), MONPRO_STATUS_DAMAGED_KEY, "another d", 0);
    check_status(monpro_rsa_private_new(NULL, &key), MONPRO_STATUS_NULL_POINTER, "no numbers", 0);
}

static void hashes_in_place_of_messages(const monpro_rsa_private *key, const monpro_rsa_public *public_key) {
    /* SHA-256 of "abc", FIPS 180-4. */
    static const uint8_t hash[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                   0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                   0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    const uint8_t abc[] = {'a', 'b', 'c'};
    uint8_t signature[BYTES], again[BYTES];
    OK(monpro_rsa_sign_pss_prehashed(key, NULL, hash, 32, NULL, signature, BYTES));
    check_status(monpro_rsa_verify_pss(public_key, NULL, abc, 3, signature, BYTES), MONPRO_STATUS_OK, "a hash", 0);
    check_status(monpro_rsa_verify_pss_prehashed(public_key, NULL, hash, 32, signature, BYTES), MONPRO_STATUS_OK, "a hash", 1);
    check_status(monpro_rsa_verify_pss_prehashed(public_key, NULL, hash, 31, signature, BYTES),
                 MONPRO_STATUS_WRONG_LENGTH, "a short hash", 0);
    OK(monpro_rsa_sign_pkcs1_prehashed(key, "sha256", hash, 32, NULL, signature, BYTES));
    OK(monpro_rsa_sign_pkcs1(key, "sha256", abc, 3, NULL, again, BYTES));
    check(memcmp(signature, again, BYTES) == 0, "a hash by PKCS#1", 0);
    check_status(monpro_rsa_verify_pkcs1_prehashed(public_key, NULL, hash, 32, signature, BYTES), MONPRO_STATUS_OK,
                 "a hash by PKCS#1", 1);
    check_status(monpro_rsa_verify_pkcs1_prehashed(public_key, "sha512", hash, 32, signature, BYTES),
                 MONPRO_STATUS_WRONG_LENGTH, "a hash of another function", 0);
    signature[9] ^= 1;
    check_status(monpro_rsa_verify_pkcs1_prehashed(public_key, NULL, hash, 32, signature, BYTES),
                 MONPRO_STATUS_BAD_SIGNATURE, "a changed signature", 9);
}

static void the_numbers_of_a_key(const monpro_rsa_public *public_key) {
    uint8_t n[BYTES], e[32];
    size_t length;
    OK(monpro_rsa_public_modulus(public_key, n, BYTES));
    check_status(monpro_rsa_public_exponent(public_key, e, 2, &length), MONPRO_STATUS_SPACE_TOO_SHORT, "e", 0);
    OK(monpro_rsa_public_exponent(public_key, e, sizeof e, &length));
    check(length == 3 && memcmp(e, "\1\0\1", 3) == 0, "e is 65537", 0);
    check(monpro_rsa_public_bits(public_key) == BITS && monpro_rsa_public_bytes(public_key) == BYTES, "bits", 0);
    monpro_rsa_public *made = NULL;
    OK(monpro_rsa_public_new(n, BYTES, e, length, &made));
    monpro_rsa_public_free(made);
    n[BYTES - 1] ^= 1;
    check_status(monpro_rsa_public_new(n, BYTES, e, length, &made), MONPRO_STATUS_UNSUPPORTED_KEY, "an even n", 0);
}

static void a_certificate_is_a_public_key(void) {
    uint8_t moduli[2][BYTES], signature[BYTES];
    monpro_rsa_private *key = NULL;
    monpro_rsa_public *halves[2] = {NULL, NULL};
    OK(monpro_rsa_private_from_pem(key_of_certificate, sizeof key_of_certificate, &key));
    OK(monpro_rsa_public_from_pem(certificate, sizeof certificate, &halves[0]));
    OK(monpro_rsa_public_of(key, &halves[1]));
    for (int i = 0; i < 2; i++)
        OK(monpro_rsa_public_modulus(halves[i], moduli[i], BYTES));
    check(memcmp(moduli[0], moduli[1], BYTES) == 0, "the key of a certificate", 0);
    OK(monpro_rsa_sign_pss(key, NULL, message, 9, NULL, signature, BYTES));
    OK(monpro_rsa_verify_pss(halves[0], NULL, message, 9, signature, BYTES));
    for (int i = 0; i < 2; i++)
        monpro_rsa_public_free(halves[i]);
    monpro_rsa_private_free(key);
    check_status(monpro_rsa_private_from_pem(certificate, sizeof certificate, &key), MONPRO_STATUS_NOT_A_KEY,
                 "a certificate is no private key", 0);
    check(key == NULL, "no key", 0);
    /* A file with the key and its certificate has both. */
    char both[sizeof certificate + sizeof key_of_certificate];
    const int length = snprintf(both, sizeof both, "%s%s", certificate, key_of_certificate);
    OK(monpro_rsa_private_load((const uint8_t *)both, (size_t)length, NULL, 0, &key));
    monpro_rsa_private_free(key);
}

static void a_key_whose_document_ends_in_zero(void) {
    const size_t length = sizeof key_ending_in_zero;
    monpro_rsa_private *key = NULL;
    monpro_rsa_public *public_key = NULL;
    uint8_t again[SPACE];
    size_t written;
    check(key_ending_in_zero[length - 1] == 0, "the last byte", 0);
    OK(monpro_rsa_private_load(key_ending_in_zero, length, NULL, 0, &key));
    OK(monpro_rsa_private_to_der(key, again, SPACE, &written));
    check(written == length && memcmp(again, key_ending_in_zero, length) == 0, "the document again", 0);
    monpro_rsa_private_free(key);
    OK(monpro_rsa_public_load(key_ending_in_zero, length, NULL, 0, &public_key));
    monpro_rsa_public_free(public_key);
    /* The 0 of a string in C does not count, by the functions of PEM and by those of every document. */
    check_status(monpro_rsa_private_load((const uint8_t *)key_of_a_curve, sizeof key_of_a_curve, NULL, 0, &key),
                 MONPRO_STATUS_OTHER_ALGORITHM, "an elliptic curve", 0);
    OK(monpro_rsa_private_load((const uint8_t *)key_of_certificate, sizeof key_of_certificate, NULL, 0, &key));
    monpro_rsa_private_free(key);
    OK(monpro_rsa_private_from_pem(key_of_certificate, sizeof key_of_certificate, &key));
    monpro_rsa_private_free(key);
}

static void a_key_of_three_primes(void) {
    uint8_t number[BYTES] = {0}, power[BYTES], signature[BYTES];
    char pem[SPACE];
    size_t length;
    monpro_rsa_private *key = NULL, *again = NULL;
    monpro_rsa_public *public_key = NULL;
    OK(monpro_rsa_private_from_pem(key_of_three_primes, sizeof key_of_three_primes, &key));
    OK(monpro_rsa_public_of(key, &public_key));
    number[BYTES - 1] = 7;
    OK(monpro_rsa_private_raw(key, number, NULL, power, BYTES));
    OK(monpro_rsa_public_raw(public_key, power, power, BYTES));
    check(memcmp(number, power, BYTES) == 0, "7^(d·e)", 3);
    OK(monpro_rsa_sign_pkcs1(key, "sha384", message, 9, NULL, signature, BYTES));
    OK(monpro_rsa_private_to_pem(key, pem, SPACE, &length));
    OK(monpro_rsa_private_from_pem(pem, length, &again));
    OK(monpro_rsa_sign_pkcs1(again, "sha384", message, 9, NULL, power, BYTES));
    check(memcmp(signature, power, BYTES) == 0, "a key of three primes that was written and read", 0);
    OK(monpro_rsa_verify_pkcs1(public_key, "sha384", message, 9, signature, BYTES));
    monpro_rsa_public_free(public_key);
    monpro_rsa_private_free(again);
    monpro_rsa_private_free(key);
}

/* A key of id-RSASSA-PSS signs by PSS with its own parameters, and does nothing else, also when it was written and read. */
static void a_key_that_is_bound_to_pss(void) {
    uint8_t signature[BYTES], plain[BYTES];
    char pem[SPACE];
    size_t length;
    monpro_rsa_private *key = NULL;
    const monpro_pss longer = {"sha256", "sha256", 30}, shorter = {"sha256", "sha256", 19}, other = {"sha512", NULL, 20};
    OK(monpro_rsa_private_from_pem(key_of_pss, sizeof key_of_pss, &key));
    for (long written = 0; written < 2; written++) {
        monpro_rsa_public *public_key = NULL;
        OK(monpro_rsa_public_of(key, &public_key));
        OK(monpro_rsa_sign_pss(key, NULL, message, 9, NULL, signature, BYTES));
        OK(monpro_rsa_verify_pss(public_key, NULL, message, 9, signature, BYTES));
        OK(monpro_rsa_sign_pss(key, &longer, message, 9, NULL, signature, BYTES));
        OK(monpro_rsa_verify_pss(public_key, &longer, message, 9, signature, BYTES));
        check_status(monpro_rsa_sign_pss(key, &shorter, message, 9, NULL, signature, BYTES), MONPRO_STATUS_KEY_USE,
                     "a short salt", written);
        check_status(monpro_rsa_sign_pss(key, &other, message, 9, NULL, signature, BYTES), MONPRO_STATUS_KEY_USE,
                     "another hash", written);
        check_status(monpro_rsa_sign_pkcs1(key, NULL, message, 9, NULL, signature, BYTES), MONPRO_STATUS_KEY_USE,
                     "PKCS#1 v1.5", written);
        check_status(monpro_rsa_encrypt_oaep(public_key, NULL, message, 9, NULL, signature, BYTES),
                     MONPRO_STATUS_KEY_USE, "encryption", written);
        check_status(monpro_rsa_decrypt_oaep(key, NULL, signature, BYTES, NULL, plain, BYTES, &length),
                     MONPRO_STATUS_KEY_USE, "decryption", written);
        monpro_rsa_public_free(public_key);
        OK(monpro_rsa_private_to_pem(key, pem, SPACE, &length));
        monpro_rsa_private_free(key);
        OK(monpro_rsa_private_from_pem(pem, length, &key));
    }
    monpro_rsa_private_free(key);
}

static void keys_of_rsa(void) {
    monpro_rsa_private *key = NULL;
    monpro_rsa_public *public_key = NULL;
    OK(monpro_rsa_private_generate(BITS, NULL, &key));
    check(monpro_rsa_private_bytes(key) == BYTES, "the size of a key", 0);
    OK(monpro_rsa_public_of(key, &public_key));
    signatures(key, public_key);
    ciphertexts(key, public_key);
    documents(key, public_key);
    encrypted_documents(key);
    hashes_in_place_of_messages(key, public_key);
    keys_of_numbers();
    the_numbers_of_a_key(public_key);
    monpro_rsa_private_free(key);
    monpro_rsa_public_free(public_key);
    check_status(monpro_rsa_private_generate(1023, NULL, &key), MONPRO_STATUS_KEY_LENGTH, "1023 bits", 0);
    int names = 0;
    while (monpro_hash_name((size_t)names) != NULL)
        names++;
    check(names >= 11, "names of hash functions", names);
}

/* ---- random sources */

typedef struct {
    uint64_t state;
    long left; /* the calls that succeed */
} repeatable;

static int fill(void *context, uint8_t *bytes, size_t length) {
    repeatable *source = context;
    for (size_t i = 0; i < length; i++) {
        source->state = source->state * 0xd1342543de82ef95u + 1;
        bytes[i] = (uint8_t)(source->state >> 56);
    }
    return source->left-- > 0 ? 0 : -1;
}

static int zeros(void *context, uint8_t *bytes, size_t length) {
    (void)context;
    memset(bytes, 0, length);
    return 0;
}

static void sources_of_the_caller(void) {
    char pem[2][SPACE];
    size_t length;
    for (int i = 0; i < 2; i++) {
        repeatable source = {1, 1L << 30};
        const monpro_random random = {fill, &source};
        monpro_rsa_private *key = NULL;
        OK(monpro_rsa_private_generate(512, &random, &key));
        OK(monpro_rsa_private_to_pem(key, pem[i], SPACE, &length));
        monpro_rsa_private_free(key);
    }
    check(strcmp(pem[0], pem[1]) == 0, "the same bytes make the same key", 0);
    monpro_group *group = NULL;
    OK(monpro_group_named("modp2048", &group));
    for (long left = 0; left < 2; left++) {
        repeatable source = {1, left};
        const monpro_random random = {fill, &source};
        monpro_rsa_private *key = NULL;
        check_status(monpro_rsa_private_generate(512, &random, &key), MONPRO_STATUS_RANDOM_SOURCE, "it ends", left);
        check(key == NULL, "no key", left);
        monpro_dh_key *exchange = NULL;
        source.left = left;
        check_status(monpro_dh_key_generate(group, &random, &exchange),
                     left == 0 ? MONPRO_STATUS_RANDOM_SOURCE : MONPRO_STATUS_OK, "it ends", left);
        monpro_dh_key_free(exchange);
    }
    monpro_group_free(group);
    const monpro_random without_function = {NULL, NULL}, always_zero = {zeros, NULL};
    monpro_rsa_private *key = NULL;
    check_status(monpro_rsa_private_generate(512, &always_zero, &key), MONPRO_STATUS_RANDOM_SOURCE, "zeros only", 0);
    check_status(monpro_rsa_private_generate(512, &without_function, &key), MONPRO_STATUS_NULL_POINTER, "no function", 0);
}

/* ---- cancellation */

static void *stop(void *cancellation) {
    monpro_cancellation_cancel(cancellation);
    return NULL;
}

static void calls_are_stopped(void) {
    monpro_cancellation *cancellation = NULL;
    monpro_rsa_private *key = NULL;
    pthread_t thread;
    uint8_t n[64], result[64];
    memset(n, 0xff, sizeof n);
    OK(monpro_cancellation_new(&cancellation));
    monpro_cancellation_watch(cancellation);
    OK(monpro_modexp(n, 64, n, 64, n, 64, result));
    pthread_create(&thread, NULL, stop, cancellation);
    check_status(monpro_rsa_private_generate(16384, NULL, &key), MONPRO_STATUS_CANCELLED, "a new key", 0);
    pthread_join(thread, NULL);
    check(key == NULL, "no key", 0);
    check_status(monpro_modexp(n, 64, n, 64, n, 64, result), MONPRO_STATUS_CANCELLED, "a power", 0);
    monpro_cancellation_free(cancellation);
    check_status(monpro_modexp(n, 64, n, 64, n, 64, result), MONPRO_STATUS_CANCELLED, "it is still watched", 0);
    monpro_cancellation_watch(NULL);
    OK(monpro_modexp(n, 64, n, 64, n, 64, result));
    monpro_cancellation_cancel(NULL);
    monpro_cancellation_free(NULL);
}

/* ---- progress */

typedef struct {
    size_t calls, done, total;
    size_t stop_at; /* the call that throws the switch; 0 for none */
    const monpro_cancellation *cancellation;
    int is_wrong;
} telling;

static void tell(void *context, size_t done, size_t total) {
    telling *told = context;
    uint8_t two[] = {2}, result[1];
    const monpro_pow_task task = {two, 1, two, 1, (const uint8_t[]){7}, 1, result};
    /* A call from here is right and tells nothing. */
    told->is_wrong |= monpro_pow_batch(&task, 1) != MONPRO_STATUS_OK || result[0] != 4;
    told->is_wrong |= done <= told->done && told->calls > 0;
    told->done = done;
    told->total = total;
    if (++told->calls == told->stop_at)
        monpro_cancellation_cancel(told->cancellation);
}

static void calls_tell_their_progress(void) {
    enum { TASKS = 21, LENGTH = 32 };
    static uint8_t numbers[TASKS][LENGTH], results[TASKS][2 * LENGTH];
    monpro_pow_task tasks[TASKS];
    monpro_crt_task crt_tasks[TASKS];
    const uint8_t p[] = {11}, q[] = {7}, q_inverse[] = {8}, d[] = {3};
    for (int i = 0; i < TASKS; i++) {
        memset(numbers[i], 0x71 + i, LENGTH);
        tasks[i] = (monpro_pow_task){numbers[0], LENGTH, numbers[0], LENGTH, numbers[i], LENGTH, results[i]};
        crt_tasks[i] = (monpro_crt_task){numbers[i], LENGTH, p, 1, q, 1, d, 1, d, 1, q_inverse, 1, results[i]};
    }
    telling told = {0};
    const monpro_progress progress = {tell, &told};
    monpro_progress_watch(&progress);
    OK(monpro_pow_batch(tasks, TASKS));
    check(told.done == TASKS && told.total == TASKS && told.calls > 1 && !told.is_wrong, "a batch", (long)told.done);
    told = (telling){0};
    OK(monpro_pow_crt_batch(crt_tasks, TASKS));
    check(told.done == 2 * TASKS && told.total == 2 * TASKS && !told.is_wrong, "a batch by primes", (long)told.done);
    told = (telling){0};
    monpro_rsa_private *key = NULL;
    OK(monpro_rsa_private_generate(512, NULL, &key));
    monpro_rsa_private_free(key);
    check(told.calls >= 2 && told.done == told.calls && told.total == 0 && !told.is_wrong, "a key", (long)told.done);

    monpro_cancellation *cancellation = NULL;
    OK(monpro_cancellation_new(&cancellation));
    monpro_cancellation_watch(cancellation);
    told = (telling){.stop_at = 1, .cancellation = cancellation};
    check_status(monpro_rsa_private_generate(4096, NULL, &key), MONPRO_STATUS_CANCELLED, "stopped by its listener", 0);
    check(told.calls == 1 && key == NULL, "no more is told", (long)told.calls);
    monpro_cancellation_watch(NULL);
    monpro_cancellation_free(cancellation);

    const monpro_progress nobody = {NULL, NULL};
    monpro_progress_watch(&nobody);
    OK(monpro_pow_batch(tasks, 1));
    monpro_progress_watch(&progress);
    monpro_progress_watch(NULL);
    OK(monpro_pow_batch(tasks, 1));
    check(told.calls == 1, "nobody is told", (long)told.calls);
}

/* ---- columns */

enum { ROWS = 40 };

/* A column of rows of one width, a constant, and results. */
static monpro_column rows_of(uint8_t *bytes, size_t length, size_t width) {
    return (monpro_column){.bytes = bytes, .length = length, .width = width};
}
static monpro_column constant_of(uint8_t *bytes, size_t length) {
    return (monpro_column){.bytes = bytes, .length = length, .is_constant = 1};
}

static void columns_of_every_operation(void) {
    uint8_t bases[ROWS], exponent[] = {0, 3}, modulus[] = {101}, out[ROWS], statuses[ROWS], validity[5];
    for (int i = 0; i < ROWS; i++)
        bases[i] = (uint8_t)i;
    memset(validity, 0xff, sizeof validity);
    validity[1] = 0xfe;
    monpro_column operands[] = {rows_of(bases, ROWS, 1), constant_of(exponent, 2), constant_of(modulus, 1)};
    const monpro_column results = rows_of(out, ROWS, 1), pair[] = {operands[0], operands[2]};
    operands[0].validity = validity;
    for (int operation = 0; operation < 7; operation++) {
        const int count = operation < 5 ? 3 : operation == 5 ? 2 : 1;
        const monpro_column *given = count == 2 ? pair : operands;
        memset(out, 0xee, sizeof out);
        OK(monpro_columns_compute(operation, given, (size_t)count, ROWS, NULL, &results, statuses, 2));
        for (int i = 0; i < ROWS; i++) {
            const int x = i, is_null = count != 2 && i == 8;
            int is_prime = x > 1;
            for (int divisor = 2; divisor < x; divisor++)
                is_prime &= x % divisor != 0;
            const int expected = operation < 4 ? x * x * x % 101 : operation == 4 ? 3 * x % 101 : is_prime;
            if (count == 2) {
                check(statuses[i] == (x == 0 ? MONPRO_ROW_STATUS_NOT_INVERTIBLE : MONPRO_ROW_STATUS_OK), "a unit", i);
                check(out[i] * x % 101 == (x > 0), "an inverse", i);
            } else {
                check(statuses[i] == (is_null ? MONPRO_ROW_STATUS_NULL_OPERAND : MONPRO_ROW_STATUS_OK), "a row", i);
                check(out[i] == (is_null ? 0 : expected), "the number of a row", 100 * operation + i);
            }
        }
    }
}

static void columns_of_many_widths(void) {
    uint8_t moduli[] = {0, 101, 7, 1, 0}, base[] = {3}, exponent[] = {5}, out[5], statuses[4];
    const int32_t short_offsets[] = {0, 2, 2, 3, 5};
    const int64_t long_offsets[] = {0, 2, 2, 3, 5}, wrong[] = {0, 2, 1, 3, 5}, negative[] = {-1, 2, 2, 3, 5};
    const void *offsets[] = {short_offsets, long_offsets};
    monpro_column operands[] = {constant_of(base, 1), constant_of(exponent, 1), rows_of(moduli, 5, 0)};
    monpro_column results = rows_of(out, 5, 0);
    for (int i = 0; i < 2; i++) {
        operands[2].offsets = results.offsets = offsets[i];
        operands[2].offset_bytes = results.offset_bytes = i == 0 ? 4 : 8;
        OK(monpro_columns_compute(MONPRO_COLUMNS_OPERATION_POW, operands, 3, 4, NULL, &results, statuses, 0));
        check(memcmp(out, (uint8_t[]){0, 41, 5, 0, 243}, 5) == 0, "results of many widths", i);
        check(memcmp(statuses, (uint8_t[]){0, MONPRO_ROW_STATUS_ZERO_MODULUS, 0, 0}, 4) == 0, "their statuses", i);
    }
    results.offsets = wrong;
    check_status(monpro_columns_compute(0, operands, 3, 4, NULL, &results, statuses, 0), MONPRO_STATUS_WRONG_LENGTH,
                 "offsets that decrease", 0);
    results.offsets = negative;
    check_status(monpro_columns_compute(0, operands, 3, 4, NULL, &results, statuses, 0), MONPRO_STATUS_WRONG_LENGTH,
                 "a negative offset", 0);
}

static void wrong_columns_are_refused(void) {
    uint8_t bytes[8] = {2, 3, 5, 7, 11, 13, 17, 19}, out[8], statuses[8];
    memset(out, 0xee, sizeof out);
    memset(statuses, 0xee, sizeof statuses);
    monpro_column operands[] = {rows_of(bytes, 8, 1), constant_of(bytes, 2), constant_of(bytes, 2)};
    monpro_column results = rows_of(out, 8, 1), null = rows_of(NULL, 8, 1);
    const monpro_column constants[] = {operands[1], operands[1], operands[1]};
#define REFUSED(wanted, ...) check_status(monpro_columns_compute(__VA_ARGS__), MONPRO_STATUS_##wanted, #__VA_ARGS__, 0)
    REFUSED(UNKNOWN_OPERATION, 7, operands, 3, 8, NULL, &results, statuses, 1);
    REFUSED(UNKNOWN_OPERATION, -1, operands, 3, 8, NULL, &results, statuses, 1);
    REFUSED(WRONG_LENGTH, 0, operands, 2, 8, NULL, &results, statuses, 1);
    REFUSED(WRONG_LENGTH, 0, operands, 4, 8, NULL, &results, statuses, 1);
    REFUSED(WRONG_LENGTH, 0, constants, 3, 8, NULL, &results, statuses, 1);
    REFUSED(WRONG_LENGTH, 0, operands, 3, 9, NULL, &results, statuses, 1);
    REFUSED(NULL_POINTER, 0, NULL, 3, 8, NULL, &results, statuses, 1);
    REFUSED(NULL_POINTER, 0, operands, 3, 8, NULL, NULL, statuses, 1);
    REFUSED(NULL_POINTER, 0, operands, 3, 8, NULL, &null, statuses, 1);
    REFUSED(NULL_POINTER, 0, operands, 3, 8, NULL, &results, NULL, 1);
    REFUSED(NULL_POINTER, 0, operands, 3, 8, &(monpro_random){NULL, NULL}, &results, statuses, 1);
    operands[0] = rows_of(bytes, SIZE_MAX, 1);
    REFUSED(TOO_LONG, 0, operands, 3, 8, NULL, &results, statuses, 1);
    operands[0] = null;
    REFUSED(NULL_POINTER, 0, operands, 3, 8, NULL, &results, statuses, 1);
    check(out[0] == 0xee && statuses[0] == 0xee, "nothing is written", 0);
    operands[0] = rows_of(NULL, 0, 1);
    OK(monpro_columns_compute(0, operands, 3, 0, NULL, &results, NULL, 1));
}

static int no_bytes(void *context, uint8_t *bytes, size_t length) {
    (void)context, (void)bytes, (void)length;
    return 1;
}

static void columns_of_a_key(void) {
    enum { BYTES = 64 };
    uint8_t numbers[ROWS][BYTES] = {{0}}, out[ROWS][BYTES], statuses[ROWS], power[BYTES];
    monpro_rsa_private *key = NULL;
    OK(monpro_rsa_private_generate(8 * BYTES, NULL, &key));
    for (int i = 0; i < ROWS; i++)
        memset(numbers[i] + 1, i, BYTES - 1);
    memset(numbers[3], 0xff, BYTES);
    const monpro_column column = rows_of(numbers[0], sizeof numbers, BYTES), results = rows_of(out[0], sizeof out, BYTES);
    OK(monpro_columns_rsa_private(key, &column, ROWS, NULL, &results, statuses, 2));
    for (int i = 0; i < ROWS; i++) {
        check(statuses[i] == (i == 3 ? MONPRO_ROW_STATUS_NOT_BELOW_MODULUS : MONPRO_ROW_STATUS_OK), "a row", i);
        if (i != 3) {
            OK(monpro_rsa_private_raw(key, numbers[i], NULL, power, BYTES));
            check(memcmp(power, out[i], BYTES) == 0, "the power of a row", i);
        }
    }
    check_status(monpro_columns_rsa_private(NULL, &column, ROWS, NULL, &results, statuses, 2),
                 MONPRO_STATUS_NULL_POINTER, "no key", 0);
    const monpro_random empty = {no_bytes, NULL};
    check_status(monpro_columns_rsa_private(key, &column, ROWS, &empty, &results, statuses, 2),
                 MONPRO_STATUS_RANDOM_SOURCE, "a source without bytes", 0);
    monpro_rsa_private_free(key);
}

static void columns_tell_their_progress_and_are_stopped(void) {
    enum { BYTES = 512 };
    static uint8_t numbers[ROWS][BYTES], out[ROWS][BYTES], statuses[ROWS];
    memset(numbers, 0xff, sizeof numbers);
    memset(statuses, 0xee, sizeof statuses);
    const monpro_column column = rows_of(numbers[0], sizeof numbers, BYTES), results = rows_of(out[0], sizeof out, BYTES);
    const monpro_column operands[] = {column, column, column};
    monpro_cancellation *cancellation = NULL;
    OK(monpro_cancellation_new(&cancellation));
    monpro_cancellation_watch(cancellation);
    telling told = {.stop_at = 1, .cancellation = cancellation};
    const monpro_progress progress = {tell, &told};
    monpro_progress_watch(&progress);
    check_status(monpro_columns_compute(0, operands, 3, ROWS, NULL, &results, statuses, 1), MONPRO_STATUS_CANCELLED,
                 "columns that are stopped", 0);
    check(told.done > 0 && told.done < ROWS && told.total == ROWS && statuses[0] == 0xee, "no status", (long)told.done);
    monpro_cancellation_watch(NULL);
    monpro_cancellation_free(cancellation);
    told = (telling){0};
    OK(monpro_columns_compute(MONPRO_COLUMNS_OPERATION_PRODUCT, operands, 3, ROWS, NULL, &results, statuses, 1));
    check(told.done == ROWS && told.total == ROWS && !told.is_wrong, "all rows are told", (long)told.done);
    monpro_progress_watch(NULL);
}

int main(void) {
    both_sides_agree();
    groups_of_ones_own();
    keys_of_rsa();
    a_certificate_is_a_public_key();
    a_key_whose_document_ends_in_zero();
    a_key_of_three_primes();
    a_key_that_is_bound_to_pss();
    sources_of_the_caller();
    calls_are_stopped();
    calls_tell_their_progress();
    columns_of_every_operation();
    columns_of_many_widths();
    wrong_columns_are_refused();
    columns_of_a_key();
    columns_tell_their_progress_and_are_stopped();
    return verdict();
}
