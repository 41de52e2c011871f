/* Uses moduli, fixed bases, batches by halves and fields of monpro.h as a program would. */
#include "check.h"

#define OK(call) check_status((call), MONPRO_STATUS_OK, #call, __LINE__)

static void products_and_powers(void) {
    const uint8_t n[] = {0xff, 0xf1}; /* 65521, a prime */
    const uint8_t x[] = {1, 0, 0}, y[] = {3}, e[] = {0x12, 0x34}, order[] = {0xff, 0xf0};
    uint8_t z[2], w[2];
    monpro_modulus *modulus = NULL;
    OK(monpro_modulus_new(n, sizeof n, NULL, &modulus));
    OK(monpro_mul(modulus, x, 3, y, 1, z, 2)); /* 65536·3 = 45 */
    check(z[0] == 0 && z[1] == 45, "a product", 0);
    OK(monpro_pow(modulus, y, 1, e, 2, z, 2));
    OK(monpro_pow_vartime(modulus, y, 1, e, 2, w, 2));
    check(memcmp(z, w, 2) == 0, "a power in variable time", 0);

    /* 3^e·3^(order - e) = 1 */
    const uint8_t rest[] = {0xed, 0xbc};
    const monpro_term terms[] = {{y, 1, e, 2}, {y, 1, rest, 2}};
    OK(monpro_multi_pow(modulus, terms, 2, z, 2));
    check(z[0] == 0 && z[1] == 1, "a product of powers", 0);
    OK(monpro_multi_pow_vartime(modulus, terms, 2, z, 2));
    check(z[0] == 0 && z[1] == 1, "a product of powers", 1);
    OK(monpro_multi_pow(modulus, NULL, 0, z, 2));
    check(z[0] == 0 && z[1] == 1, "the empty product", 0);

    monpro_fixed_base *powers = NULL;
    OK(monpro_fixed_base_new(modulus, y, 1, 16, &powers));
    monpro_modulus_free(modulus);
    OK(monpro_fixed_base_pow(powers, e, 2, z, 2));
    check(memcmp(z, w, 2) == 0, "a power of a fixed base", 0);
    OK(monpro_fixed_base_pow(powers, order, 2, z, 2));
    check(z[0] == 0 && z[1] == 1, "Fermat's little theorem", 0);
    const uint8_t zeros[] = {0, 0, 0x12, 0x34}, longer[] = {1, 0x12, 0x34};
    OK(monpro_fixed_base_pow(powers, zeros, 4, z, 2));
    check(memcmp(z, w, 2) == 0, "leading zeros of an exponent", 0);
    check_status(monpro_fixed_base_pow(powers, longer, 3, z, 2), MONPRO_STATUS_EXPONENT_TOO_LONG, "17 bits", 0);
    monpro_fixed_base_free(powers);
}

static void powers_by_halves(void) {
    const uint8_t x[] = {2}, p[] = {11}, q[] = {7}, d_p[] = {3}, d_q[] = {1}, inverse[] = {8}, even[] = {10};
    uint8_t z[2], w[2] = {0xa5, 0xa5};
    monpro_crt_task tasks[] = {
        {x, 1, p, 1, q, 1, d_p, 1, d_q, 1, inverse, 1, z},
        {x, 1, q, 1, p, 1, d_q, 1, d_p, 1, x, 1, w}, /* 11·2 = 1 mod 7 */
    };
    OK(monpro_pow_crt_batch(tasks, 2));
    check(z[0] == 0 && z[1] == 30 && memcmp(z, w, 2) == 0, "2^43 mod 77", 0);
    OK(monpro_pow_crt_batch(NULL, 0));
    memset(z, 0xa5, 2);
    tasks[1].q_inverse = d_q;
    check_status(monpro_pow_crt_batch(tasks, 2), MONPRO_STATUS_NOT_INVERTIBLE, "no inverse of q", 0);
    tasks[1].q = even;
    check_status(monpro_pow_crt_batch(tasks, 2), MONPRO_STATUS_EVEN_MODULUS, "an even q", 0);
    tasks[1].q_length = 0;
    check_status(monpro_pow_crt_batch(tasks, 2), MONPRO_STATUS_ZERO_MODULUS, "no q", 0);
    check(z[0] == 0xa5 && z[1] == 0xa5, "nothing is written", 0);
}

static void the_field_of_aes(void) {
    const uint8_t polynomial[] = {1, 0x1b}, x[] = {0x57}, y[] = {0x83}, a[] = {0x53}, order[] = {0xff}, zero[] = {0};
    uint8_t z[1], w[1], list[3] = {0x53, 0x57, 0x83}, inverses[3];
    int trace[3];
    monpro_field *field = NULL;
    OK(monpro_field_new(polynomial, 2, NULL, &field));
    check(monpro_field_degree(field) == 8 && monpro_field_bytes(field) == 1, "the size of the field", 0);
    check(strlen(monpro_field_kernel(field)) > 0, "the kernel of the field", 0);
    OK(monpro_field_add(field, x, y, z, 1));
    check(z[0] == 0xd4, "57 + 83", 0);
    OK(monpro_field_mul(field, x, y, z, 1));
    check(z[0] == 0xc1, "57·83", 0); /* FIPS 197, section 4.2 */
    OK(monpro_field_inverse(field, a, z, 1));
    check(z[0] == 0xca, "53^-1", 0);
    check_status(monpro_field_inverse(field, zero, z, 1), MONPRO_STATUS_NOT_INVERTIBLE, "0^-1", 0);
    OK(monpro_field_square(field, x, z, 1));
    OK(monpro_field_frobenius(field, x, 9, w, 1)); /* x^(2^9) = x^2 */
    check(z[0] == w[0], "a square by Frobenius' automorphism", 0);
    OK(monpro_field_sqrt(field, z, w, 1));
    check(w[0] == x[0], "the root of a square", 0);
    OK(monpro_field_pow(field, x, order, 1, z, 1));
    check(z[0] == 1, "x^255", 0);
    OK(monpro_field_pow_vartime(field, x, NULL, 0, z, 1));
    check(z[0] == 1, "x^0", 0);
    OK(monpro_field_dot(field, list, list + 1, 2, z, 1)); /* 53·57 + 57·83 = 57·(53 + 83) */
    w[0] = 0x53 ^ 0x83;
    OK(monpro_field_mul(field, w, x, w, 1));
    check(z[0] == w[0], "a dot product", 0);
    OK(monpro_field_batch_inverse(field, list, 3, inverses, 1));
    for (int i = 0; i < 3; i++) {
        OK(monpro_field_mul(field, list + i, inverses + i, z, 1));
        check(z[0] == 1, "an inverse of a list", i);
    }
    w[0] = list[0] ^ list[1];
    OK(monpro_field_trace(field, list, 1, &trace[0]));
    OK(monpro_field_trace(field, list + 1, 1, &trace[1]));
    OK(monpro_field_trace(field, w, 1, &trace[2]));
    check((trace[0] ^ trace[1]) == trace[2], "the trace is linear", 0);
    check_status(monpro_field_half_trace(field, x, z, 1), MONPRO_STATUS_EVEN_DEGREE, "a half-trace", 0);
    monpro_field_free(field);
}

static void fields_of_exponents(void) {
    const size_t exponents[] = {7, 1, 0}, twice[] = {7, 1, 1}, reducible[] = {8, 0}, high[] = {65537, 1, 0};
    monpro_field *field = NULL;
    OK(monpro_field_from_exponents(exponents, 3, &field));
    int ones = 0;
    for (int i = 0; i < 128; i++) {
        uint8_t x[] = {(uint8_t)i}, h[1], sum[1];
        int trace;
        OK(monpro_field_trace(field, x, 1, &trace));
        ones += trace;
        OK(monpro_field_half_trace(field, x, h, 1));
        OK(monpro_field_square(field, h, sum, 1));
        check((sum[0] ^ h[0]) == (i ^ trace), "h² + h = x + Tr(x)", i);
    }
    check(ones == 64, "half of the elements have the trace 1", ones);
    const uint8_t element_too_high[] = {0x80};
    uint8_t z[1];
    check_status(monpro_field_square(field, element_too_high, z, 1), MONPRO_STATUS_NOT_REDUCED, "degree 7", 0);
    monpro_field_free(field);
    check_status(monpro_field_from_exponents(twice, 3, &field), MONPRO_STATUS_REPEATED_EXPONENT, "twice", 0);
    check_status(monpro_field_from_exponents(reducible, 2, &field), MONPRO_STATUS_REDUCIBLE_POLYNOMIAL, "(x+1)^8", 0);
    check_status(monpro_field_from_exponents(high, 3, &field), MONPRO_STATUS_DEGREE_TOO_HIGH, "degree 65537", 0);
    check(field == NULL, "nothing was made", 0);
}

int main(void) {
    products_and_powers();
    powers_by_halves();
    the_field_of_aes();
    fields_of_exponents();
    return verdict();
}
