/* Uses OpenSSL as programs do, with whatever provider the configuration gives:
 *
 *   evp rate KEY THREADS SECONDS       signatures by threads that share a key: a second, and a second of processor time
 *   evp check KEY THREADS COUNT        every thread signs so often and verifies each signature
 *   evp fork KEY THREADS               forks while threads sign; each child signs
 *   evp contexts CONFIGURATION KEY COUNT   loads and unloads everything so often, each time with a signature
 *   evp refuse KEY 0                   makes mistakes, each of which must be refused
 *   evp decrypt                        reads lines "KEY-IN-PKCS8 PADDING HASH MGF1 LABEL CIPHERTEXT" in hexadecimal, - for
 *                                      nothing, and answers each with the message in hexadecimal or "refused"
 *   evp verify                         the same with "PUBLIC-KEY PADDING HASH MGF1 SALT MESSAGE SIGNATURE", "good" or "bad"
 */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
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
    memset(octets, 255, sizeof octets);
    length = sizeof octets;
    if (EVP_PKEY_decrypt(state, octets, &length, octets, (size_t)EVP_PKEY_get_size(shared)) == 1)
        stop("a number that is not below the modulus was decrypted");
    EVP_PKEY_CTX_free(state);
    EVP_MD_CTX_free(message);
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
    return 0;
}
