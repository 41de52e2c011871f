/* Powers by the kernels that are named, with a base and an exponent that Valgrind takes for undefined: it complains of each
   branch and address that depends on them. */
#include "check.h"
#include <valgrind/memcheck.h>

enum { LONGEST = 128, EXPONENT = 16 };

static const size_t lengths[] = {32, 64, LONGEST};
static int powers = 0;

static void check_kernel(const char *kernel, size_t length) {
    uint8_t n[LONGEST], base[LONGEST], exponent[EXPONENT], result[LONGEST];
    memset(n, 0xc7, length);
    memset(base, 0x35, length);
    memset(exponent, 0x9b, EXPONENT);
    monpro_modulus *modulus = NULL;
    monpro_status status = monpro_modulus_new(n, length, kernel, &modulus);
    /* Valgrind shows a CPU without ADX and AVX-512. */
    if (status == MONPRO_STATUS_UNUSABLE_KERNEL)
        return;
    check_status(status, MONPRO_STATUS_OK, kernel, (long)length);
    VALGRIND_MAKE_MEM_UNDEFINED(base, length);
    VALGRIND_MAKE_MEM_UNDEFINED(exponent, EXPONENT);
    unsigned before = VALGRIND_COUNT_ERRORS;
    status = monpro_pow(modulus, base, length, exponent, EXPONENT, result, length);
    check_status(status, MONPRO_STATUS_OK, kernel, (long)length);
    check(VALGRIND_COUNT_ERRORS == before, kernel, (long)length);
    monpro_modulus_free(modulus);
    powers++;
}

/* What an address tells is found. */
static void check_control(void) {
    volatile uint8_t table[] = {1, 2, 4, 8};
    uint8_t index = 2;
    VALGRIND_MAKE_MEM_UNDEFINED(&index, 1);
    unsigned before = VALGRIND_COUNT_ERRORS;
    table[0] = table[index & 3];
    check(VALGRIND_COUNT_ERRORS == before + 1, "an entry that is read alone", index & 3);
}

int main(int count, char **kernels) {
    check(RUNNING_ON_VALGRIND != 0, "Valgrind runs this", 0);
    for (int i = 1; i < count; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
            check_kernel(kernels[i], lengths[k]);
    check(powers > count, "more powers than kernels", powers);
    check_control();
    return verdict();
}
