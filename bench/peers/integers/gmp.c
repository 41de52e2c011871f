// GMP: mpz_powm_sec and mpz_powm, which compute the constants of the modulus in every call; Montgomery
// products by mpn_mul_n or mpn_sqr and the reduction that mpz_powm uses for small moduli; RSA by two powers
// and their recombination; mpz_powm from bytes to bytes.
#include "../chain.h"

#include <gmp.h>
#include <stdlib.h>

// Not in gmp.h, but exported: u[0..size) = t/2^(64*size) mod m, except for a multiple of m that the returned
// carry indicates.
mp_limb_t __gmpn_redc_1(mp_ptr u, mp_ptr t, mp_srcptr m, mp_size_t size, mp_limb_t negative_inverse);

static mpz_t n, z, y, exponent;
static int is_montgomery_form;
// The operands of Montgomery products.
static mp_size_t size;
static mp_limb_t *modulus_limbs, *z_limbs, *y_limbs, *t, negative_inverse;
// The key of RSA: the prime factors p and q, the exponents modulo p - 1 and q - 1, and the inverse of q
// modulo p.
static mpz_t p, q, dp, dq, coefficient;

static const char *library_version(void)
{
	return gmp_version;
}

// The limbs of number*2^(64*size) mod n.
static mp_limb_t *montgomery_form(const mpz_t number)
{
	mpz_t form;
	mpz_init(form);
	mpz_mul_2exp(form, number, GMP_NUMB_BITS * size);
	mpz_mod(form, form, n);
	mp_limb_t *limbs = calloc(size, sizeof *limbs);
	mpn_copyi(limbs, mpz_limbs_read(form), mpz_size(form));
	mpz_clear(form);
	return limbs;
}

static void prepare_products(void)
{
	size = mpz_size(n);
	modulus_limbs = calloc(size, sizeof *modulus_limbs);
	mpn_copyi(modulus_limbs, mpz_limbs_read(n), size);
	z_limbs = montgomery_form(z);
	y_limbs = montgomery_form(y);
	t = calloc(2 * size, sizeof *t);
	mp_limb_t inverse = 1;
	for (int bits = 1; bits < GMP_NUMB_BITS; bits *= 2)
		inverse *= 2 - modulus_limbs[0] * inverse;
	negative_inverse = -inverse;
}

// The key with the modulus n, its prime factor p = y and the private exponent.
static void prepare_key(void)
{
	mpz_inits(p, q, dp, dq, coefficient, NULL);
	mpz_set(p, y);
	mpz_divexact(q, n, p);
	mpz_sub_ui(dp, p, 1);
	mpz_mod(dp, exponent, dp);
	mpz_sub_ui(dq, q, 1);
	mpz_mod(dq, exponent, dq);
	mpz_invert(coefficient, q, p);
}

// Big-endian bytes and their number; the result has as many bytes as the modulus.
struct bytes {
	unsigned char *first;
	size_t count;
};
static struct bytes base_bytes, exponent_bytes, modulus_bytes, power_bytes;

static struct bytes to_bytes(const mpz_t number)
{
	struct bytes bytes = {malloc(mpz_sizeinbase(number, 256)), 0};
	mpz_export(bytes.first, &bytes.count, 1, 1, 1, 0, number);
	return bytes;
}

static void prepare_bytes(void)
{
	base_bytes = to_bytes(z);
	exponent_bytes = to_bytes(exponent);
	modulus_bytes = to_bytes(n);
	power_bytes.first = malloc(modulus_bytes.count);
}

static const char *prepare(const char *operation, const char *modulus, const char *x, const char *multiplier,
			   const char *e)
{
	mpz_init_set_str(n, modulus, 16);
	mpz_init_set_str(z, x, 16);
	mpz_init_set_str(y, multiplier, 16);
	mpz_init_set_str(exponent, e, 16);
	is_montgomery_form = !strncmp(operation, "mon", 3);
	if (is_montgomery_form)
		prepare_products();
	if (!strcmp(operation, "rsa-crt"))
		prepare_key();
	if (!strcmp(operation, "modexp-bytes"))
		prepare_bytes();
	return NULL;
}

static void reduce(void)
{
	if (__gmpn_redc_1(z_limbs, t, modulus_limbs, size, negative_inverse) ||
	    mpn_cmp(z_limbs, modulus_limbs, size) >= 0)
		mpn_sub_n(z_limbs, z_limbs, modulus_limbs, size);
}

static void multiply(long steps)
{
	while (steps--) {
		mpn_mul_n(t, z_limbs, y_limbs, size);
		reduce();
	}
}

static void square(long steps)
{
	while (steps--) {
		mpn_sqr(t, z_limbs, size);
		reduce();
	}
}

static void power(long steps)
{
	while (steps--)
		mpz_powm_sec(z, z, exponent, n);
}

static void power_vartime(long steps)
{
	while (steps--)
		mpz_powm(z, z, exponent, n);
}

static void decrypt(long steps)
{
	mpz_t modulo_p, modulo_q;
	mpz_inits(modulo_p, modulo_q, NULL);
	while (steps--) {
		mpz_mod(modulo_p, z, p);
		mpz_mod(modulo_q, z, q);
		mpz_powm_sec(modulo_p, modulo_p, dp, p);
		mpz_powm_sec(modulo_q, modulo_q, dq, q);
		mpz_sub(modulo_p, modulo_p, modulo_q);
		mpz_mul(modulo_p, modulo_p, coefficient);
		mpz_mod(modulo_p, modulo_p, p);
		mpz_mul(modulo_p, modulo_p, q);
		mpz_add(z, modulo_p, modulo_q);
	}
	mpz_clears(modulo_p, modulo_q, NULL);
}

static void power_of_bytes(long steps)
{
	while (steps--) {
		mpz_t base, e, modulus;
		mpz_inits(base, e, modulus, NULL);
		mpz_import(base, base_bytes.count, 1, 1, 1, 0, base_bytes.first);
		mpz_import(e, exponent_bytes.count, 1, 1, 1, 0, exponent_bytes.first);
		mpz_import(modulus, modulus_bytes.count, 1, 1, 1, 0, modulus_bytes.first);
		mpz_powm(base, base, e, modulus);
		mpz_export(power_bytes.first, &power_bytes.count, 1, 1, 1, 0, base);
		mpz_clears(base, e, modulus, NULL);
	}
	mpz_import(z, power_bytes.count, 1, 1, 1, 0, power_bytes.first);
}

static void print_value(void)
{
	if (!is_montgomery_form) {
		mpz_out_str(stdout, 16, z);
		return;
	}
	mpz_t value, radix;
	mpz_inits(value, radix, NULL);
	mpz_ui_pow_ui(radix, 2, GMP_NUMB_BITS * size);
	mpz_invert(radix, radix, n);
	mpz_import(value, size, -1, sizeof *z_limbs, 0, 0, z_limbs);
	mpz_mul(value, value, radix);
	mpz_mod(value, value, n);
	mpz_out_str(stdout, 16, value);
	mpz_clears(value, radix, NULL);
}

static const struct way ways[] = {{"monmul", multiply},	     {"monsqr", square},   {"modexp", power},
				  {"modexp-vartime", power_vartime}, {"rsa-crt", decrypt}, {"modexp-bytes", power_of_bytes},
				  {NULL, NULL}};

int main(int count, char **arguments)
{
	return run(count, arguments, ways);
}
