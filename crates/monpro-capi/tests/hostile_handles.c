/* Calls the functions of monpro.h that work with handles as they must not be called. A table says of each function what
   kinds of arguments it has; the status that a bad argument must cause follows from its kind. The good calls are made
   again with results over inputs, and by four threads at once. */
#include "check.h"
#include <pthread.h>

/* ---- what the calls work with */

enum { RSA_BYTES = 96, GROUP_BYTES = 256, FIELD_BYTES = 5, MODULUS_BYTES = 40, SPACE = 4096, MOST_SLOTS = 6 };

static long stride = 1; /* one case of so many is tried; given to the program where it runs slowly */

static monpro_modulus *modulus;
static monpro_fixed_base *fixed_base;
static monpro_field *field;
static monpro_group *group;
static monpro_dh_key *exchange;
static monpro_rsa_private *private_key;
static monpro_rsa_public *public_key;
static uint8_t sealed[RSA_BYTES];

/* The same bytes after every good(), so that results can be compared. */
static __thread uint64_t state;

static int fill(void *context, uint8_t *bytes, size_t length) {
    (void)context;
    for (size_t i = 0; i < length; i++) {
        state = state * 0xd1342543de82ef95u + 1;
        bytes[i] = (uint8_t)(state >> 56);
    }
    return 0;
}
static const monpro_random random_source = {fill, NULL};

/* ---- the calls */

typedef struct {
    const void *pointer;
    size_t length;
} slot;

typedef enum {
    NONE,
    HANDLE,  /* may not be null */
    NUMBER,  /* bytes of any length up to MONPRO_MAX_BYTES */
    SEALED,  /* the same; a ciphertext by OAEP, with the label of a good MESSAGE */
    MESSAGE, /* bytes of any length */
    EXACT,   /* an input of one length */
    HASH,    /* an input of 32 bytes */
    ELEMENT, /* an input whose length is that of the result */
    RESULT,  /* of one length */
    SPACE_AND_LENGTH,
    MADE, /* where a new handle goes */
} kind;

#define IN(i) a[i].pointer, a[i].length
#define OUT(i) (uint8_t *)a[i].pointer, a[i].length

/* Makes a handle in a place that is dirty before, or nowhere, and frees it. */
#define MAKE(type, last, ...)                                                              \
    type *made;                                                                            \
    memset(&made, 0x41, sizeof made);                                                      \
    monpro_status status = type##_NEW(__VA_ARGS__, a[last].pointer == NULL ? NULL : &made); \
    if (a[last].pointer == NULL)                                                           \
        return status;                                                                     \
    check((made != NULL) == (status == MONPRO_STATUS_OK), "null without a handle", last);  \
    type##_FREE(made);                                                                     \
    return status

#define CALL(name) static monpro_status name(const slot *a)

CALL(mul) { return monpro_mul(a[0].pointer, IN(1), IN(2), OUT(3)); }
CALL(pow_vartime) { return monpro_pow_vartime(a[0].pointer, IN(1), IN(2), OUT(3)); }
CALL(multi_pow) {
    const monpro_term terms[] = {{IN(1), IN(2)}, {IN(2), IN(1)}};
    return monpro_multi_pow(a[0].pointer, terms, 2, OUT(3));
}
CALL(multi_pow_vartime) {
    const monpro_term terms[] = {{IN(1), IN(2)}, {IN(2), IN(1)}};
    return monpro_multi_pow_vartime(a[0].pointer, terms, 2, OUT(3));
}
CALL(fixed_base_pow) { return monpro_fixed_base_pow(a[0].pointer, IN(1), OUT(2)); }
CALL(field_add) { return monpro_field_add(a[0].pointer, a[1].pointer, a[2].pointer, OUT(3)); }
CALL(field_mul) { return monpro_field_mul(a[0].pointer, a[1].pointer, a[2].pointer, OUT(3)); }
CALL(field_square) { return monpro_field_square(a[0].pointer, a[1].pointer, OUT(2)); }
CALL(field_inverse) { return monpro_field_inverse(a[0].pointer, a[1].pointer, OUT(2)); }
CALL(field_sqrt) { return monpro_field_sqrt(a[0].pointer, a[1].pointer, OUT(2)); }
CALL(field_half_trace) { return monpro_field_half_trace(a[0].pointer, a[1].pointer, OUT(2)); }
CALL(field_frobenius) { return monpro_field_frobenius(a[0].pointer, a[1].pointer, SIZE_MAX, OUT(2)); }
CALL(field_pow) { return monpro_field_pow(a[0].pointer, a[1].pointer, IN(2), OUT(3)); }
CALL(field_pow_vartime) { return monpro_field_pow_vartime(a[0].pointer, a[1].pointer, IN(2), OUT(3)); }
CALL(field_dot) { return monpro_field_dot(a[0].pointer, a[1].pointer, a[2].pointer, 1, OUT(3)); }
CALL(field_batch_inverse) { return monpro_field_batch_inverse(a[0].pointer, a[1].pointer, 1, OUT(2)); }
CALL(field_trace) {
    int trace = 7;
    monpro_status status = monpro_field_trace(a[0].pointer, IN(1), &trace);
    check(status == MONPRO_STATUS_OK ? trace == 0 || trace == 1 : trace == 7, "a trace, or nothing", trace);
    return status;
}
CALL(public_value) { return monpro_dh_public_value(a[0].pointer, OUT(1)); }
CALL(agree) { return monpro_dh_agree(a[0].pointer, IN(1), OUT(2)); }
CALL(private_raw) { return monpro_rsa_private_raw(a[0].pointer, a[1].pointer, &random_source, OUT(2)); }
CALL(public_raw) { return monpro_rsa_public_raw(a[0].pointer, a[1].pointer, OUT(2)); }
CALL(sign_pss) { return monpro_rsa_sign_pss(a[0].pointer, NULL, IN(1), &random_source, OUT(2)); }
CALL(sign_pkcs1) { return monpro_rsa_sign_pkcs1(a[0].pointer, NULL, IN(1), &random_source, OUT(2)); }
CALL(sign_pss_prehashed) { return monpro_rsa_sign_pss_prehashed(a[0].pointer, NULL, IN(1), &random_source, OUT(2)); }
CALL(sign_pkcs1_prehashed) {
    return monpro_rsa_sign_pkcs1_prehashed(a[0].pointer, NULL, IN(1), &random_source, OUT(2));
}
CALL(verify_pss_prehashed) {
    monpro_status status = monpro_rsa_verify_pss_prehashed(a[0].pointer, NULL, IN(1), IN(2));
    return status == MONPRO_STATUS_BAD_SIGNATURE ? MONPRO_STATUS_OK : status;
}
CALL(verify_pkcs1_prehashed) {
    monpro_status status = monpro_rsa_verify_pkcs1_prehashed(a[0].pointer, NULL, IN(1), IN(2));
    return status == MONPRO_STATUS_BAD_SIGNATURE ? MONPRO_STATUS_OK : status;
}
CALL(encrypt_oaep) {
    const monpro_oaep parameters = {NULL, NULL, IN(2)};
    return monpro_rsa_encrypt_oaep(a[0].pointer, &parameters, IN(1), &random_source, OUT(3));
}
CALL(encrypt_pkcs1) { return monpro_rsa_encrypt_pkcs1(a[0].pointer, IN(1), &random_source, OUT(2)); }
/* Whatever the message and the signature, it is no success. */
CALL(verify_pss) {
    monpro_status status = monpro_rsa_verify_pss(a[0].pointer, NULL, IN(1), IN(2));
    return status == MONPRO_STATUS_BAD_SIGNATURE ? MONPRO_STATUS_OK : status;
}
CALL(verify_pkcs1) {
    monpro_status status = monpro_rsa_verify_pkcs1(a[0].pointer, "sha512", IN(1), IN(2));
    return status == MONPRO_STATUS_BAD_SIGNATURE || status == MONPRO_STATUS_OK ? MONPRO_STATUS_OK : status;
}
/* Nearly every number is a malformed ciphertext, which decrypts to something. */
CALL(decrypt_pkcs1) {
    size_t length = SIZE_MAX;
    monpro_status status =
        monpro_rsa_decrypt_pkcs1(a[0].pointer, IN(1), &random_source, OUT(2), a[3].pointer == NULL ? NULL : &length);
    check(a[3].pointer == NULL || (length == 0) >= (status != MONPRO_STATUS_OK), "no message, no length", 0);
    return status;
}
CALL(decrypt_oaep) {
    size_t length = SIZE_MAX;
    const monpro_oaep parameters = {NULL, NULL, IN(2)};
    monpro_status status = monpro_rsa_decrypt_oaep(a[0].pointer, &parameters, IN(1), &random_source, OUT(3),
                                                   a[4].pointer == NULL ? NULL : &length);
    check(a[4].pointer == NULL || (length == 0) == (status != MONPRO_STATUS_OK), "no message, no length", 0);
    return status;
}
CALL(to_encrypted_pem) {
    size_t length = 0;
    return monpro_rsa_private_to_encrypted_pem(a[0].pointer, IN(1), &random_source, (char *)a[2].pointer, a[2].length,
                                               a[3].pointer == NULL ? NULL : &length);
}
CALL(public_modulus) { return monpro_rsa_public_modulus(a[0].pointer, OUT(1)); }
CALL(public_exponent) {
    size_t length = 0;
    return monpro_rsa_public_exponent(a[0].pointer, OUT(1), a[2].pointer == NULL ? NULL : &length);
}
CALL(private_to_der) {
    size_t length = 0;
    return monpro_rsa_private_to_der(a[0].pointer, OUT(1), a[2].pointer == NULL ? NULL : &length);
}
CALL(private_to_pem) {
    size_t length = 0;
    return monpro_rsa_private_to_pem(a[0].pointer, (char *)a[1].pointer, a[1].length, a[2].pointer == NULL ? NULL : &length);
}
CALL(public_to_der) {
    size_t length = 0;
    return monpro_rsa_public_to_der(a[0].pointer, OUT(1), a[2].pointer == NULL ? NULL : &length);
}
CALL(public_to_pem) {
    size_t length = 0;
    return monpro_rsa_public_to_pem(a[0].pointer, (char *)a[1].pointer, a[1].length, a[2].pointer == NULL ? NULL : &length);
}

#define monpro_fixed_base_NEW monpro_fixed_base_new
#define monpro_fixed_base_FREE monpro_fixed_base_free
CALL(fixed_base_new) { MAKE(monpro_fixed_base, 2, a[0].pointer, IN(1), 99); }
#define monpro_field_NEW(bytes, length, made) monpro_field_new(bytes, length, NULL, made)
#define monpro_field_FREE monpro_field_free
CALL(field_new) { MAKE(monpro_field, 1, IN(0)); }
#define monpro_group_NEW monpro_group_integers
#define monpro_group_FREE monpro_group_free
CALL(group_integers) { MAKE(monpro_group, 3, IN(0), IN(1), IN(2)); }
#define monpro_dh_key_NEW monpro_dh_key_new
#define monpro_dh_key_FREE monpro_dh_key_free
CALL(dh_key_new) { MAKE(monpro_dh_key, 2, a[0].pointer, IN(1)); }
#define monpro_rsa_public_NEW monpro_rsa_public_new
#define monpro_rsa_public_FREE monpro_rsa_public_free
CALL(public_new) { MAKE(monpro_rsa_public, 2, IN(0), IN(1)); }
#define monpro_rsa_private_NEW monpro_rsa_private_from_der
#define monpro_rsa_private_FREE monpro_rsa_private_free
CALL(private_from_der) { MAKE(monpro_rsa_private, 1, IN(0)); }
#undef monpro_rsa_private_NEW
#define monpro_rsa_private_NEW(bytes, length, made) monpro_rsa_private_from_pem((const char *)bytes, length, made)
CALL(private_from_pem) { MAKE(monpro_rsa_private, 1, IN(0)); }
#undef monpro_rsa_private_NEW
#define monpro_rsa_private_NEW monpro_rsa_private_load
CALL(private_load) { MAKE(monpro_rsa_private, 2, IN(0), IN(1)); }
#undef monpro_rsa_private_NEW
#define monpro_rsa_private_NEW(n, n_length, d, d_length, made) \
    monpro_rsa_private_new(&(monpro_rsa_numbers){n, n_length, n, n_length, d, d_length, d, d_length, d, d_length}, made)
CALL(private_new) { MAKE(monpro_rsa_private, 2, IN(0), IN(1)); }
#undef monpro_rsa_public_NEW
#define monpro_rsa_public_NEW monpro_rsa_public_load
CALL(public_load) { MAKE(monpro_rsa_public, 2, IN(0), IN(1)); }
#undef monpro_rsa_public_NEW
#define monpro_rsa_public_NEW monpro_rsa_public_from_der
CALL(public_from_der) { MAKE(monpro_rsa_public, 1, IN(0)); }
#undef monpro_rsa_public_NEW
#define monpro_rsa_public_NEW(bytes, length, made) monpro_rsa_public_from_pem((const char *)bytes, length, made)
CALL(public_from_pem) { MAKE(monpro_rsa_public, 1, IN(0)); }

/* ---- the table */

enum { OF_MODULUS, OF_TABLE, OF_FIELD, OF_EXCHANGE, OF_PRIVATE, OF_PUBLIC, OF_GROUP, OF_NOTHING };

static const struct {
    const char *name;
    monpro_status (*call)(const slot *);
    int handle; /* the first argument, unless it is OF_NOTHING */
    kind kinds[MOST_SLOTS];
    size_t length; /* of what has one length, or enough space */
} calls[] = {
    {"mul", mul, OF_MODULUS, {HANDLE, NUMBER, NUMBER, RESULT}, MODULUS_BYTES},
    {"pow_vartime", pow_vartime, OF_MODULUS, {HANDLE, NUMBER, NUMBER, RESULT}, MODULUS_BYTES},
    {"multi_pow", multi_pow, OF_MODULUS, {HANDLE, NUMBER, NUMBER, RESULT}, MODULUS_BYTES},
    {"multi_pow_vartime", multi_pow_vartime, OF_MODULUS, {HANDLE, NUMBER, NUMBER, RESULT}, MODULUS_BYTES},
    {"fixed_base_pow", fixed_base_pow, OF_TABLE, {HANDLE, NUMBER, RESULT}, MODULUS_BYTES},
    {"field_add", field_add, OF_FIELD, {HANDLE, ELEMENT, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_mul", field_mul, OF_FIELD, {HANDLE, ELEMENT, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_square", field_square, OF_FIELD, {HANDLE, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_inverse", field_inverse, OF_FIELD, {HANDLE, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_sqrt", field_sqrt, OF_FIELD, {HANDLE, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_half_trace", field_half_trace, OF_FIELD, {HANDLE, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_frobenius", field_frobenius, OF_FIELD, {HANDLE, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_pow", field_pow, OF_FIELD, {HANDLE, ELEMENT, NUMBER, RESULT}, FIELD_BYTES},
    {"field_pow_vartime", field_pow_vartime, OF_FIELD, {HANDLE, ELEMENT, NUMBER, RESULT}, FIELD_BYTES},
    {"field_dot", field_dot, OF_FIELD, {HANDLE, ELEMENT, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_batch_inverse", field_batch_inverse, OF_FIELD, {HANDLE, ELEMENT, RESULT}, FIELD_BYTES},
    {"field_trace", field_trace, OF_FIELD, {HANDLE, EXACT}, FIELD_BYTES},
    {"public_value", public_value, OF_EXCHANGE, {HANDLE, RESULT}, GROUP_BYTES},
    {"agree", agree, OF_EXCHANGE, {HANDLE, EXACT, RESULT}, GROUP_BYTES},
    {"private_raw", private_raw, OF_PRIVATE, {HANDLE, ELEMENT, RESULT}, RSA_BYTES},
    {"public_raw", public_raw, OF_PUBLIC, {HANDLE, ELEMENT, RESULT}, RSA_BYTES},
    {"sign_pss", sign_pss, OF_PRIVATE, {HANDLE, MESSAGE, RESULT}, RSA_BYTES},
    {"sign_pkcs1", sign_pkcs1, OF_PRIVATE, {HANDLE, MESSAGE, RESULT}, RSA_BYTES},
    {"sign_pss_prehashed", sign_pss_prehashed, OF_PRIVATE, {HANDLE, HASH, RESULT}, RSA_BYTES},
    {"sign_pkcs1_prehashed", sign_pkcs1_prehashed, OF_PRIVATE, {HANDLE, HASH, RESULT}, RSA_BYTES},
    {"verify_pss_prehashed", verify_pss_prehashed, OF_PUBLIC, {HANDLE, HASH, NUMBER}, RSA_BYTES},
    {"verify_pkcs1_prehashed", verify_pkcs1_prehashed, OF_PUBLIC, {HANDLE, HASH, NUMBER}, RSA_BYTES},
    {"encrypt_oaep", encrypt_oaep, OF_PUBLIC, {HANDLE, MESSAGE, MESSAGE, RESULT}, RSA_BYTES},
    {"encrypt_pkcs1", encrypt_pkcs1, OF_PUBLIC, {HANDLE, MESSAGE, RESULT}, RSA_BYTES},
    {"verify_pss", verify_pss, OF_PUBLIC, {HANDLE, MESSAGE, NUMBER}, RSA_BYTES},
    {"verify_pkcs1", verify_pkcs1, OF_PUBLIC, {HANDLE, MESSAGE, NUMBER}, RSA_BYTES},
    {"decrypt_pkcs1", decrypt_pkcs1, OF_PRIVATE, {HANDLE, NUMBER, SPACE_AND_LENGTH, MADE}, RSA_BYTES},
    {"decrypt_oaep", decrypt_oaep, OF_PRIVATE, {HANDLE, SEALED, MESSAGE, SPACE_AND_LENGTH, MADE}, RSA_BYTES},
    {"to_encrypted_pem", to_encrypted_pem, OF_PRIVATE, {HANDLE, MESSAGE, SPACE_AND_LENGTH, MADE}, 0},
    {"public_modulus", public_modulus, OF_PUBLIC, {HANDLE, RESULT}, RSA_BYTES},
    {"public_exponent", public_exponent, OF_PUBLIC, {HANDLE, SPACE_AND_LENGTH, MADE}, 3},
    {"private_to_der", private_to_der, OF_PRIVATE, {HANDLE, SPACE_AND_LENGTH, MADE}, 0},
    {"private_to_pem", private_to_pem, OF_PRIVATE, {HANDLE, SPACE_AND_LENGTH, MADE}, 0},
    {"public_to_der", public_to_der, OF_PUBLIC, {HANDLE, SPACE_AND_LENGTH, MADE}, 0},
    {"public_to_pem", public_to_pem, OF_PUBLIC, {HANDLE, SPACE_AND_LENGTH, MADE}, 0},
    {"fixed_base_new", fixed_base_new, OF_MODULUS, {HANDLE, NUMBER, MADE}, 0},
    {"field_new", field_new, OF_NOTHING, {NUMBER, MADE}, 0},
    {"group_integers", group_integers, OF_NOTHING, {NUMBER, NUMBER, NUMBER, MADE}, 0},
    {"dh_key_new", dh_key_new, OF_GROUP, {HANDLE, NUMBER, MADE}, GROUP_BYTES},
    {"public_new", public_new, OF_NOTHING, {NUMBER, NUMBER, MADE}, 0},
    {"private_from_der", private_from_der, OF_NOTHING, {NUMBER, MADE}, 0},
    {"private_from_pem", private_from_pem, OF_NOTHING, {NUMBER, MADE}, 0},
    {"private_load", private_load, OF_NOTHING, {NUMBER, MESSAGE, MADE}, 0},
    {"private_new", private_new, OF_NOTHING, {NUMBER, NUMBER, MADE}, 0},
    {"public_load", public_load, OF_NOTHING, {NUMBER, MESSAGE, MADE}, 0},
    {"public_from_der", public_from_der, OF_NOTHING, {NUMBER, MADE}, 0},
    {"public_from_pem", public_from_pem, OF_NOTHING, {NUMBER, MADE}, 0},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* A space for inputs and result: the inputs begin at multiples of PLACE, the result at RESULT_PLACE. */
enum { PLACE = 300, RESULT_PLACE = 1500 };

/* Good arguments, or for a document one that is none. Elements and numbers are small enough to be reduced. */
static void good(int which, uint8_t space[SPACE], slot a[MOST_SLOTS]) {
    const void *handles[] = {modulus, fixed_base, field, exchange, private_key, public_key, group, NULL};
    memset(space, 0xa5, SPACE);
    state = 1;
    for (int i = 0; i < MOST_SLOTS; i++) {
        uint8_t *input = space + i * PLACE;
        size_t length = calls[which].length;
        switch (calls[which].kinds[i]) {
        case HANDLE:
            a[i] = (slot){handles[calls[which].handle], 0};
            break;
        case NUMBER:
            length = length > MODULUS_BYTES ? length : 12;
            memset(input, 0x5a + i, length);
            input[length - 1] = 0x5d;
            a[i] = (slot){input, length};
            break;
        case SEALED:
            memcpy(input, sealed, RSA_BYTES);
            a[i] = (slot){input, RSA_BYTES};
            break;
        case MESSAGE:
            memset(input, 0x33, 11);
            a[i] = (slot){input, 11};
            break;
        case HASH:
            memset(input, 0x77, 32);
            a[i] = (slot){input, 32};
            break;
        case EXACT:
        case ELEMENT:
            memset(input, 0, length);
            input[length - 1] = (uint8_t)(4 + 5 * i); /* squares, where they are needed */
            a[i] = (slot){input, length};
            break;
        case RESULT:
            a[i] = (slot){space + RESULT_PLACE, length};
            break;
        case SPACE_AND_LENGTH:
            a[i] = (slot){space + RESULT_PLACE, length == 0 ? SPACE - RESULT_PLACE : length};
            break;
        case MADE:
            a[i] = (slot){space, 0};
            break;
        case NONE:
            a[i] = (slot){NULL, 0};
        }
    }
}

/* Whether a call is left out where the program runs slowly: each derives a key from a passphrase. */
static int is_left_out(int which) {
    return stride > 1 && calls[which].call == to_encrypted_pem;
}

/* Whether the inputs cannot make a handle: only their pointers and lengths are tried. */
static int is_refused_anyway(int which) {
    return calls[which].handle == OF_NOTHING;
}

/* ---- bad arguments */

/* The status that argument i must cause if it has become this one; -1 for any status. */
static int wanted(kind of, const slot *bad, size_t length) {
    int has_length = of == EXACT || of == HASH;
    int is_long = bad->length > (of == MESSAGE || of == HASH ? SIZE_MAX / 2 : MONPRO_MAX_BYTES);
    switch (of) {
    case HANDLE:
    case MADE:
        return MONPRO_STATUS_NULL_POINTER;
    case NUMBER:
    case SEALED:
    case MESSAGE:
    case EXACT:
    case HASH:
        if (bad->length == 0)
            return has_length ? MONPRO_STATUS_WRONG_LENGTH : -1;
        if (bad->pointer == NULL)
            return MONPRO_STATUS_NULL_POINTER;
        return is_long ? MONPRO_STATUS_TOO_LONG : has_length ? MONPRO_STATUS_WRONG_LENGTH : -1;
    case ELEMENT:
        return MONPRO_STATUS_NULL_POINTER;
    case RESULT:
        return bad->pointer == NULL && bad->length == length ? MONPRO_STATUS_NULL_POINTER : -2;
    default:
        return bad->pointer == NULL && bad->length > 0 ? MONPRO_STATUS_NULL_POINTER : MONPRO_STATUS_SPACE_TOO_SHORT;
    }
}

static void with_one_bad_argument(int which, int i) {
    static const size_t lengths[] = {0, 1, 4, (size_t)MONPRO_MAX_BYTES + 1, SIZE_MAX / 2 + 1, SIZE_MAX};
    kind of = calls[which].kinds[i];
    for (int j = 0; j < 12; j++) {
        uint8_t space[SPACE];
        slot a[MOST_SLOTS];
        good(which, space, a);
        int has_pointer = j % 2 && of != HANDLE && of != MADE && of != ELEMENT;
        /* Where a long length is a promise that no memory keeps, it is given without a pointer or refused first. */
        size_t length = lengths[j / 2];
        if ((of == SPACE_AND_LENGTH && j / 2 > 1) || (of == MESSAGE && has_pointer && j / 2 == 3))
            continue;
        if (of == RESULT && !has_pointer)
            length = calls[which].length;
        a[i] = (slot){has_pointer ? a[i].pointer : NULL, of == ELEMENT ? a[i].length : length};
        int expected = wanted(of, &a[i], calls[which].length);
        uint8_t before[SPACE];
        memcpy(before, space, SPACE);
        monpro_status status = calls[which].call(a);
        if (expected == -2) /* inputs with the length of the result are too long before it has the wrong one */
            check(status == MONPRO_STATUS_WRONG_LENGTH || status == MONPRO_STATUS_TOO_LONG, calls[which].name, i);
        else if (expected != -1)
            check_status(status, (monpro_status)expected, calls[which].name, 100 * i + j);
        if (status != MONPRO_STATUS_OK)
            check(memcmp(before, space, SPACE) == 0, "nothing is written", which);
    }
}

static void bad_arguments(void) {
    for (int which = 0; which < CALLS; which++) {
        if (is_left_out(which))
            continue;
        uint8_t space[SPACE];
        slot a[MOST_SLOTS];
        good(which, space, a);
        monpro_status status = calls[which].call(a);
        check((status == MONPRO_STATUS_OK) != is_refused_anyway(which), calls[which].name, (long)status);
        for (int i = 0; i < MOST_SLOTS && calls[which].kinds[i] != NONE; i++)
            with_one_bad_argument(which, i);
    }
    monpro_term term = {NULL, 0, NULL, 0};
    uint8_t result[MODULUS_BYTES];
    check_status(monpro_multi_pow(modulus, NULL, 1, result, sizeof result), MONPRO_STATUS_NULL_POINTER, "terms", 0);
    check_status(monpro_multi_pow(modulus, &term, SIZE_MAX, result, sizeof result), MONPRO_STATUS_TOO_LONG, "terms", 1);
    monpro_crt_task task = {0};
    check_status(monpro_pow_crt_batch(&task, SIZE_MAX), MONPRO_STATUS_TOO_LONG, "a batch", 0);
    check_status(monpro_pow_crt_batch(NULL, 1), MONPRO_STATUS_NULL_POINTER, "a batch", 1);
    uint8_t x[FIELD_BYTES] = {0};
    check_status(monpro_field_dot(field, x, x, SIZE_MAX, x, FIELD_BYTES), MONPRO_STATUS_TOO_LONG, "a dot product", 0);
    check_status(monpro_field_dot(field, x, x, SIZE_MAX / 8, x, FIELD_BYTES), MONPRO_STATUS_TOO_LONG, "a dot product", 1);
    /* So many elements have 4 bytes modulo 2^64. */
    check_status(monpro_field_dot(field, x, x, SIZE_MAX / FIELD_BYTES + 1, x, FIELD_BYTES), MONPRO_STATUS_TOO_LONG,
                 "a dot product", 2);
    check_status(monpro_field_batch_inverse(field, x, SIZE_MAX, x, FIELD_BYTES), MONPRO_STATUS_TOO_LONG, "a list", 0);
    check_status(monpro_field_batch_inverse(field, x, 1, x, FIELD_BYTES), MONPRO_STATUS_NOT_INVERTIBLE, "a list", 1);
    monpro_field *made = NULL;
    const size_t exponent = SIZE_MAX;
    check_status(monpro_field_from_exponents(NULL, 1, &made), MONPRO_STATUS_NULL_POINTER, "exponents", 0);
    check_status(monpro_field_from_exponents(&exponent, SIZE_MAX, &made), MONPRO_STATUS_TOO_LONG, "exponents", 1);
    check_status(monpro_field_from_exponents(&exponent, 1, &made), MONPRO_STATUS_DEGREE_TOO_HIGH, "exponents", 2);
    check_status(monpro_field_from_exponents(&exponent, 0, &made), MONPRO_STATUS_REDUCIBLE_POLYNOMIAL, "exponents", 3);
    check_status(monpro_field_from_exponents(&exponent, 1, NULL), MONPRO_STATUS_NULL_POINTER, "exponents", 4);
    monpro_fixed_base *table = NULL;
    check_status(monpro_fixed_base_new(modulus, x, 1, SIZE_MAX, &table), MONPRO_STATUS_EXPONENT_TOO_LONG, "a table", 0);
}

/* ---- tables of one bad name, and what null tells */

static void bad_names(void) {
    static const char *const names[] = {"", "SHA256", "sha256 ", "\xff", "sha"};
    uint8_t out[RSA_BYTES] = {0};
    for (long i = 0; i < 5; i++) {
        const monpro_pss parameters[] = {{names[i], NULL, 0}, {NULL, names[i], 0}};
        const monpro_oaep labels[] = {{names[i], NULL, NULL, 0}, {NULL, names[i], NULL, 0}};
        for (int j = 0; j < 2; j++) {
            check_status(monpro_rsa_sign_pss(private_key, &parameters[j], out, 1, NULL, out, RSA_BYTES),
                         MONPRO_STATUS_UNKNOWN_HASH, "a name", i);
            check_status(monpro_rsa_verify_pss(public_key, &parameters[j], out, 1, out, RSA_BYTES),
                         MONPRO_STATUS_UNKNOWN_HASH, "a name", i);
            check_status(monpro_rsa_encrypt_oaep(public_key, &labels[j], out, 1, NULL, out, RSA_BYTES),
                         MONPRO_STATUS_UNKNOWN_HASH, "a name", i);
        }
        check_status(monpro_rsa_verify_pkcs1(public_key, names[i], out, 1, out, RSA_BYTES),
                     MONPRO_STATUS_UNKNOWN_HASH, "a name", i);
        monpro_group *named = NULL;
        check_status(monpro_group_named(names[i], &named), MONPRO_STATUS_UNKNOWN_GROUP, "a group", i);
    }
    const size_t salts[] = {RSA_BYTES, SIZE_MAX, SIZE_MAX / 2, MONPRO_SALT_NONE + 1};
    for (long i = 0; i < 4; i++) {
        const monpro_pss parameters = {NULL, NULL, salts[i]};
        check_status(monpro_rsa_sign_pss(private_key, &parameters, out, 1, NULL, out, RSA_BYTES),
                     MONPRO_STATUS_KEY_TOO_SHORT, "a salt", i);
        monpro_status status = monpro_rsa_verify_pss(public_key, &parameters, out, 1, out, RSA_BYTES);
        check_status(status, MONPRO_STATUS_BAD_SIGNATURE, "a salt", i);
    }
    monpro_group *named = NULL;
    check_status(monpro_group_named(NULL, &named), MONPRO_STATUS_NULL_POINTER, "no name", 0);
    check_status(monpro_cancellation_new(NULL), MONPRO_STATUS_NULL_POINTER, "no place", 0);
    check(monpro_group_name(SIZE_MAX) == NULL && monpro_hash_name(SIZE_MAX) == NULL, "the end of a list", 0);
}

static void what_null_tells(void) {
    check(monpro_field_bytes(NULL) + monpro_field_degree(NULL) + monpro_group_bytes(NULL) +
                  monpro_group_private_bytes(NULL) + monpro_dh_key_bytes(NULL) + monpro_rsa_private_bytes(NULL) +
                  monpro_rsa_public_bytes(NULL) + monpro_rsa_public_bits(NULL) ==
              0,
          "the sizes of null", 0);
    check(monpro_field_kernel(NULL) == NULL, "the kernel of null", 0);
    monpro_fixed_base_free(NULL);
    monpro_field_free(NULL);
    monpro_group_free(NULL);
    monpro_dh_key_free(NULL);
    monpro_rsa_private_free(NULL);
    monpro_rsa_public_free(NULL);
}

/* ---- results over inputs, and threads */

static const slot *result_of(int which, const slot *a) {
    for (int i = 0; i < MOST_SLOTS; i++)
        if (calls[which].kinds[i] == RESULT)
            return &a[i];
    return NULL;
}

static void results_over_inputs(void) {
    for (int which = 0; which < CALLS; which++) {
        if (is_left_out(which))
            continue;
        uint8_t apart[SPACE], space[SPACE];
        slot a[MOST_SLOTS];
        good(which, apart, a);
        const slot *result = result_of(which, a);
        if (result == NULL)
            continue;
        check_status(calls[which].call(a), MONPRO_STATUS_OK, calls[which].name, -1);
        /* Moved over the inputs byte by byte. */
        for (size_t place = 0; place < 4 * PLACE; place += (size_t)stride * (place % PLACE < 40 ? 1 : 7)) {
            good(which, space, a);
            for (int i = 0; i < MOST_SLOTS; i++)
                if (calls[which].kinds[i] == RESULT)
                    a[i].pointer = space + place;
            check_status(calls[which].call(a), MONPRO_STATUS_OK, calls[which].name, (long)place);
            check(memcmp(space + place, apart + RESULT_PLACE, calls[which].length) == 0, calls[which].name, (long)place);
            if (calls[which].length == RSA_BYTES && place % PLACE >= 40)
                place += PLACE / 2; /* these take long */
        }
    }
}

static void *all_calls(void *expected) {
    size_t wrong = 0;
    for (int round = 0; round < (stride == 1 ? 3 : 1); round++) {
        for (int which = 0; which < CALLS; which++) {
            if (is_left_out(which))
                continue;
            uint8_t space[SPACE];
            slot a[MOST_SLOTS];
            good(which, space, a);
            if (result_of(which, a) == NULL)
                continue;
            wrong += calls[which].call(a) != MONPRO_STATUS_OK;
            wrong += memcmp(space + RESULT_PLACE, (uint8_t(*)[SPACE])expected + which, calls[which].length) != 0;
        }
    }
    return (void *)wrong;
}

static void four_threads_share_all_handles(void) {
    static uint8_t expected[CALLS][SPACE];
    pthread_t threads[4];
    for (int which = 0; which < CALLS; which++) {
        if (is_left_out(which))
            continue;
        uint8_t space[SPACE];
        slot a[MOST_SLOTS];
        good(which, space, a);
        calls[which].call(a);
        memcpy(expected[which], space + RESULT_PLACE, calls[which].length);
    }
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, all_calls, expected);
    for (long i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        check(wrong == NULL, "calls in a thread", i);
    }
}

/* ---- documents that are almost right */

static void damaged_documents(void) {
    uint8_t der[1000], changed[1000];
    char pem[2000];
    size_t length;
    monpro_rsa_private *key;
    monpro_rsa_public *public_half;
    check_status(monpro_rsa_private_to_der(private_key, der, sizeof der, &length), MONPRO_STATUS_OK, "a document", 0);
    for (size_t i = 0; i < length; i += 5 * (size_t)stride) {
        memcpy(changed, der, length);
        changed[i] ^= (uint8_t)(1 << i % 8);
        monpro_status status = monpro_rsa_private_from_der(changed, length, &key);
        check((status == MONPRO_STATUS_OK) == (key != NULL), "a key or a status", (long)i);
        monpro_rsa_private_free(key);
        status = monpro_rsa_private_from_der(der, i, &key);
        check(status == MONPRO_STATUS_NOT_A_KEY && key == NULL, "a piece of a document", (long)i);
        status = monpro_rsa_public_from_der(changed, length, &public_half);
        check(status >= MONPRO_STATUS_NOT_A_KEY && public_half == NULL, "a private key is no public one", (long)i);
    }
    check_status(monpro_rsa_private_to_pem(private_key, pem, sizeof pem, &length), MONPRO_STATUS_OK, "a document", 1);
    for (size_t i = 0; i < length; i += 23 * (size_t)stride) {
        char at = pem[i];
        pem[i] = (char)(i % 2 ? 0 : 0xff);
        check_status(monpro_rsa_private_from_pem(pem, length, &key), MONPRO_STATUS_NOT_A_KEY, "a byte of no text", (long)i);
        check_status(monpro_rsa_private_from_pem(pem, i, &key), MONPRO_STATUS_NOT_A_KEY, "a piece of a text", (long)i);
        pem[i] = at;
    }
    /* 0 bytes at the end: one is that of a string. */
    check_status(monpro_rsa_private_from_pem(pem, length + 1, &key), MONPRO_STATUS_OK, "a string", 0);
    monpro_rsa_private_free(key);
}

int main(int count, char **arguments) {
    stride = count > 1 ? atol(arguments[1]) : 1;
    uint8_t n[MODULUS_BYTES], base[] = {3};
    const size_t exponents[] = {35, 2, 0};
    memset(n, 0xc3, sizeof n);
    check_status(monpro_modulus_new(n, sizeof n, NULL, &modulus), MONPRO_STATUS_OK, "a modulus", 0);
    check_status(monpro_fixed_base_new(modulus, base, 1, 99, &fixed_base), MONPRO_STATUS_OK, "a table", 0);
    check_status(monpro_field_from_exponents(exponents, 3, &field), MONPRO_STATUS_OK, "a field", 0);
    check_status(monpro_group_named("modp2048", &group), MONPRO_STATUS_OK, "a group", 0);
    check_status(monpro_dh_key_generate(group, &random_source, &exchange), MONPRO_STATUS_OK, "a key", 0);
    check_status(monpro_rsa_private_generate(8 * RSA_BYTES, &random_source, &private_key), MONPRO_STATUS_OK, "a key of RSA", 0);
    check_status(monpro_rsa_public_of(private_key, &public_key), MONPRO_STATUS_OK, "its public half", 0);
    uint8_t label[11];
    memset(label, 0x33, sizeof label);
    const monpro_oaep parameters = {NULL, NULL, label, sizeof label};
    check_status(monpro_rsa_encrypt_oaep(public_key, &parameters, label, 5, &random_source, sealed, RSA_BYTES),
                 MONPRO_STATUS_OK, "a ciphertext", 0);
    four_threads_share_all_handles();
    bad_arguments();
    bad_names();
    what_null_tells();
    results_over_inputs();
    damaged_documents();
    monpro_rsa_public_free(public_key);
    monpro_rsa_private_free(private_key);
    monpro_dh_key_free(exchange);
    monpro_group_free(group);
    monpro_field_free(field);
    monpro_fixed_base_free(fixed_base);
    monpro_modulus_free(modulus);
    return verdict();
}
