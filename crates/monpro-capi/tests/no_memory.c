/* Counts the library's allocations, and withholds memory and threads: linked with --wrap for malloc and its kin and for
   pthread_create, statically. */
#include <errno.h>
#include <monpro.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);
size_t malloc_usable_size(void *block);

static size_t most = SIZE_MAX; /* of a single allocation */
static size_t held, peak;
static size_t asked;      /* the first block of more than a MiB: the question whether there is memory */
static void *asked_block; /* that block, until it is given back */
static int failures = 0;

static void *counted(void *block, size_t size) {
    if (block != NULL) {
        held += malloc_usable_size(block);
        peak = held > peak ? held : peak;
    }
    if (size > 1 << 20 && asked == 0) {
        asked = size;
        asked_block = block;
    }
    return block;
}

static void discounted(void *block) {
    held -= block == NULL ? 0 : malloc_usable_size(block);
    if (block != NULL && block == asked_block) {
        asked_block = NULL;
        peak = held;
    }
}

void *__wrap_malloc(size_t size) {
    return counted(size <= most ? __real_malloc(size) : NULL, size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return counted(count * size <= most ? __real_calloc(count, size) : NULL, count * size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size) {
    int status = size <= most ? __real_posix_memalign(block, alignment, size) : ENOMEM;
    counted(status == 0 ? *block : NULL, size);
    return status;
}

void __wrap_free(void *block) {
    discounted(block);
    __real_free(block);
}

void *__wrap_realloc(void *block, size_t size) {
    if (size > most)
        return counted(NULL, size);
    discounted(block);
    return counted(__real_realloc(block, size), size);
}

static void check(int is_right, const char *what, size_t which) {
    if (!is_right) {
        fprintf(stderr, "wrong: %s, case %zu: asked for %zu bytes, held %zu\n", what, which, asked, peak);
        failures++;
    }
}

enum { BATCH = 9, FUNCTIONS = 9, ELEMENTS = 1 << 20, LIST = 40000 };
static uint8_t base[1 << 20], exponent[1 << 17], modulus[1 << 14], results[BATCH][1 << 14];

typedef struct {
    monpro_modulus *modulus;
} prepared;

static monpro_status batch(const size_t length[3]) {
    monpro_pow_task tasks[BATCH];
    for (size_t i = 0; i < BATCH; i++)
        tasks[i] = (monpro_pow_task){base, length[0], exponent, length[1], modulus, length[2], results[i]};
    return monpro_pow_batch(tasks, BATCH);
}

/* The exponents modulo p and q are as long as p and q, whatever the lengths that are given: a base to exponents of a byte
   takes tables of the same size. Long moduli are left out, which would take seconds. */
static monpro_status halves(const size_t length[3]) {
    static const uint8_t one[] = {1};
    monpro_crt_task tasks[BATCH];
    for (size_t i = 0; i < BATCH; i++)
        tasks[i] = (monpro_crt_task){base, length[0], modulus, length[2], one, 1, exponent, 1, one, 1, one, 1, results[i]};
    return monpro_pow_crt_batch(tasks, length[2] <= 500 ? BATCH : 0);
}

static monpro_status call(size_t function, const size_t length[3], const prepared *with) {
    const monpro_term terms[] = {{base, length[0], exponent, length[1]}, {exponent, 5, base, length[1]}};
    monpro_modulus *made;
    monpro_fixed_base *table;
    monpro_status status;
    switch (function) {
    case 0:
        return monpro_modexp(base, length[0], exponent, length[1], modulus, length[2], results[0]);
    case 1:
        return monpro_modexp_vartime(base, length[0], exponent, length[1], modulus, length[2], results[0]);
    case 2:
        return batch(length);
    case 3:
        status = monpro_modulus_new(modulus, length[2], NULL, &made);
        monpro_modulus_free(made);
        return status;
    case 4:
        return monpro_pow(with->modulus, base, length[0], exponent, length[1], results[0], length[2]);
    case 5:
        return monpro_multi_pow(with->modulus, terms, 2, results[0], length[2]);
    case 6:
        status = monpro_fixed_base_new(with->modulus, base, length[0], 64, &table);
        monpro_fixed_base_free(table);
        return status;
    case 7:
        return monpro_mul(with->modulus, base, length[0], exponent, length[1], results[0], length[2]);
    default:
        return halves(length);
    }
}

/* A call without blocks of more than a MiB, and with all memory. Returns whether it asked for memory. */
static int try(size_t which, monpro_status (*one)(const void *), const void *what) {
    memset(results, 0xa5, sizeof results);
    most = 1 << 20;
    asked = 0;
    monpro_status status = one(what);
    most = SIZE_MAX;
    int has_asked = asked > 0;
    check(status == (has_asked ? MONPRO_STATUS_OUT_OF_MEMORY : MONPRO_STATUS_OK), "no memory", which);
    check(!has_asked || results[0][0] == 0xa5, "nothing is written", which);
    asked = 0;
    size_t before = peak = held;
    check(one(what) == MONPRO_STATUS_OK, "memory again", which);
    check(peak - before <= (has_asked ? asked : 1 << 20), "what is asked for suffices", which);
    check(held == before, "all is given back", which);
    return has_asked;
}

typedef struct {
    size_t function;
    const size_t *length;
    const prepared *with;
} power;

static monpro_status power_of(const void *what) {
    const power *p = what;
    return call(p->function, p->length, p->with);
}

/* ---- fields: many elements, a long polynomial */

static monpro_field *small, *large;
static uint8_t *elements;

static monpro_status dot(const void *what) {
    (void)what;
    return monpro_field_dot(small, elements, elements, LIST, results[0], 1);
}
static monpro_status inverses(const void *what) {
    (void)what;
    return monpro_field_batch_inverse(small, elements, LIST, elements + ELEMENTS / 2, 1);
}
static monpro_status large_power(const void *what) {
    (void)what;
    return monpro_field_pow(large, base, exponent, 40, results[0], monpro_field_bytes(large));
}

static int fields(void) {
    static monpro_status (*const calls[])(const void *) = {dot, inverses, large_power};
    static const size_t aes[] = {8, 4, 3, 1, 0}, trinomial[] = {23209, 9739, 0};
    int asking = 0;
    elements = malloc(ELEMENTS);
    memset(elements, 7, ELEMENTS);
    check(monpro_field_from_exponents(aes, 5, &small) == MONPRO_STATUS_OK, "a field", 0);
    check(monpro_field_from_exponents(trinomial, 3, &large) == MONPRO_STATUS_OK, "a field", 1);
    base[0] = 0; /* an element of degree below 23209 */
    for (size_t i = 0; i < 3; i++)
        asking += try(1000 + i, calls[i], NULL);
    base[0] = 0xab;
    monpro_field_free(large);
    monpro_field_free(small);
    free(elements);
    return asking;
}

/* ---- an encrypted document, for which scrypt takes 16 MiB */

static const char encrypted[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIIBtTBPBgkqhkiG9w0BBQ0wQjAhBgkrBgEEAdpHBAswFAQIP+XHn0mc4RcCAkAA\n"
    "AgEIAgEBMB0GCWCGSAFlAwQBKgQQ+cgM1Lmmgw2J+qxUQ4bCgwSCAWCwYaXTm5gH\n"
    "5bE3OF7jW6azVQNDIFfRXDmjbrqLpKtS8UFHWVRmQYJRUZM5+ddMLgUraXpDfD2o\n"
    "Rgsw6OsQj4FwI3mnP2rsByDyKtG6Pap32q/6u4vpCUG9Szl+F8HAmnl0p8eTgWw4\n"
    "4Af1x7J8U6l0l8Lu+cu/In0EoNMLdj1wpzi0p1oaF6tbHpuslQz971BjSTmzeZ2E\n"
    "o2gnzHlVbaPZjUhmlqWB/hAi1SubJmg3QM4qlQW5xedrk/d5yfSBB9kdTI1kpet6\n"
    "xBEV7rMVq/FIAURjbg9s2XonvwCCBBTOVMpJrq57nynJ9gGKa6JOdDcPdBwoWYOc\n"
    "TKEBARvJZFz6yzf/iR1H+K8mV7uBi9wRyGJtPqFVSRVl0zAdPzS4pxBHvXnPQsT1\n"
    "q1VyoLtY6p/9JceVhTfCl69CB0AL6K8ZbfWCl38xqNwFe78ImP56grMNf4lFXYSj\n"
    "1bL1x4WcV3eH\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

static monpro_status load(const void *unused) {
    monpro_rsa_private *key = NULL;
    (void)unused;
    monpro_status status = monpro_rsa_private_load((const uint8_t *)encrypted, sizeof encrypted - 1,
                                                   (const uint8_t *)"words", 5, &key);
    check((key != NULL) == (status == MONPRO_STATUS_OK), "a key of an encrypted document", 0);
    monpro_rsa_private_free(key);
    return status;
}

/* ---- threads */

static int withholds_threads = 0;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*run)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*run)(void *), void *argument) {
    return withholds_threads ? EAGAIN : __real_pthread_create(thread, with, run, argument);
}

static void columns_without_a_thread(void) {
    static uint8_t numbers[3] = {3, 5, 7}, out[1] = {0xee}, statuses[1] = {0xee};
    monpro_column operands[3], result;
    memset(operands, 0, sizeof operands);
    for (size_t i = 0; i < 3; i++)
        operands[i].bytes = numbers + i, operands[i].length = operands[i].width = 1;
    result = operands[0];
    result.bytes = out;
    withholds_threads = 1;
    check(monpro_columns_compute(0, operands, 3, 1, NULL, &result, statuses, 1) == MONPRO_STATUS_OUT_OF_MEMORY,
          "columns without a thread", 0);
    check(out[0] == 0xee && statuses[0] == 0xee, "nothing is written", 0);
    withholds_threads = 0;
    check(monpro_columns_compute(0, operands, 3, 1, NULL, &result, statuses, 1) == MONPRO_STATUS_OK && out[0] == 5,
          "columns with a thread", 0);
}

int main(void) {
    static const size_t lengths[][3] = {
        /* base, exponent, modulus: each long in turn, so that more than a MiB is asked for */
        {100, 32, 4000}, {100, 2, 1 << 13}, {1 << 20, 2, 64}, {64, 1 << 15, 64}, {64, 1 << 17, 8}, {500, 500, 500},
    };
    memset(base, 0xab, sizeof base);
    memset(exponent, 0xcd, sizeof exponent);
    memset(modulus, 0xef, sizeof modulus);
    int asking = 0;
    for (size_t which = 0; which < 6 * FUNCTIONS; which++) {
        const size_t *length = lengths[which / FUNCTIONS];
        prepared with;
        check(monpro_modulus_new(modulus, length[2], NULL, &with.modulus) == MONPRO_STATUS_OK, "a modulus", which);
        const power what = {which % FUNCTIONS, length, &with};
        asking += try(which, power_of, &what);
        monpro_modulus_free(with.modulus);
    }
    check(asking >= 24, "calls that ask for memory", (size_t)asking);
    check(fields() == 3, "fields that ask for memory", 0);
    check(try(2000, load, NULL) == 1, "an encrypted document that asks for memory", 0);
    columns_without_a_thread();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
