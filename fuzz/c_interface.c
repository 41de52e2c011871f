/* Random calls of the C interface, compared with GMP, at the edges of pages that cannot be touched. `make fuzz` compiles
   and runs it, as

   c_interface SECONDS [SEED]

   A sanitizer sees what this program does, but not what the Rust code does. So every number lies in an arena between two
   pages without access, at its beginning or at its end, and a byte too many is a fault. Results are laid over inputs in
   every way. The seed is printed; it makes the same calls again. */
#define _GNU_SOURCE
#include <gmp.h>
#include <monpro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, SPACE = 4 * PAGE, MOST_TASKS = 20, NUMBERS = 4 };

typedef struct {
    uint8_t *start, *end;
} arena;

/* One power: base, exponent, modulus and result, where they lie, and the result that GMP gives. */
typedef struct {
    uint8_t *bytes[NUMBERS];
    size_t length[NUMBERS];
    uint8_t wanted[SPACE];
} power;

static uint64_t state;
static arena arenas[MOST_TASKS][NUMBERS];
static power powers[MOST_TASKS];
static unsigned long seed, cases;

static uint32_t below(uint32_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state * 0x2545f4914f6cdd1du >> 32) % bound;
}

static void expect(int is_right, const char *what) {
    if (is_right)
        return;
    fprintf(stderr, "wrong: %s, with the seed %lu after %lu cases\n", what, seed, cases);
    abort();
}

static arena new_arena(void) {
    uint8_t *pages = mmap(NULL, SPACE + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(pages != MAP_FAILED && mprotect(pages + PAGE, SPACE, PROT_READ | PROT_WRITE) == 0, "pages for an arena");
    return (arena){pages + PAGE, pages + PAGE + SPACE};
}

/* A length: mostly short, often about a multiple of the words of all kernels, seldom long. */
static size_t some_length(size_t most) {
    size_t length = below(4) == 0 ? below(6) : below(3) == 0 ? 8 * below(20) + below(3) : below(200);
    if (below(40) == 0)
        length = below((uint32_t)most + 1);
    return length < most ? length : most;
}

static void fill(uint8_t *bytes, size_t length) {
    uint32_t kind = below(6);
    memset(bytes, kind == 0 ? 0xff : 0, length);
    if (kind == 1 && length > 0)
        bytes[below((uint32_t)length)] = (uint8_t)(1 << below(8));
    for (size_t i = kind == 2 ? length / 2 : 0; kind >= 2 && i < length; i++)
        bytes[i] = (uint8_t)below(256);
}

/* Numbers of random lengths, each in an arena of its own or, laid over each other, in one. */
static void new_power(power *one, const arena own[NUMBERS]) {
    int is_shared = below(3) == 0;
    one->length[2] = some_length(1500);
    one->length[0] = some_length(2000);
    /* So that a case takes milliseconds. */
    one->length[1] = some_length(one->length[2] > 600 ? 4 : 300);
    one->length[3] = one->length[2];
    for (int i = 0; i < NUMBERS; i++) {
        const arena *place = &own[is_shared ? 0 : i];
        size_t length = one->length[i], room = is_shared ? below(300) : 0;
        one->bytes[i] = below(2) == 0 ? place->start + room : place->end - length - room;
        fill(one->bytes[i], length);
    }
}

/* What GMP gives for the numbers as they now are. */
static void ask_gmp(power *one) {
    mpz_t number[3];
    for (int i = 0; i < 3; i++) {
        mpz_init(number[i]);
        mpz_import(number[i], one->length[i], 1, 1, 1, 0, one->bytes[i]);
    }
    memset(one->wanted, 0, one->length[3]);
    if (mpz_sgn(number[2]) != 0) {
        mpz_powm(number[0], number[0], number[1], number[2]);
        size_t length = (mpz_sizeinbase(number[0], 2) + 7) / 8;
        mpz_export(one->wanted + one->length[3] - (mpz_sgn(number[0]) == 0 ? 0 : length), NULL, 1, 1, 1, 0, number[0]);
    }
    for (int i = 0; i < 3; i++)
        mpz_clear(number[i]);
}

static monpro_pow_task task_of(const power *one) {
    return (monpro_pow_task){one->bytes[0], one->length[0], one->bytes[1], one->length[1],
                             one->bytes[2], one->length[2], one->bytes[3]};
}

static void expect_wanted(const power *one) {
    expect(memcmp(one->bytes[3], one->wanted, one->length[3]) == 0, "the result");
}

static void call_modexp(power *one) {
    ask_gmp(one);
    monpro_pow_task t = task_of(one);
    monpro_status (*function)(const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *) =
        below(2) == 0 ? monpro_modexp : monpro_modexp_vartime;
    expect(function(t.base, t.base_length, t.exponent, t.exponent_length, t.modulus, t.modulus_length, t.result) ==
               MONPRO_STATUS_OK,
           "the status of a power");
    expect_wanted(one);
}

static void call_batch(uint32_t count) {
    monpro_pow_task tasks[MOST_TASKS];
    for (uint32_t i = 0; i < count; i++) {
        new_power(&powers[i], arenas[i]);
        ask_gmp(&powers[i]);
        tasks[i] = task_of(&powers[i]);
    }
    uint32_t bad = below(2 * count);
    if (bad < count) {
        tasks[bad].base = NULL;
        tasks[bad].base_length |= 1;
        expect(monpro_pow_batch(tasks, count) == MONPRO_STATUS_NULL_POINTER, "a bad task");
        tasks[bad] = task_of(&powers[bad]);
    }
    expect(monpro_pow_batch(tasks, count) == MONPRO_STATUS_OK, "the status of a batch");
    for (uint32_t i = 0; i < count; i++)
        expect_wanted(&powers[i]);
}

static void call_pow(power *one) {
    static const char *const names[] = {NULL, NULL, "sos", "cios", "fios", "fips", "cihs", "sos-w32", "cios-pairs",
                                        "sos-mulx", "sos-adx", "redc-ifma", "redc-ifma-w51", "cios-gf2", "nonsense"};
    const char *name = names[below(sizeof names / sizeof *names)];
    monpro_modulus *modulus;
    monpro_status status = monpro_modulus_new(one->bytes[2], one->length[2], name, &modulus);
    int is_odd = one->length[2] > 0 && one->bytes[2][one->length[2] - 1] % 2 == 1;
    expect((modulus != NULL) == (status == MONPRO_STATUS_OK), "a modulus or null");
    if (modulus == NULL) {
        expect(!is_odd || (name != NULL && status >= MONPRO_STATUS_UNKNOWN_KERNEL), "an odd modulus is taken");
        return;
    }
    expect(is_odd && name != names[13] && name != names[14], "an even modulus is refused");
    ask_gmp(one);
    size_t zeros = one->length[2] - monpro_modulus_bytes(modulus);
    status = monpro_pow(modulus, one->bytes[0], one->length[0], one->bytes[1], one->length[1], one->bytes[3],
                        one->length[3] - zeros);
    expect(status == MONPRO_STATUS_OK, "the status of a power modulo a modulus");
    expect(memcmp(one->bytes[3], one->wanted + zeros, one->length[3] - zeros) == 0, "a power modulo a modulus");
    monpro_modulus_free(modulus);
}

/* ---- modulo an odd number: products, products of powers, fixed bases */

static void import(mpz_t z, const uint8_t *bytes, size_t length) {
    mpz_import(z, length, 1, 1, 1, 0, bytes);
}

/* The number in as many bytes, with leading zeros. */
static void export(uint8_t *bytes, size_t length, const mpz_t z) {
    size_t used = mpz_sgn(z) == 0 ? 0 : (mpz_sizeinbase(z, 2) + 7) / 8;
    expect(used <= length, "a number of GMP is short");
    memset(bytes, 0, length);
    mpz_export(bytes + length - used, NULL, 1, 1, 1, 0, z);
}

static void call_with_modulus(power *one) {
    monpro_modulus *modulus;
    if (one->length[2] == 0 || one->bytes[2][one->length[2] - 1] % 2 == 0 ||
        monpro_modulus_new(one->bytes[2], one->length[2], NULL, &modulus) != MONPRO_STATUS_OK)
        return;
    size_t length = monpro_modulus_bytes(modulus), bits = 8 * one->length[1];
    mpz_t x, e, n, z, w;
    mpz_inits(x, e, n, z, w, NULL);
    import(x, one->bytes[0], one->length[0]);
    import(e, one->bytes[1], one->length[1]);
    import(n, one->bytes[2], one->length[2]);
    const monpro_term terms[] = {{one->bytes[0], one->length[0], one->bytes[1], one->length[1]},
                                 {one->bytes[1], one->length[1], one->bytes[1], one->length[1]}};
    monpro_fixed_base *table = NULL;
    monpro_status status;
    switch (below(4)) {
    case 0:
        mpz_mul(z, x, e);
        status = monpro_mul(modulus, one->bytes[0], one->length[0], one->bytes[1], one->length[1], one->bytes[3], length);
        break;
    case 1:
        mpz_powm(z, x, e, n);
        mpz_powm(w, e, e, n);
        mpz_mul(z, z, w);
        status = (below(2) == 0 ? monpro_multi_pow : monpro_multi_pow_vartime)(modulus, terms, 2, one->bytes[3], length);
        break;
    case 2:
        mpz_powm(z, x, e, n);
        expect(monpro_fixed_base_new(modulus, one->bytes[0], one->length[0], bits, &table) == MONPRO_STATUS_OK, "a table");
        status = monpro_fixed_base_pow(table, one->bytes[1], one->length[1], one->bytes[3], length);
        break;
    default:
        mpz_powm(z, x, e, n);
        status = monpro_pow_vartime(modulus, one->bytes[0], one->length[0], one->bytes[1], one->length[1],
                                    one->bytes[3], length);
    }
    mpz_mod(z, z, n);
    export(one->wanted, length, z);
    expect(status == MONPRO_STATUS_OK, "a status modulo a modulus");
    expect(memcmp(one->bytes[3], one->wanted, length) == 0, "a result modulo a modulus");
    mpz_clears(x, e, n, z, w, NULL);
    monpro_fixed_base_free(table);
    monpro_modulus_free(modulus);
}

/* ---- RSA by halves: p, q, exponents and the inverse lie at the ends of arenas, the result over one of them or apart */

static void call_halves(void) {
    enum { P, Q, D_P, D_Q, INVERSE, BASE, RESULT, PLACES };
    size_t length[PLACES];
    uint8_t *place[PLACES], wanted[SPACE];
    mpz_t number[PLACES], n, a;
    mpz_inits(n, a, NULL);
    for (int i = 0; i < PLACES; i++) {
        mpz_init(number[i]);
        length[i] = i == RESULT ? length[P] + length[Q] : i == INVERSE ? length[P] : 1 + below(i == BASE ? 300 : 140);
        place[i] = arenas[i][0].end - length[i];
        fill(place[i], i == RESULT ? 0 : length[i]);
        place[i][length[i] - 1] |= i <= Q;
        import(number[i], place[i], i == RESULT ? 0 : length[i]);
    }
    int is_prime_to = mpz_invert(number[INVERSE], number[Q], number[P]) != 0 && mpz_cmp_ui(number[P], 1) > 0;
    if (is_prime_to)
        export(place[INVERSE], length[INVERSE], number[INVERSE]);
    if (below(4) == 0)
        place[RESULT] = arenas[BASE][0].end - length[RESULT];
    const monpro_crt_task task = {place[BASE], length[BASE], place[P],   length[P],   place[Q],       length[Q],       place[D_P],
                                  length[D_P], place[D_Q],   length[D_Q], place[INVERSE], length[INVERSE], place[RESULT]};
    monpro_status status = monpro_pow_crt_batch(&task, 1);
    expect(status == MONPRO_STATUS_OK || !is_prime_to, "the status of a power by halves");
    if (is_prime_to) {
        memcpy(wanted, place[RESULT], length[RESULT]);
        import(n, wanted, length[RESULT]);
        for (int i = P; i <= Q; i++) {
            mpz_powm(a, number[BASE], number[D_P + i], number[i]);
            mpz_mod(number[RESULT], n, number[i]);
            expect(mpz_cmp(a, number[RESULT]) == 0, "a power modulo p or q");
        }
    }
    for (int i = 0; i < PLACES; i++)
        mpz_clear(number[i]);
    mpz_clears(n, a, NULL);
}

/* ---- fields */

static const size_t exponents[][5] = {{8, 4, 3, 1, 0}, {35, 2, 0}, {113, 9, 0}, {233, 74, 0}, {571, 10, 5, 2, 0}, {1279, 216, 0}};
enum { FIELDS = sizeof exponents / sizeof *exponents };
static const size_t counts[FIELDS] = {5, 3, 3, 3, 5, 3};
static monpro_field *fields[FIELDS];

/* x·y by doubling and adding, bit by bit from the top. */
static void multiply(mpz_t z, const mpz_t x, const mpz_t y, uint32_t which) {
    mpz_t f, sum;
    mpz_inits(f, sum, NULL);
    for (size_t i = 0; i < counts[which]; i++)
        mpz_setbit(f, exponents[which][i]);
    for (size_t i = mpz_sizeinbase(x, 2); i-- > 0;) {
        mpz_mul_2exp(sum, sum, 1);
        if (mpz_tstbit(sum, exponents[which][0]))
            mpz_xor(sum, sum, f);
        if (mpz_tstbit(x, i))
            mpz_xor(sum, sum, y);
    }
    mpz_set(z, sum);
    mpz_clears(f, sum, NULL);
}

static void call_field(void) {
    uint32_t which = below(FIELDS), excess = (8 - exponents[which][0] % 8) % 8;
    const monpro_field *field = fields[which];
    size_t length = monpro_field_bytes(field), most = 3;
    uint8_t *x = arenas[0][0].end - most * length, *y = arenas[1][0].end - length, *z = arenas[2][0].start;
    mpz_t a, b, c, sum;
    mpz_inits(a, b, c, sum, NULL);
    for (size_t i = 0; i < most; i++) {
        fill(x + i * length, length);
        x[i * length] &= (uint8_t)(0xff >> excess);
    }
    memcpy(y, x + length, length);
    x += (most - 1) * length;
    import(a, x, length);
    import(b, y, length);
    if (below(3) == 0)
        z = below(2) == 0 ? x : y;
    int is_zero = mpz_sgn(a) == 0;
    switch (below(5)) {
    case 0:
        expect(monpro_field_mul(field, x, y, z, length) == MONPRO_STATUS_OK, "the status of a product");
        multiply(c, a, b, which);
        break;
    case 1:
        expect(monpro_field_square(field, x, z, length) == MONPRO_STATUS_OK, "the status of a square");
        multiply(c, a, a, which);
        break;
    case 2: /* the product with the inverse is 1 */
        expect(monpro_field_inverse(field, x, z, length) == (is_zero ? MONPRO_STATUS_NOT_INVERTIBLE : MONPRO_STATUS_OK),
               "the status of an inverse");
        import(c, z, length);
        multiply(sum, a, c, which);
        expect(is_zero || mpz_cmp_ui(sum, 1) == 0, "an inverse");
        break;
    case 3: /* the square of the root is x */
        expect(monpro_field_sqrt(field, x, z, length) == MONPRO_STATUS_OK, "the status of a root");
        import(c, z, length);
        multiply(sum, c, c, which);
        expect(mpz_cmp(sum, a) == 0, "a root");
        break;
    default: /* y² + x², of elements that lie side by side */
        x -= length;
        expect(monpro_field_dot(field, x, x, 2, z, length) == MONPRO_STATUS_OK, "the status of a dot product");
        multiply(c, a, a, which);
        multiply(sum, b, b, which);
        mpz_xor(c, c, sum);
    }
    import(sum, z, length);
    expect(is_zero || mpz_cmp(sum, c) == 0, "a result in a field");
    mpz_clears(a, b, c, sum, NULL);
}

/* ---- key exchange modulo random odd numbers, which are groups, too */

static void call_exchange(power *one) {
    static const uint8_t generator[] = {3};
    monpro_group *group;
    monpro_dh_key *key;
    monpro_status status = monpro_group_integers(one->bytes[2], one->length[2], generator, 1, NULL, 0, &group);
    if (status != MONPRO_STATUS_OK)
        return;
    size_t length = monpro_group_bytes(group);
    uint8_t *exponent = arenas[4][0].end - length, *peer = arenas[5][0].end - length, *secret = arenas[6][0].start;
    fill(exponent, length);
    fill(peer, length);
    mpz_t p, d, y, z;
    mpz_inits(p, d, y, z, NULL);
    import(p, one->bytes[2], one->length[2]);
    import(d, exponent, length);
    import(y, peer, length);
    if (monpro_dh_key_new(group, exponent, length, &key) == MONPRO_STATUS_OK) {
        if (below(3) == 0)
            secret = peer;
        status = monpro_dh_agree(key, peer, length, secret, length);
        mpz_powm(z, y, d, p);
        int is_degenerate = mpz_cmp_ui(z, 1) <= 0;
        mpz_add_ui(z, z, 1);
        is_degenerate |= mpz_cmp(z, p) == 0;
        mpz_sub_ui(z, z, 1);
        int is_refused = mpz_cmp(y, p) >= 0 || is_degenerate;
        /* Without the order of the generator, y itself is refused only if it is 0, 1 or -1. */
        expect(status == MONPRO_STATUS_PEER_REFUSED || (!is_refused && status == MONPRO_STATUS_OK), "which peers are refused");
        import(d, secret, length);
        expect(status != MONPRO_STATUS_OK || mpz_cmp(d, z) == 0, "a shared secret");
    }
    mpz_clears(p, d, y, z, NULL);
    monpro_dh_key_free(key);
    monpro_group_free(group);
}

/* ---- RSA: a key, its documents with changed bytes, signatures and ciphertexts with changed bits */

enum { RSA_BYTES = 96 };
static monpro_rsa_private *private_key;
static monpro_rsa_public *public_key;
static uint8_t document[1000];
static size_t document_length;
static mpz_t rsa_modulus;

static void new_key(void) {
    uint8_t n[RSA_BYTES];
    expect(monpro_rsa_private_generate(8 * RSA_BYTES, NULL, &private_key) == MONPRO_STATUS_OK, "a key");
    expect(monpro_rsa_public_of(private_key, &public_key) == MONPRO_STATUS_OK, "its public half");
    expect(monpro_rsa_private_to_der(private_key, document, sizeof document, &document_length) == MONPRO_STATUS_OK,
           "its document");
    expect(monpro_rsa_public_modulus(public_key, n, RSA_BYTES) == MONPRO_STATUS_OK, "its modulus");
    mpz_init(rsa_modulus);
    import(rsa_modulus, n, RSA_BYTES);
}

static void call_documents(void) {
    size_t length = below(4) == 0 ? below((uint32_t)document_length) : document_length;
    uint8_t *copy = arenas[0][0].end - length;
    memcpy(copy, document, length);
    for (uint32_t changes = below(4); changes > 0 && length > 0; changes--)
        copy[below((uint32_t)length)] = (uint8_t)(below(2) == 0 ? below(256) : 0xff);
    monpro_rsa_private *key;
    monpro_rsa_public *public_half;
    monpro_status status = monpro_rsa_private_from_der(copy, length, &key);
    expect((key != NULL) == (status == MONPRO_STATUS_OK), "a key or a status");
    monpro_rsa_private_free(key);
    status = monpro_rsa_public_from_der(copy, length, &public_half);
    expect((public_half != NULL) == (status == MONPRO_STATUS_OK), "a public key or a status");
    monpro_rsa_public_free(public_half);
    status = monpro_rsa_private_from_pem((const char *)copy, length, &key);
    expect(key == NULL && status != MONPRO_STATUS_OK && status != MONPRO_STATUS_INTERNAL, "DER is no PEM");
}

static void call_signature(power *one) {
    uint8_t *message = one->bytes[0], *signature = arenas[4][0].end - RSA_BYTES;
    size_t length = one->length[0];
    const monpro_pss parameters = {below(2) == 0 ? NULL : "sha512_256", NULL, below(3) == 0 ? MONPRO_SALT_ANY : below(20)};
    int is_pss = below(2) == 0;
    monpro_status status =
        is_pss ? monpro_rsa_sign_pss(private_key, &parameters, message, length, NULL, signature, RSA_BYTES)
               : monpro_rsa_sign_pkcs1(private_key, parameters.hash, message, length, NULL, signature, RSA_BYTES);
    expect(status == MONPRO_STATUS_OK, "the status of a signature");
    for (int is_changed = 0; is_changed < 2; is_changed++) {
        signature[below(RSA_BYTES)] ^= (uint8_t)(is_changed << below(8));
        status = is_pss ? monpro_rsa_verify_pss(public_key, &parameters, message, length, signature, RSA_BYTES)
                        : monpro_rsa_verify_pkcs1(public_key, parameters.hash, message, length, signature, RSA_BYTES);
        expect(status == (is_changed ? MONPRO_STATUS_BAD_SIGNATURE : MONPRO_STATUS_OK), "the verdict on a signature");
    }
}

static void call_encryption(void) {
    size_t length = below(RSA_BYTES - 66 + 1), told = 0, label = below(20);
    uint8_t *message = arenas[4][0].end - length, *ciphertext = arenas[5][0].end - RSA_BYTES;
    uint8_t *plain = below(2) == 0 ? ciphertext : arenas[6][0].end - RSA_BYTES;
    const monpro_oaep parameters = {NULL, below(2) == 0 ? NULL : "sha1", arenas[7][0].end - label, label};
    fill(message, length);
    fill(arenas[7][0].end - label, label);
    int is_oaep = below(2) == 0;
    monpro_status status =
        is_oaep ? monpro_rsa_encrypt_oaep(public_key, &parameters, message, length, NULL, ciphertext, RSA_BYTES)
                : monpro_rsa_encrypt_pkcs1(public_key, message, length, NULL, ciphertext, RSA_BYTES);
    expect(status == MONPRO_STATUS_OK, "the status of a ciphertext");
    status = is_oaep ? monpro_rsa_decrypt_oaep(private_key, &parameters, ciphertext, RSA_BYTES, NULL, plain, RSA_BYTES, &told)
                     : monpro_rsa_decrypt_pkcs1(private_key, ciphertext, RSA_BYTES, NULL, plain, RSA_BYTES, &told);
    expect(status == MONPRO_STATUS_OK && told == length && memcmp(plain, message, length) == 0, "a decrypted message");
    fill(ciphertext, RSA_BYTES);
    status = monpro_rsa_decrypt_oaep(private_key, NULL, ciphertext, RSA_BYTES, NULL, plain, RSA_BYTES, &told);
    expect(status == MONPRO_STATUS_DECRYPTION && told == 0, "no ciphertext");
}

static void call_raw(void) {
    uint8_t *m = arenas[4][0].end - RSA_BYTES, *c = below(2) == 0 ? m : arenas[5][0].end - RSA_BYTES;
    mpz_t x, z;
    mpz_inits(x, z, NULL);
    fill(m, RSA_BYTES);
    import(x, m, RSA_BYTES);
    int is_below = mpz_cmp(x, rsa_modulus) < 0;
    mpz_powm_ui(z, x, 65537, rsa_modulus);
    monpro_status status = monpro_rsa_public_raw(public_key, m, c, RSA_BYTES);
    expect(status == (is_below ? MONPRO_STATUS_OK : MONPRO_STATUS_NOT_REDUCED), "which numbers are below n");
    if (is_below) {
        uint8_t wanted[RSA_BYTES];
        export(wanted, RSA_BYTES, z);
        expect(memcmp(c, wanted, RSA_BYTES) == 0, "a public operation");
        expect(monpro_rsa_private_raw(private_key, c, NULL, c, RSA_BYTES) == MONPRO_STATUS_OK, "a private operation");
        export(wanted, RSA_BYTES, x);
        expect(memcmp(c, wanted, RSA_BYTES) == 0, "a private operation");
    }
    mpz_clears(x, z, NULL);
}

static void call_rsa(power *one) {
    switch (below(4)) {
    case 0:
        call_documents();
        break;
    case 1:
        call_signature(one);
        break;
    case 2:
        call_encryption();
        break;
    default:
        call_raw();
    }
}

static void one_case(void) {
    uint32_t kind = below(16);
    new_power(&powers[0], arenas[0]);
    if (kind < 2)
        call_batch(1 + below(MOST_TASKS));
    else if (kind < 5)
        call_pow(&powers[0]);
    else if (kind < 8)
        call_modexp(&powers[0]);
    else if (kind < 10)
        call_with_modulus(&powers[0]);
    else if (kind < 11)
        call_halves();
    else if (kind < 14)
        call_field();
    else if (kind < 15)
        call_exchange(&powers[0]);
    else
        call_rsa(&powers[0]);
}

int main(int count, char **arguments) {
    double seconds = count > 1 ? atof(arguments[1]) : 60;
    seed = count > 2 ? strtoul(arguments[2], NULL, 10) : (unsigned long)time(NULL);
    state = seed * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < MOST_TASKS * NUMBERS; i++)
        arenas[i / NUMBERS][i % NUMBERS] = new_arena();
    for (int i = 0; i < FIELDS; i++)
        expect(monpro_field_from_exponents(exponents[i], counts[i], &fields[i]) == MONPRO_STATUS_OK, "a field");
    new_key();
    printf("seed %lu\n", seed);
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end; cases++)
        one_case();
    for (int i = 0; i < FIELDS; i++)
        monpro_field_free(fields[i]);
    monpro_rsa_public_free(public_key);
    monpro_rsa_private_free(private_key);
    mpz_clear(rsa_modulus);
    printf("%lu cases\n", cases);
    return 0;
}
