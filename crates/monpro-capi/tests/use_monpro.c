/* Uses every function of monpro.h as a program would. */
#include <fenv.h>
#include <monpro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int is_right, const char *what) {
    if (!is_right) {
        fprintf(stderr, "wrong: %s\n", what);
        failures++;
    }
}

static void check_status(monpro_status given, monpro_status wanted, const char *what) {
    if (given != wanted) {
        fprintf(stderr, "wrong status: %s: %s\n", what, monpro_status_message(given));
        failures++;
    }
}

static void powers_modulo_an_odd_number(void) {
    const uint8_t n[] = {0, 0, 0xff, 0xf1}; /* 65521, a prime */
    const uint8_t x[] = {3}, e[] = {0xff, 0xf0}, two[] = {2};
    uint8_t z[2] = {9, 9};
    monpro_modulus *modulus = NULL;
    check_status(monpro_modulus_new(n, sizeof n, NULL, &modulus), MONPRO_STATUS_OK, "a modulus");
    check(monpro_modulus_bytes(modulus) == 2, "the length of the modulus");
    check(strlen(monpro_modulus_kernel(modulus)) > 0, "the kernel has a name");
    check_status(monpro_pow(modulus, x, 1, e, 2, z, 2), MONPRO_STATUS_OK, "a power");
    check(z[0] == 0 && z[1] == 1, "Fermat's little theorem");
    check_status(monpro_pow(modulus, x, 1, two, 1, z, 2), MONPRO_STATUS_OK, "a square");
    check(z[0] == 0 && z[1] == 9, "3^2");
    check_status(monpro_pow(modulus, NULL, 0, NULL, 0, z, 2), MONPRO_STATUS_OK, "0^0");
    check(z[0] == 0 && z[1] == 1, "0^0 is 1");
    check_status(monpro_pow(modulus, x, 1, e, 2, z, 1), MONPRO_STATUS_WRONG_LENGTH, "a short result");
    check_status(monpro_pow(modulus, NULL, 1, e, 2, z, 2), MONPRO_STATUS_NULL_POINTER, "no base");
    check_status(monpro_pow(NULL, x, 1, e, 2, z, 2), MONPRO_STATUS_NULL_POINTER, "no modulus");
    monpro_modulus_free(modulus);
    check_status(monpro_modulus_new(n, sizeof n, "sos-w32", &modulus), MONPRO_STATUS_OK, "a kernel by name");
    check(strcmp(monpro_modulus_kernel(modulus), "sos-w32") == 0, "the name of the kernel");
    check_status(monpro_pow(modulus, x, 1, e, 2, z, 2), MONPRO_STATUS_OK, "a power by that kernel");
    check(z[0] == 0 && z[1] == 1, "Fermat's little theorem by that kernel");
    monpro_modulus_free(modulus);
}

static void what_is_refused(void) {
    const uint8_t even[] = {6}, zero[] = {0}, odd[] = {7};
    monpro_modulus *modulus = NULL;
    check_status(monpro_modulus_new(even, 1, NULL, &modulus), MONPRO_STATUS_EVEN_MODULUS, "an even modulus");
    check_status(monpro_modulus_new(zero, 1, NULL, &modulus), MONPRO_STATUS_ZERO_MODULUS, "modulus 0");
    check_status(monpro_modulus_new(odd, 1, "nonsense", &modulus), MONPRO_STATUS_UNKNOWN_KERNEL, "no such kernel");
    check_status(monpro_modulus_new(NULL, 1, NULL, &modulus), MONPRO_STATUS_NULL_POINTER, "no bytes");
    check_status(monpro_modulus_new(odd, 1, NULL, NULL), MONPRO_STATUS_NULL_POINTER, "no place for the modulus");
    check(modulus == NULL, "nothing was made");
    check(monpro_modulus_bytes(NULL) == 0 && monpro_modulus_kernel(NULL) == NULL, "what null tells");
    monpro_modulus_free(NULL);
    for (int status = 0; status <= 10; status++)
        check(strlen(monpro_status_message(status)) > 0, "every status has a line");
    check(strcmp(monpro_status_message(99), monpro_status_message(-1)) == 0, "what has no number");
}

static void powers_modulo_any_number(void) {
    const uint8_t x[] = {3}, e[] = {200}, n[] = {0, 0x03, 0xe8}; /* 3^200 mod 1000 */
    uint8_t z[3] = {9, 9, 9}, w[3] = {9, 9, 9};
    check_status(monpro_modexp(x, 1, e, 1, n, 3, z), MONPRO_STATUS_OK, "modexp");
    check(z[0] == 0 && z[1] == 0 && z[2] == 1, "3^200 mod 1000");
    check_status(monpro_modexp_vartime(x, 1, e, 1, n, 3, w), MONPRO_STATUS_OK, "modexp_vartime");
    check(memcmp(z, w, 3) == 0, "both are equal");
    check_status(monpro_modexp(x, 1, e, 1, NULL, 0, NULL), MONPRO_STATUS_OK, "an empty modulus");
    monpro_pow_task tasks[] = {
        {x, 1, e, 1, n, 3, z},
        {NULL, 0, NULL, 0, n + 1, 2, w},
    };
    memset(z, 9, 3);
    check_status(monpro_pow_batch(tasks, 2), MONPRO_STATUS_OK, "a batch");
    check(z[0] == 0 && z[1] == 0 && z[2] == 1 && w[0] == 0 && w[1] == 1, "the results of the batch");
    check_status(monpro_pow_batch(NULL, 0), MONPRO_STATUS_OK, "an empty batch");
    check_status(monpro_pow_batch(NULL, 1), MONPRO_STATUS_NULL_POINTER, "no batch");
}

/* A program may round doubles as it likes: on AVX2, lanes and two kernels compute in doubles. */
static void powers_however_doubles_are_rounded(void) {
    enum { TASKS = 4, BYTES = 97 };
    const int directions[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint8_t n[TASKS][BYTES], x[BYTES], e[BYTES], expected[TASKS][BYTES], z[TASKS][BYTES], power[BYTES];
    monpro_pow_task tasks[TASKS];
    for (int i = 0; i < BYTES; i++) {
        x[i] = (uint8_t)(0xff - i % 3);
        e[i] = (uint8_t)(0x5b * i + 1);
        for (int j = 0; j < TASKS; j++)
            n[j][i] = (uint8_t)(0xff - (i + j) % 5);
    }
    for (int j = 0; j < TASKS; j++) {
        n[j][BYTES - 1] |= 1;
        tasks[j] = (monpro_pow_task){x, BYTES, e, BYTES, n[j], BYTES, z[j]};
        check_status(monpro_modexp(x, BYTES, e, BYTES, n[j], BYTES, expected[j]), MONPRO_STATUS_OK, "a power");
    }
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        memset(z, 0, sizeof z);
        fesetround(directions[i]);
        check_status(monpro_pow_batch(tasks, TASKS), MONPRO_STATUS_OK, "a batch under another rounding");
        check_status(monpro_modexp(x, BYTES, e, BYTES, n[1], BYTES, power), MONPRO_STATUS_OK,
                     "a power under another rounding");
        fesetround(FE_TONEAREST);
        check(memcmp(z, expected, sizeof z) == 0, "the powers under another rounding");
        check(memcmp(power, expected[1], sizeof power) == 0, "a power alone under another rounding");
    }
}

/* Run with MONPRO_KERNEL=name. */
static int tell_kernel(void) {
    const uint8_t n[] = {7};
    monpro_modulus *modulus = NULL;
    monpro_status status = monpro_modulus_new(n, 1, NULL, &modulus);
    puts(status == MONPRO_STATUS_OK ? monpro_modulus_kernel(modulus) : monpro_status_message(status));
    monpro_modulus_free(modulus);
    return EXIT_SUCCESS;
}

int main(int count, char **arguments) {
    if (count == 1)
        return tell_kernel();
    powers_modulo_an_odd_number();
    what_is_refused();
    powers_modulo_any_number();
    powers_however_doubles_are_rounded();
    check(count == 2 && strcmp(monpro_version(), arguments[1]) == 0, "the version");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
