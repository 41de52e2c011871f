/* Signs a file by RSASSA-PSS, and verifies a signature. Keys are files in PEM, as OpenSSL and `monpro rsa` write them:
 *
 *     signature sign PRIVATE.pem FILE SIGNATURE
 *     signature verify PUBLIC.pem FILE SIGNATURE
 *
 *     cc -o signature signature.c $(pkg-config --cflags --libs monpro)
 */
#include <monpro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *bytes;
    size_t length;
} content;

static void end(const char *what, const char *why) {
    fprintf(stderr, "signature: %s: %s\n", what, why);
    exit(2);
}

static void check(monpro_status status, const char *what) {
    if (status != MONPRO_STATUS_OK)
        end(what, monpro_status_message(status));
}

/* A whole file. */
static content read_file(const char *name) {
    content read = {NULL, 0};
    FILE *file = fopen(name, "rb");
    size_t more = 1;
    while (file != NULL && more > 0) {
        uint8_t *longer = realloc(read.bytes, read.length + 65536);
        if (longer == NULL)
            end(name, "out of memory");
        read.bytes = longer;
        more = fread(read.bytes + read.length, 1, 65536, file);
        read.length += more;
    }
    if (file == NULL || ferror(file))
        end(name, "cannot be read");
    fclose(file);
    return read;
}

static void write_file(const char *name, const uint8_t *bytes, size_t length) {
    FILE *file = fopen(name, "wb");
    size_t written = file == NULL ? 0 : fwrite(bytes, 1, length, file);
    if (file == NULL || fclose(file) != 0 || written != length)
        end(name, "cannot be written");
}

static void sign(content pem, content message, const char *name) {
    monpro_rsa_private *key = NULL;
    check(monpro_rsa_private_from_pem((const char *)pem.bytes, pem.length, &key), "the key");
    size_t length = monpro_rsa_private_bytes(key);
    uint8_t *signature = malloc(length);
    if (signature == NULL)
        end(name, "out of memory");
    check(monpro_rsa_sign_pss(key, NULL, message.bytes, message.length, NULL, signature, length), "the message");
    write_file(name, signature, length);
    free(signature);
    monpro_rsa_private_free(key);
}

/* Returns whether the signature is good. */
static int verify(content pem, content message, const char *name) {
    monpro_rsa_public *key = NULL;
    check(monpro_rsa_public_from_pem((const char *)pem.bytes, pem.length, &key), "the key");
    content signature = read_file(name);
    monpro_status status =
        monpro_rsa_verify_pss(key, NULL, message.bytes, message.length, signature.bytes, signature.length);
    puts(status == MONPRO_STATUS_OK ? "the signature is good" : monpro_status_message(status));
    free(signature.bytes);
    monpro_rsa_public_free(key);
    return status == MONPRO_STATUS_OK;
}

int main(int count, char **arguments) {
    int is_signing = count == 5 && strcmp(arguments[1], "sign") == 0;
    if (!is_signing && (count != 5 || strcmp(arguments[1], "verify") != 0))
        end("usage", "signature sign|verify KEY.pem FILE SIGNATURE");
    content pem = read_file(arguments[2]), message = read_file(arguments[3]);
    int is_good = 1;
    if (is_signing)
        sign(pem, message, arguments[4]);
    else
        is_good = verify(pem, message, arguments[4]);
    memset(pem.bytes, 0, pem.length);
    free(pem.bytes);
    free(message.bytes);
    return is_good ? 0 : 1;
}
