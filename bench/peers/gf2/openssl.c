// OpenSSL: BN_GF2m, with the modulus as its array of exponents if the function takes one.
#include "../chain.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>

enum { MAX_TERMS = 1024 };

static BIGNUM *n, *z, *y, *exponent;
static int exponents[MAX_TERMS];
static BN_CTX *context;

static const char *library_version(void)
{
	return OpenSSL_version(OPENSSL_VERSION_STRING);
}

static const char *prepare(const char *operation, const char *modulus, const char *x, const char *multiplier,
			   const char *e)
{
	context = BN_CTX_new();
	BN_hex2bn(&n, modulus);
	BN_hex2bn(&z, x);
	BN_hex2bn(&y, multiplier);
	BN_hex2bn(&exponent, e);
	int terms = BN_GF2m_poly2arr(n, exponents, MAX_TERMS);
	if (terms <= 0 || terms > MAX_TERMS)
		return "refused: the degree of the modulus";
	// The inverse reduces its operand by a function of its own.
	if (!strcmp(operation, "inv") && !BN_GF2m_mod(y, y, n))
		return "refused: the terms of the modulus";
	return NULL;
}

static void multiply(long steps)
{
	while (steps--)
		BN_GF2m_mod_mul_arr(z, z, y, exponents, context);
}

static void square(long steps)
{
	while (steps--)
		BN_GF2m_mod_sqr_arr(z, z, exponents, context);
}

static void invert(long steps)
{
	while (steps--) {
		BN_GF2m_mod_inv(z, z, n, context);
		BN_GF2m_add(z, z, y);
	}
}

static void power(long steps)
{
	while (steps--)
		BN_GF2m_mod_exp_arr(z, z, exponent, exponents, context);
}

static void print_value(void)
{
	char *hexadecimal = BN_bn2hex(z);
	fputs(hexadecimal, stdout);
	OPENSSL_free(hexadecimal);
}

static const struct way ways[] = {{"mul", multiply}, {"sqr", square}, {"inv", invert}, {"pow", power}, {NULL, NULL}};

int main(int count, char **arguments)
{
	return run(count, arguments, ways);
}
