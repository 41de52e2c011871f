/* Calls monpro.h as it must not be called, and looks at every status and every byte. The calls come from tables of
   arguments; the status that each must have follows from the rule of the header, not from the library. */
#include "check.h"
#include <pthread.h>

/* ---- arguments: a pointer with a length, and the status that they alone cause */

typedef struct {
    const uint8_t *bytes;
    size_t length;
    monpro_status status;
} argument;

static const uint8_t number[] = {0, 0x7f, 0xe5};

static const argument arguments[] = {
    {number, 3, MONPRO_STATUS_OK},
    {number, 0, MONPRO_STATUS_OK},
    {NULL, 0, MONPRO_STATUS_OK},
    {NULL, 1, MONPRO_STATUS_NULL_POINTER},
    {NULL, SIZE_MAX, MONPRO_STATUS_NULL_POINTER},
    {number, (size_t)MONPRO_MAX_BYTES + 1, MONPRO_STATUS_TOO_LONG},
    {number, SIZE_MAX / 8 + 1, MONPRO_STATUS_TOO_LONG},
    {number, SIZE_MAX / 2 + 1, MONPRO_STATUS_TOO_LONG},
    {number, SIZE_MAX, MONPRO_STATUS_TOO_LONG},
};
enum { ARGUMENTS = sizeof arguments / sizeof *arguments };

/* The first argument at fault decides; a place for the result that is null comes last. */
static monpro_status expected(const argument *const given[], int count, int has_place, size_t result_length) {
    for (int i = 0; i < count; i++)
        if (given[i]->status != MONPRO_STATUS_OK)
            return given[i]->status;
    return has_place || result_length == 0 ? MONPRO_STATUS_OK : MONPRO_STATUS_NULL_POINTER;
}

typedef monpro_status (*modexp_function)(const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, size_t,
                                         uint8_t *);

static monpro_status batch_of_one(const uint8_t *base, size_t base_length, const uint8_t *exponent,
                                  size_t exponent_length, const uint8_t *modulus, size_t modulus_length,
                                  uint8_t *result) {
    monpro_pow_task task = {base, base_length, exponent, exponent_length, modulus, modulus_length, result};
    return monpro_pow_batch(&task, 1);
}

static const modexp_function functions[] = {monpro_modexp, monpro_modexp_vartime, batch_of_one};
enum { FUNCTIONS = 3 };

static int is_untouched(const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != 0xa5)
            return 0;
    return 1;
}

static void powers_of_every_argument(void) {
    for (long which = 0; which < (long)FUNCTIONS * ARGUMENTS * ARGUMENTS * ARGUMENTS * 2; which++) {
        long rest = which;
        modexp_function function = functions[rest % FUNCTIONS];
        int has_place = (int)(rest / FUNCTIONS % 2);
        rest /= 2 * FUNCTIONS;
        const argument *given[] = {&arguments[rest % ARGUMENTS], &arguments[rest / ARGUMENTS % ARGUMENTS],
                                   &arguments[rest / ARGUMENTS / ARGUMENTS]};
        uint8_t result[8];
        memset(result, 0xa5, sizeof result);
        monpro_status wanted = expected(given, 3, has_place, given[2]->length);
        monpro_status status = function(given[0]->bytes, given[0]->length, given[1]->bytes, given[1]->length,
                                        given[2]->bytes, given[2]->length, has_place ? result : NULL);
        check(status == wanted, "the status of a power", which);
        size_t written = wanted == MONPRO_STATUS_OK && has_place ? given[2]->length : 0;
        check(is_untouched(result + written, sizeof result - written), "bytes that are no result", which);
    }
}

/* ---- moduli */

static void moduli_of_every_argument(void) {
    static const uint8_t even[] = {1, 0}, zero[] = {0, 0};
    static uint8_t longer[4097];
    memset(longer, 0xff, sizeof longer);
    static const struct {
        const uint8_t *n;
        size_t length;
        const char *kernel;
        monpro_status status;
    } cases[] = {
        {number, 3, NULL, MONPRO_STATUS_OK},
        {number, 3, "cios", MONPRO_STATUS_OK},
        {number, 3, "sos-w32", MONPRO_STATUS_OK},
        {NULL, 3, NULL, MONPRO_STATUS_NULL_POINTER},
        {NULL, 0, NULL, MONPRO_STATUS_ZERO_MODULUS},
        {number, 0, NULL, MONPRO_STATUS_ZERO_MODULUS},
        {zero, 2, NULL, MONPRO_STATUS_ZERO_MODULUS},
        {even, 2, NULL, MONPRO_STATUS_EVEN_MODULUS},
        {even, 2, "cios", MONPRO_STATUS_EVEN_MODULUS},
        {number, SIZE_MAX, NULL, MONPRO_STATUS_TOO_LONG},
        {number, (size_t)MONPRO_MAX_BYTES + 1, "cios", MONPRO_STATUS_TOO_LONG},
        {number, 3, "", MONPRO_STATUS_UNKNOWN_KERNEL},
        {number, 3, "CIOS", MONPRO_STATUS_UNKNOWN_KERNEL},
        {number, 3, "cios ", MONPRO_STATUS_UNKNOWN_KERNEL},
        {number, 3, "\xff\xfe", MONPRO_STATUS_UNKNOWN_KERNEL},
        {number, 3, "cios-gf2", MONPRO_STATUS_UNUSABLE_KERNEL},
        {number, 3, "cios-gf2-w64-tables_vartime", MONPRO_STATUS_UNUSABLE_KERNEL},
        {number, 3, "standard-gf2-w8-tables_vartime", MONPRO_STATUS_UNUSABLE_KERNEL},
        {even, 2, "cios-gf2", MONPRO_STATUS_UNUSABLE_KERNEL},
#ifdef __x86_64__
        /* On some CPUs, because the modulus is longer than it takes; on the others, for want of instructions. */
        {longer, sizeof longer, "redc-ifma-w51", MONPRO_STATUS_UNUSABLE_KERNEL},
#endif
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        monpro_modulus *modulus;
        memset(&modulus, 0x41, sizeof modulus); /* as a dirty stack leaves it */
        monpro_status status = monpro_modulus_new(cases[i].n, cases[i].length, cases[i].kernel, &modulus);
        check(status == cases[i].status, "the status of a modulus", (long)i);
        check((modulus != NULL) == (status == MONPRO_STATUS_OK), "null without a modulus", (long)i);
        monpro_modulus_free(modulus);
        status = monpro_modulus_new(cases[i].n, cases[i].length, cases[i].kernel, NULL);
        check(status == MONPRO_STATUS_NULL_POINTER, "no place for a modulus", (long)i);
    }
}

static void powers_modulo_a_modulus(void) {
    static const size_t result_lengths[] = {0, 1, 2, 3, SIZE_MAX / 2 + 1, SIZE_MAX};
    monpro_modulus *modulus = NULL;
    monpro_modulus_new(number, 3, NULL, &modulus);
    check(monpro_modulus_bytes(modulus) == 2, "leading zeros do not count", 0);
    for (long which = 0; which < (long)ARGUMENTS * ARGUMENTS * 6 * 2 * 2; which++) {
        const argument *given[] = {&arguments[which % ARGUMENTS], &arguments[which / ARGUMENTS % ARGUMENTS]};
        long rest = which / ARGUMENTS / ARGUMENTS;
        size_t length = result_lengths[rest % 6];
        int has_place = (int)(rest / 6 % 2), has_modulus = (int)(rest / 12);
        uint8_t result[8];
        memset(result, 0xa5, sizeof result);
        monpro_status wanted = expected(given, 2, has_place, length);
        if (wanted == MONPRO_STATUS_OK && length != 2)
            wanted = MONPRO_STATUS_WRONG_LENGTH;
        if (!has_modulus)
            wanted = MONPRO_STATUS_NULL_POINTER;
        monpro_status status = monpro_pow(has_modulus ? modulus : NULL, given[0]->bytes, given[0]->length,
                                          given[1]->bytes, given[1]->length, has_place ? result : NULL, length);
        check(status == wanted, "the status of a power modulo a modulus", which);
        size_t written = wanted == MONPRO_STATUS_OK ? 2 : 0;
        check(is_untouched(result + written, sizeof result - written), "bytes that are no result", which);
    }
    monpro_modulus_free(modulus);
}

/* ---- batches */

static void batches(void) {
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof(monpro_pow_task)};
    for (size_t i = 0; i < 3; i++) {
        monpro_pow_task task = {number, 3, number, 3, number, 3, NULL};
        check(monpro_pow_batch(&task, counts[i]) == MONPRO_STATUS_TOO_LONG, "a batch without end", (long)i);
        check(monpro_pow_batch(NULL, counts[i]) == MONPRO_STATUS_NULL_POINTER, "a batch at null", (long)i);
    }
    /* One bad task among good ones: nothing is written, wherever it stands. */
    for (long bad = 0; bad < 5; bad++) {
        for (long kind = 3; kind < ARGUMENTS; kind++) {
            uint8_t results[5][3];
            monpro_pow_task tasks[5];
            memset(results, 0xa5, sizeof results);
            for (long i = 0; i < 5; i++)
                tasks[i] = (monpro_pow_task){number, 3, number, 3, number, 3, results[i]};
            tasks[bad].exponent = arguments[kind].bytes;
            tasks[bad].exponent_length = arguments[kind].length;
            check(monpro_pow_batch(tasks, 5) == arguments[kind].status, "one bad task", bad);
            check(is_untouched(results[0], sizeof results), "nothing is written", bad);
        }
    }
    /* Moduli 0 and 1 beside others. */
    static const uint8_t one[] = {0, 0, 1}, zero[] = {0, 0, 0};
    uint8_t a[3] = {9, 9, 9}, b[3] = {9, 9, 9}, c[3], d[3];
    monpro_pow_task tasks[] = {
        {number, 3, number, 3, one, 3, a}, {number, 3, number, 3, zero, 3, b}, {one, 3, number, 3, number, 3, c}};
    check(monpro_pow_batch(tasks, 3) == MONPRO_STATUS_OK, "moduli 0 and 1", 0);
    memset(d, 0, 3);
    check(memcmp(a, d, 3) == 0 && memcmp(b, d, 3) == 0 && memcmp(c, one, 3) == 0, "moduli 0 and 1", 1);
}

/* ---- results over inputs */

enum { LENGTH = 40, SPACE = 6 * LENGTH };

static uint64_t state = 1;

static void fill(uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        state = state * 0xd1342543de82ef95u + 1;
        bytes[i] = (uint8_t)(state >> 56);
    }
}

/* Base, exponent and modulus lie one after the other; the result is moved over them byte by byte. */
static void results_over_inputs(void) {
    for (long which = 0; which < FUNCTIONS * (SPACE - LENGTH); which++) {
        modexp_function function = functions[which % FUNCTIONS];
        size_t place = (size_t)(which / FUNCTIONS);
        uint8_t space[SPACE], before[SPACE], wanted[LENGTH];
        fill(space, SPACE);
        uint8_t *base = space + LENGTH, *exponent = base + LENGTH, *modulus = exponent + LENGTH;
        memcpy(before, space, SPACE);
        check(function(base, LENGTH, exponent, LENGTH, modulus, LENGTH, wanted) == MONPRO_STATUS_OK, "apart", which);
        check(memcmp(before, space, SPACE) == 0, "the inputs stay", which);
        check(function(base, LENGTH, exponent, LENGTH, modulus, LENGTH, space + place) == MONPRO_STATUS_OK,
              "over an input", which);
        memcpy(before + place, wanted, LENGTH);
        check(memcmp(before, space, SPACE) == 0, "the result over an input, and nothing else", which);
    }
}

static void results_over_inputs_of_a_modulus(void) {
    uint8_t n[LENGTH];
    fill(n, LENGTH);
    n[0] |= 0x80;
    n[LENGTH - 1] |= 1;
    monpro_modulus *modulus = NULL;
    check(monpro_modulus_new(n, LENGTH, NULL, &modulus) == MONPRO_STATUS_OK, "a modulus", 0);
    for (size_t place = 0; place <= 3 * LENGTH; place++) {
        uint8_t space[4 * LENGTH], wanted[LENGTH];
        fill(space, sizeof space);
        uint8_t *base = space + LENGTH, *exponent = base + LENGTH;
        monpro_pow(modulus, base, LENGTH, exponent, LENGTH, wanted, LENGTH);
        check(monpro_pow(modulus, base, LENGTH, exponent, LENGTH, space + place, LENGTH) == MONPRO_STATUS_OK,
              "over an input", (long)place);
        check(memcmp(space + place, wanted, LENGTH) == 0, "a power over an input", (long)place);
    }
    monpro_modulus_free(modulus);
}

/* Each result lies over the base of the next task, and the last one over the list of tasks. */
static void results_over_other_tasks(void) {
    enum { COUNT = 9 };
    uint8_t numbers[COUNT + 1][LENGTH], exponent[LENGTH], modulus[LENGTH], wanted[COUNT][LENGTH];
    union {
        monpro_pow_task tasks[COUNT];
        uint8_t bytes[COUNT * sizeof(monpro_pow_task)];
    } list;
    fill(numbers[0], sizeof numbers);
    fill(exponent, LENGTH);
    fill(modulus, LENGTH);
    for (long i = 0; i < COUNT; i++) {
        monpro_modexp(numbers[i], LENGTH, exponent, LENGTH, modulus, LENGTH, wanted[i]);
        list.tasks[i] =
            (monpro_pow_task){numbers[i], LENGTH, exponent, LENGTH, modulus, LENGTH, numbers[i + 1]};
    }
    list.tasks[0].result = list.bytes;
    check(monpro_pow_batch(list.tasks, COUNT) == MONPRO_STATUS_OK, "results over other tasks", 0);
    check(memcmp(list.bytes, wanted[0], LENGTH) == 0, "a result over the list", 0);
    for (long i = 1; i < COUNT; i++)
        check(memcmp(numbers[i + 1], wanted[i], LENGTH) == 0, "a result over the next base", i);
}

/* ---- threads */

static monpro_modulus *shared;

static void *powers_in_a_thread(void *seed) {
    uint8_t base[2] = {1, (uint8_t)(size_t)seed}, result[2], again[2], out[3];
    static const uint8_t exponent[] = {0x12, 0x34};
    size_t wrong = 0;
    for (int i = 0; i < 500; i++) {
        wrong += monpro_pow(shared, base, 2, exponent, 2, result, 2) != MONPRO_STATUS_OK;
        wrong += monpro_modexp(base, 2, exponent, 2, number, 3, out) != MONPRO_STATUS_OK;
        memcpy(again, out + 1, 2);
        wrong += memcmp(result, again, 2) != 0;
        wrong += monpro_pow(shared, NULL, 1, exponent, 2, result, 2) != MONPRO_STATUS_NULL_POINTER;
        memcpy(base, result, 2);
    }
    return (void *)wrong;
}

static void four_threads_share_a_modulus(void) {
    pthread_t threads[4];
    monpro_modulus_new(number, 3, NULL, &shared);
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, powers_in_a_thread, (void *)(i + 1));
    for (long i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        check(wrong == NULL, "powers in a thread", i);
    }
    monpro_modulus_free(shared);
}

static void lines_of_every_status(void) {
    for (int status = -3; status < 50; status++) {
        const char *line = monpro_status_message(status);
        check(strlen(line) > 0 && strchr(line, '\n') == NULL, "a line", status);
        int is_known = status >= 0 && status <= MONPRO_STATUS_UNKNOWN_OPERATION;
        check((strcmp(line, monpro_status_message(-1)) == 0) == !is_known, "a line of its own", status);
    }
}

int main(void) {
    four_threads_share_a_modulus(); /* first, so that the threads make the library's first calls */
    powers_of_every_argument();
    moduli_of_every_argument();
    powers_modulo_a_modulus();
    batches();
    results_over_inputs();
    results_over_inputs_of_a_modulus();
    results_over_other_tasks();
    lines_of_every_status();
    return verdict();
}
