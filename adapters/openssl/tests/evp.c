/* Uses OpenSSL as programs do, with whatever provider the configuration gives:
 *
 *   evp rate KEY THREADS SECONDS       signatures by threads that share a key: a second, and a second of processor time
 *   evp check KEY THREADS COUNT        every thread signs so often and verifies each signature
 *   evp fork KEY THREADS               forks while threads sign; each child signs
 *   evp contexts CONFIGURATION KEY COUNT   loads and unloads everything so often, each time with a signature
 *   evp refuse KEY 0                   makes mistakes, each of which must be refused
 *   evp exchange PARAMETERS COUNT      derives so many secrets of Diffie-Hellman by the configuration's provider and by the
 *                                      default provider, compares them, and prints how many have leading zeros, and how
 *                                      many of 39 public values both take, and the bits of the longest private keys
 *                                      that each has made
 *   evp agree PARAMETERS SECONDS       exchanges with a new key each, as TLS has them: a second of processor time
 *   evp decrypt                        reads lines "KEY-IN-PKCS8 PADDING HASH MGF1 LABEL CIPHERTEXT" in hexadecimal, - for
 *                                      nothing, and answers each with the message in hexadecimal or "refused"
 *   evp verify                         the same with "PUBLIC-KEY PADDING HASH MGF1 SALT MESSAGE SIGNATURE", "good" or "bad"
 */
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/dh.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char MESSAGE[] = "a message to sign";

static void stop(const char *what) {
    fprintf(stderr, "evp: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static EVP_PKEY *load(OSSL_LIB_CTX *context, const char *name) {
    FILE *file = fopen(name, "r");
    EVP_PKEY *key = file ? PEM_read_PrivateKey_ex(file, NULL, NULL, NULL, context, NULL) : NULL;
    if (key == NULL)
        stop("no key");
    fclose(file);
    return key;
}

/* Signs by PSS with SHA-256, as TLS 1.3 does. */
static size_t sign(OSSL_LIB_CTX *context, EVP_PKEY *key, unsigned char *signature, size_t space) {
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    EVP_PKEY_CTX *settings;
    if (EVP_DigestSignInit_ex(state, &settings, "SHA256", context, NULL, key, NULL) != 1
        || EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) != 1
        || EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) != 1
        || EVP_DigestSign(state, signature, &space, (const unsigned char *)MESSAGE, sizeof MESSAGE) != 1)
        stop("no signature");
    EVP_MD_CTX_free(state);
    return space;
}

static void verify(EVP_PKEY *key, const unsigned char *signature, size_t length) {
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    EVP_PKEY_CTX *settings;
    if (EVP_DigestVerifyInit_ex(state, &settings, "SHA256", NULL, "provider=default", key, NULL) != 1
        || EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) != 1
        || EVP_DigestVerify(state, signature, length, (const unsigned char *)MESSAGE, sizeof MESSAGE) != 1)
        stop("a wrong signature");
    EVP_MD_CTX_free(state);
}

static EVP_PKEY *shared;
static atomic_int is_over;
static atomic_long done;
static long each;

static void *work(void *unused) {
    unsigned char signature[2048];
    size_t length = 0;
    for (long i = 0; each ? i < each : !is_over; i++, done++) {
        length = sign(NULL, shared, signature, sizeof signature);
        if (each)
            verify(shared, signature, length);
    }
    if (length)
        verify(shared, signature, length);
    return unused;
}

static pthread_t *start(int threads) {
    pthread_t *all = calloc((size_t)threads, sizeof *all);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&all[i], NULL, work, NULL))
            stop("no thread");
    return all;
}

static void finish(pthread_t *all, int threads) {
    is_over = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
    free(all);
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void nap(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

static void rate(int threads, double seconds) {
    pthread_t *all = start(threads);
    nap(0.2); /* the first operations make what the later ones need */
    long before = done;
    double begin = now(CLOCK_MONOTONIC), begin_of_processor = now(CLOCK_PROCESS_CPUTIME_ID);
    nap(seconds);
    double signatures = (double)(done - before), processor = now(CLOCK_PROCESS_CPUTIME_ID) - begin_of_processor;
    printf("%.0f %.0f\n", signatures / (now(CLOCK_MONOTONIC) - begin), signatures / processor);
    finish(all, threads);
}

/* OpenSSL itself may keep locks of threads that a child lacks, so the children only sign with what is ready. */
static void forks(int threads) {
    unsigned char hash[32] = {1}, expected[2048], signature[2048];
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, shared, NULL);
    size_t length = sizeof expected;
    if (EVP_PKEY_sign_init(state) != 1 || EVP_PKEY_CTX_set_signature_md(state, EVP_sha256()) != 1
        || EVP_PKEY_sign(state, expected, &length, hash, sizeof hash) != 1)
        stop("no signature");
    pthread_t *all = start(threads);
    for (int i = 0; i < 30; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60); /* a child that hangs ends by a signal */
            for (int j = 0; j < 5; j++) {
                size_t space = sizeof signature;
                if (EVP_PKEY_sign(state, signature, &space, hash, sizeof hash) != 1 || space != length
                    || memcmp(signature, expected, length))
                    _exit(1);
            }
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            stop("a child failed");
    }
    finish(all, threads);
    EVP_PKEY_CTX_free(state);
}

static void contexts(const char *configuration, const char *key_name, long count) {
    unsigned char signature[2048];
    for (long i = 0; i < count; i++) {
        OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
        if (OSSL_LIB_CTX_load_config(context, configuration) != 1)
            stop("no configuration");
        EVP_PKEY *key = load(context, key_name);
        sign(context, key, signature, sizeof signature);
        EVP_PKEY_free(key);
        OSSL_LIB_CTX_free(context);
    }
}

/* Whether OpenSSL takes a hash function for what was begun. */
static int takes_digest(EVP_PKEY_CTX *settings, char *name) {
    OSSL_PARAM list[] = {OSSL_PARAM_construct_utf8_string("digest", name, 0), OSSL_PARAM_construct_end()};
    return EVP_PKEY_CTX_set_params(settings, list) == 1;
}

/* Whether a message fits into a space shorter than the key would tell of its padding, so that no message does. */
static void refuse_short_spaces(EVP_PKEY_CTX *state) {
    static const int paddings[] = {RSA_PKCS1_PADDING, RSA_PKCS1_OAEP_PADDING};
    unsigned char message[48] = {1}, sealed[2048], opened[2048];
    size_t key_length = (size_t)EVP_PKEY_get_size(shared), length, i, j;
    for (i = 0; i < 2; i++) {
        const size_t spaces[] = {key_length, key_length - 1, sizeof message};
        length = sizeof sealed;
        if (EVP_PKEY_encrypt_init(state) != 1 || EVP_PKEY_CTX_set_rsa_padding(state, paddings[i]) != 1
            || EVP_PKEY_encrypt(state, sealed, &length, message, sizeof message) != 1)
            stop("nothing was encrypted");
        for (j = 0; j < 3; j++) {
            length = spaces[j];
            if (EVP_PKEY_decrypt_init(state) != 1 || EVP_PKEY_CTX_set_rsa_padding(state, paddings[i]) != 1)
                stop("no decryption was begun");
            if ((EVP_PKEY_decrypt(state, opened, &length, sealed, key_length) == 1) != (j == 0))
                stop("a space as long as the key was refused, or a shorter one was taken");
        }
    }
}

static void refuse(void) {
    unsigned char octets[2048] = {1};
    size_t length;
    EVP_PKEY_CTX *settings, *state = EVP_PKEY_CTX_new_from_pkey(NULL, shared, NULL);
    EVP_MD_CTX *message = EVP_MD_CTX_new();
    if (EVP_DigestSignInit_ex(message, &settings, "SHA256", NULL, NULL, shared, NULL) != 1
        || !takes_digest(settings, "SHA2-256"))
        stop("no signature was begun");
    if (takes_digest(settings, "SHA3-256"))
        stop("another hash function was taken for a message that was begun");
    length = 100;
    if (EVP_DigestSign(message, octets, &length, octets, 3) == 1)
        stop("a signature was written into a space that is too short");
    if (EVP_DigestSignInit_ex(message, NULL, "no such hash", NULL, NULL, shared, NULL) == 1)
        stop("an unknown hash function was taken");
    length = sizeof octets;
    if (EVP_PKEY_sign_init(state) != 1 || EVP_PKEY_CTX_set_signature_md(state, EVP_sha256()) != 1)
        stop("no signature was begun");
    if (EVP_PKEY_sign(state, octets, &length, octets, 31) == 1)
        stop("a hash of another length was signed");
    length = 10;
    if (EVP_PKEY_decrypt_init(state) != 1 || EVP_PKEY_CTX_set_rsa_padding(state, RSA_NO_PADDING) != 1)
        stop("no decryption was begun");
    octets[0] = 0;
    if (EVP_PKEY_decrypt(state, octets, &length, octets, (size_t)EVP_PKEY_get_size(shared)) == 1)
        stop("a message was written into a space that is too short");
    refuse_short_spaces(state);
    if (EVP_PKEY_decrypt_init(state) != 1 || EVP_PKEY_CTX_set_rsa_padding(state, RSA_NO_PADDING) != 1)
        stop("no decryption was begun");
    memset(octets, 255, sizeof octets);
    length = sizeof octets;
    if (EVP_PKEY_decrypt(state, octets, &length, octets, (size_t)EVP_PKEY_get_size(shared)) == 1)
        stop("a number that is not below the modulus was decrypted");
    EVP_PKEY_CTX_free(state);
    EVP_MD_CTX_free(message);
}

/* Parameters as a key of a provider, which then makes keys with them; those that are read belong to the default one. */
static EVP_PKEY *parameters(const char *name, const char *provider) {
    FILE *file = fopen(name, "r");
    EVP_PKEY *key = NULL, *own = NULL;
    OSSL_PARAM *list = NULL;
    OSSL_DECODER_CTX *decoder = OSSL_DECODER_CTX_new_for_pkey(&key, "PEM", NULL, NULL,
                                                              OSSL_KEYMGMT_SELECT_ALL_PARAMETERS, NULL, NULL);
    if (file == NULL || OSSL_DECODER_from_fp(decoder, file) != 1)
        stop("no parameters");
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_name(NULL, EVP_PKEY_get0_type_name(key), provider);
    if (EVP_PKEY_todata(key, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS, &list) != 1 || EVP_PKEY_fromdata_init(state) != 1
        || EVP_PKEY_fromdata(state, &own, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS, list) != 1)
        stop("no parameters");
    OSSL_PARAM_free(list);
    EVP_PKEY_CTX_free(state);
    EVP_PKEY_free(key);
    OSSL_DECODER_CTX_free(decoder);
    fclose(file);
    return own;
}

/* A key, whose private number has so many bits if this is not 0. */
static EVP_PKEY *generate(EVP_PKEY *group, int bits) {
    OSSL_PARAM list[] = {OSSL_PARAM_construct_int("priv_len", &bits), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, group, NULL);
    EVP_PKEY *key = NULL;
    if (EVP_PKEY_keygen_init(state) != 1 || (bits != 0 && EVP_PKEY_CTX_set_params(state, list) != 1)
        || EVP_PKEY_generate(state, &key) != 1)
        stop("no key was made");
    EVP_PKEY_CTX_free(state);
    return key;
}

/* A key of a group with this public value and no private one. */
static EVP_PKEY *with_public(EVP_PKEY *group, const BIGNUM *y) {
    OSSL_PARAM *list = NULL, *of_group = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, group, NULL);
    EVP_PKEY *key = NULL;
    if (EVP_PKEY_todata(group, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS, &of_group) != 1
        || OSSL_PARAM_BLD_push_BN(builder, "pub", y) != 1 || (list = OSSL_PARAM_BLD_to_param(builder)) == NULL)
        stop("no list");
    OSSL_PARAM *all = OSSL_PARAM_merge(of_group, list);
    if (EVP_PKEY_fromdata_init(state) != 1
        || EVP_PKEY_fromdata(state, &key, EVP_PKEY_PUBLIC_KEY, all) != 1)
        stop("no public key");
    OPENSSL_free(all);
    OSSL_PARAM_free(list), OSSL_PARAM_free(of_group);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(state);
    return key;
}

struct secret {
    unsigned char octets[2048];
    size_t length;
    long reason; /* of the error, 0 if there is none */
};

/* What a provider derives from a key and the public half of a peer, which is not checked; without a peer for null. */
static struct secret derive(const char *provider, EVP_PKEY *key, EVP_PKEY *peer, int padded, int derived, size_t space) {
    struct secret secret = {{0}, space, 0};
    EVP_PKEY_CTX *copy, *state = EVP_PKEY_CTX_new_from_pkey(NULL, key, provider);
    if (EVP_PKEY_derive_init(state) != 1 || EVP_PKEY_CTX_set_dh_pad(state, padded) != 1)
        stop("no exchange was begun");
    size_t key_length = 16;
    OSSL_PARAM list[] = {OSSL_PARAM_construct_utf8_string("kdf-type", "X942KDF-ASN1", 0),
                         OSSL_PARAM_construct_utf8_string("kdf-digest", "SHA256", 0),
                         OSSL_PARAM_construct_utf8_string("cekalg", "AES-128-WRAP", 0),
                         OSSL_PARAM_construct_size_t("kdf-outlen", &key_length), OSSL_PARAM_construct_end()};
    if (derived && EVP_PKEY_CTX_set_params(state, list) != 1)
        stop("no derivation");
    ERR_clear_error();
    int is_good = peer == NULL || EVP_PKEY_derive_set_peer_ex(state, peer, 0) == 1;
    /* a copy derives, so that it must be whole */
    is_good = is_good && (copy = EVP_PKEY_CTX_dup(state)) != NULL;
    if (is_good) {
        is_good = EVP_PKEY_derive(copy, secret.octets, &secret.length) == 1;
        EVP_PKEY_CTX_free(copy);
    }
    if (!is_good) {
        secret.reason = ERR_GET_REASON(ERR_peek_error());
        secret.length = 0;
        memset(secret.octets, 0, sizeof secret.octets);
    }
    EVP_PKEY_CTX_free(state);
    return secret;
}

/* Whether a provider takes the public value of a key. */
static int is_valid(const char *provider, EVP_PKEY *key) {
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, key, provider);
    int valid = EVP_PKEY_public_check(state);
    EVP_PKEY_CTX_free(state);
    return valid;
}

/* Both providers must take the same public values p - n and n; returns how many they take. */
static int check_publics(EVP_PKEY *group, const BIGNUM *p) {
    int taken = 0;
    for (unsigned long n = 1; n < 40; n++) {
        BIGNUM *y = BN_dup(p);
        if ((n % 2 ? BN_sub_word(y, n) : BN_set_word(y, n)) != 1)
            stop("no number");
        EVP_PKEY *key = with_public(group, y);
        int valid = is_valid(NULL, key);
        if (valid != is_valid("provider=default", key))
            stop("a public value that one provider takes");
        taken += valid == 1;
        EVP_PKEY_free(key);
        BN_free(y);
    }
    return taken;
}

/* Both providers must give the same secret, or the same error. */
static struct secret same(EVP_PKEY *key, EVP_PKEY *peer, int padded, int derived, size_t space, const char *what) {
    struct secret own = derive(NULL, key, peer, padded, derived, space);
    struct secret other = derive("provider=default", key, peer, padded, derived, space);
    if (memcmp(&own, &other, sizeof own))
        stop(what);
    return own;
}

static int private_bits(EVP_PKEY *key) {
    BIGNUM *x = NULL;
    if (EVP_PKEY_get_bn_param(key, "priv", &x) != 1)
        stop("no private number");
    int bits = BN_num_bits(x);
    BN_clear_free(x);
    return bits;
}

/* A length that is set for a key must count, also beside a template. */
static void check_length(EVP_PKEY *group, EVP_PKEY *group_of_default) {
    if (EVP_PKEY_is_a(group, "DHX")) /* the order sets the length */
        return;
    EVP_PKEY *own = generate(group, 256), *other = generate(group_of_default, 256);
    if (abs(private_bits(own) - private_bits(other)) > 24) /* 1 of 2^24 fails */
        stop("private keys of different lengths");
    EVP_PKEY_free(own), EVP_PKEY_free(other);
}

/* A key that tells a far greater length than its number has: a square for each of these bits would outlast the alarm. */
static void check_told_length(EVP_PKEY *key, EVP_PKEY *peer) {
    int bits = INT_MAX;
    OSSL_PARAM told[] = {OSSL_PARAM_construct_int("priv_len", &bits), OSSL_PARAM_construct_end()};
    OSSL_PARAM *list = NULL, *all = NULL;
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    EVP_PKEY *telling = NULL;
    if (EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &list) != 1 || (all = OSSL_PARAM_merge(list, told)) == NULL
        || EVP_PKEY_fromdata_init(state) != 1 || EVP_PKEY_fromdata(state, &telling, EVP_PKEY_KEYPAIR, all) != 1)
        stop("no key that tells its length");
    alarm(60);
    same(telling, peer, 1, 0, (size_t)EVP_PKEY_get_size(key), "secrets of a key that tells its length");
    alarm(0);
    EVP_PKEY_free(telling);
    EVP_PKEY_CTX_free(state);
    OPENSSL_free(all);
    OSSL_PARAM_free(list);
}

static void exchange(const char *name, long count) {
    EVP_PKEY *group = parameters(name, NULL), *group_of_default = parameters(name, "provider=default");
    EVP_PKEY *key = generate(group, 0), *other = NULL;
    int own_bits = 0, other_bits = 0;
    size_t size = (size_t)EVP_PKEY_get_size(key);
    long shorter = 0;
    for (long i = 0; i < count; i++) {
        EVP_PKEY *peer = generate(group, 0), *its = generate(group_of_default, 0);
        own_bits = private_bits(peer) > own_bits ? private_bits(peer) : own_bits;
        other_bits = private_bits(its) > other_bits ? private_bits(its) : other_bits;
        EVP_PKEY_free(its);
        if (same(key, peer, 1, 0, size, "different secrets").length != size)
            stop("no padding");
        shorter += same(key, peer, 0, 0, size + 1, "different lengths").length < size;
        EVP_PKEY_free(other);
        other = peer;
    }
    check_told_length(key, other);
    if (same(key, other, 0, 1, size, "different derivations").length != 16)
        stop("no derived key");
    if (same(key, other, 1, 0, size - 1, "a space that is too short").reason == 0)
        stop("a secret in a space that is too short");
    if (same(key, NULL, 1, 0, size, "no peer").reason == 0)
        stop("a secret without a peer");
    if (same(group, other, 1, 0, size, "no private key").reason == 0)
        stop("a secret without a private key");
    check_length(group, group_of_default);
    BIGNUM *p = NULL;
    if (EVP_PKEY_get_bn_param(group, "p", &p) != 1)
        stop("no prime");
    for (int i = 0; i < 4; i++) { /* 1, p - 1, p, p + 1 */
        BIGNUM *value = BN_dup(i == 0 ? BN_value_one() : p);
        if (i == 1)
            BN_sub_word(value, 1);
        if (i == 3)
            BN_add_word(value, 1);
        EVP_PKEY *peer = with_public(group, value);
        if (same(key, peer, 1, 0, size, "a degenerate peer").reason == 0)
            stop("a secret with a degenerate peer");
        EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
        if (EVP_PKEY_derive_init(state) != 1 || EVP_PKEY_derive_set_peer(state, peer) == 1)
            stop("a degenerate peer was taken");
        EVP_PKEY_CTX_free(state);
        EVP_PKEY_free(peer);
        BN_free(value);
    }
    int taken = check_publics(group, p);
    BN_free(p);
    printf("%ld %d %d %d\n", shorter, taken, own_bits, other_bits);
    EVP_PKEY_free(group), EVP_PKEY_free(group_of_default), EVP_PKEY_free(key), EVP_PKEY_free(other);
}

/* One side of an exchange, as TLS has it: a new key, a peer's public value that is checked, a secret. */
static void agree_once(EVP_PKEY *group, const unsigned char *encoded, size_t length) {
    unsigned char secret[2048];
    size_t space = sizeof secret;
    EVP_PKEY *key = generate(group, 0), *peer = EVP_PKEY_new();
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (EVP_PKEY_copy_parameters(peer, key) != 1 || EVP_PKEY_set1_encoded_public_key(peer, encoded, length) != 1
        || EVP_PKEY_derive_init(state) != 1 || EVP_PKEY_CTX_set_dh_pad(state, 1) != 1
        || EVP_PKEY_derive_set_peer(state, peer) != 1 || EVP_PKEY_derive(state, secret, &space) != 1)
        stop("no secret");
    EVP_PKEY_CTX_free(state);
    EVP_PKEY_free(peer), EVP_PKEY_free(key);
}

static void agree(const char *name, double seconds) {
    EVP_PKEY *group = parameters(name, NULL), *peer = generate(group, 0);
    unsigned char *encoded;
    size_t length = EVP_PKEY_get1_encoded_public_key(peer, &encoded);
    long count = 0;
    agree_once(group, encoded, length); /* makes what the later ones need */
    double begin = now(CLOCK_PROCESS_CPUTIME_ID), spent = 0;
    for (; spent < seconds; count++) {
        agree_once(group, encoded, length);
        spent = now(CLOCK_PROCESS_CPUTIME_ID) - begin;
    }
    printf("%.0f\n", (double)count / spent);
    OPENSSL_free(encoded);
    EVP_PKEY_free(peer), EVP_PKEY_free(group);
}

static unsigned char *octets(const char *text, size_t *length) {
    long found = 0;
    unsigned char *result = strcmp(text, "-") ? OPENSSL_hexstr2buf(text, &found) : calloc(1, 1);
    *length = (size_t)found;
    return result ? result : calloc(1, 1);
}

static int padding(const char *name) {
    return !strcmp(name, "oaep") ? RSA_PKCS1_OAEP_PADDING
         : !strcmp(name, "pss")  ? RSA_PKCS1_PSS_PADDING
         : !strcmp(name, "none") ? RSA_NO_PADDING
                                 : RSA_PKCS1_PADDING;
}

static int decrypt(char *field[]) {
    size_t key_length, label_length, length, space;
    unsigned char *key_octets = octets(field[0], &key_length), *label = octets(field[4], &label_length);
    unsigned char *ciphertext = octets(field[5], &length), message[2048];
    const unsigned char *place = key_octets;
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &place, (long)key_length);
    EVP_PKEY_CTX *state = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    int is_good = state && EVP_PKEY_decrypt_init(state) == 1
               && EVP_PKEY_CTX_set_rsa_padding(state, padding(field[1])) == 1;
    if (is_good && !strcmp(field[1], "oaep"))
        is_good = EVP_PKEY_CTX_set_rsa_oaep_md_name(state, field[2], NULL) == 1
               && EVP_PKEY_CTX_set_rsa_mgf1_md_name(state, field[3], NULL) == 1
               && (label_length == 0
                   || EVP_PKEY_CTX_set0_rsa_oaep_label(state, OPENSSL_memdup(label, label_length), (int)label_length)
                          == 1);
    if (!is_good)
        stop("settings");
    space = sizeof message;
    if (EVP_PKEY_decrypt(state, message, &space, ciphertext, length) == 1) {
        for (size_t i = 0; i < space; i++)
            printf("%02x", message[i]);
        puts("");
    } else
        puts("refused");
    EVP_PKEY_CTX_free(state);
    EVP_PKEY_free(key);
    free(key_octets), free(label), free(ciphertext);
    return 0;
}

static int verify_line(char *field[]) {
    size_t key_length, message_length, length;
    unsigned char *key_octets = octets(field[0], &key_length), *message = octets(field[5], &message_length);
    unsigned char *signature = octets(field[6], &length);
    const unsigned char *place = key_octets;
    EVP_PKEY *key = d2i_PUBKEY(NULL, &place, (long)key_length);
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    EVP_PKEY_CTX *settings;
    int is_good = key && EVP_DigestVerifyInit_ex(state, &settings, field[2], NULL, NULL, key, NULL) == 1
               && EVP_PKEY_CTX_set_rsa_padding(settings, padding(field[1])) == 1;
    if (is_good && !strcmp(field[1], "pss"))
        is_good = EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, atoi(field[4])) == 1
               && EVP_PKEY_CTX_set_rsa_mgf1_md_name(settings, field[3], NULL) == 1;
    is_good = is_good && EVP_DigestVerify(state, signature, length, message, message_length) == 1;
    puts(is_good ? "good" : "bad");
    EVP_MD_CTX_free(state);
    EVP_PKEY_free(key);
    free(key_octets), free(message), free(signature);
    return 0;
}

static void lines(int fields, int (*answer)(char *field[])) {
    static char line[1 << 20];
    char *field[8] = {0};
    while (fgets(line, sizeof line, stdin)) {
        int count = 0;
        for (char *word = strtok(line, " \n"); word && count < fields; word = strtok(NULL, " \n"))
            field[count++] = word;
        if (count != fields)
            stop("a short line");
        answer(field);
        ERR_clear_error();
    }
}

int main(int count, char *argument[]) {
    const char *what = count > 1 ? argument[1] : "";
    if (!strcmp(what, "decrypt"))
        lines(6, decrypt);
    else if (!strcmp(what, "verify"))
        lines(7, verify_line);
    else if (!strcmp(what, "exchange") && count == 4)
        exchange(argument[2], atol(argument[3]));
    else if (!strcmp(what, "agree") && count == 4)
        agree(argument[2], atof(argument[3]));
    else if (!strcmp(what, "contexts") && count == 5)
        contexts(argument[2], argument[3], atol(argument[4]));
    else if (count >= 4) {
        shared = load(NULL, argument[2]);
        int threads = atoi(argument[3]);
        if (!strcmp(what, "rate") && count == 5)
            rate(threads, atof(argument[4]));
        else if (!strcmp(what, "check") && count == 5) {
            each = atol(argument[4]);
            finish(start(threads), threads);
        } else if (!strcmp(what, "fork"))
            forks(threads);
        else if (!strcmp(what, "refuse"))
            refuse();
        else
            stop("what?");
        EVP_PKEY_free(shared);
    } else
        stop("what?");
    OPENSSL_cleanup(); /* OpenSSL 4 does not clean up by itself, and providers report at their end */
    return 0;
}
