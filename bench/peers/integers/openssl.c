// OpenSSL, and AWS-LC, which has the same functions: modular exponentiation and Montgomery products of BIGNUMs, with
// the context of the modulus ready. RSA uses the library's own function, which checks its result with the public
// exponent; its blinding is switched off for rsa-crt, and left as it is for rsa-private.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../chain.h"

// The library of AWS-LC's Rust crate has a prefix before every name.
#if __has_include(<openssl/boringssl_prefix_symbols.h>)
#include <openssl/boringssl_prefix_symbols.h>
#endif
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/rsa.h>

enum { MAX_BYTES = 2048 };

static BIGNUM *n, *z, *y, *exponent;
static BN_MONT_CTX *montgomery;
static BN_CTX *context;
static RSA *key;
static int is_montgomery_form;

static const char *library_version(void)
{
#ifdef OPENSSL_IS_AWSLC
	return AWSLC_VERSION_NUMBER_STRING;
#else
	return OpenSSL_version(OPENSSL_VERSION_STRING);
#endif
}

// The key with the modulus n, its prime factor p = y and the private exponent d; the public exponent is
// 65537.
static void prepare_key(void)
{
	BIGNUM *q = BN_new(), *e = BN_new(), *dp = BN_new(), *dq = BN_new(), *coefficient = BN_new();
	BN_div(q, NULL, n, y, context);
	BN_set_word(e, RSA_F4);
	BN_sub(dp, y, BN_value_one());
	BN_mod(dp, exponent, dp, context);
	BN_sub(dq, q, BN_value_one());
	BN_mod(dq, exponent, dq, context);
	BN_mod_inverse(coefficient, q, y, context);
	key = RSA_new();
	RSA_set0_key(key, BN_dup(n), e, BN_dup(exponent));
	RSA_set0_factors(key, BN_dup(y), q);
	RSA_set0_crt_params(key, dp, dq, coefficient);
}

static const char *prepare(const char *operation, const char *modulus, const char *x, const char *multiplier,
			   const char *e)
{
	context = BN_CTX_new();
	montgomery = BN_MONT_CTX_new();
	BN_hex2bn(&n, modulus);
	BN_hex2bn(&z, x);
	BN_hex2bn(&y, multiplier);
	BN_hex2bn(&exponent, e);
	BN_MONT_CTX_set(montgomery, n, context);
	is_montgomery_form = !strncmp(operation, "mon", 3);
	if (is_montgomery_form) {
		BN_to_montgomery(z, z, montgomery, context);
		BN_to_montgomery(y, y, montgomery, context);
	}
	if (!strncmp(operation, "rsa", 3))
		prepare_key();
	if (!strcmp(operation, "rsa-crt"))
		RSA_set_flags(key, RSA_FLAG_NO_BLINDING);
	return NULL;
}

static void multiply(long steps)
{
	while (steps--)
		BN_mod_mul_montgomery(z, z, y, montgomery, context);
}

static void square(long steps)
{
	while (steps--)
		BN_mod_mul_montgomery(z, z, z, montgomery, context);
}

static void power(long steps)
{
	while (steps--)
		BN_mod_exp_mont_consttime(z, z, exponent, n, context, montgomery);
}

static void power_vartime(long steps)
{
	while (steps--)
		BN_mod_exp_mont(z, z, exponent, n, context, montgomery);
}

static void decrypt(long steps)
{
	unsigned char from[MAX_BYTES], to[MAX_BYTES];
	int length = RSA_size(key);
	while (steps--) {
		BN_bn2binpad(z, from, length);
		RSA_private_decrypt(length, from, to, key, RSA_NO_PADDING);
		BN_bin2bn(to, length, z);
	}
}

static void print_value(void)
{
	BIGNUM *value = BN_dup(z);
	if (is_montgomery_form)
		BN_from_montgomery(value, z, montgomery, context);
	char *hexadecimal = BN_bn2hex(value);
	fputs(hexadecimal, stdout);
	OPENSSL_free(hexadecimal);
	BN_free(value);
}

static const struct way ways[] = {{"monmul", multiply},	     {"monsqr", square},   {"modexp", power},
				  {"modexp-vartime", power_vartime}, {"rsa-crt", decrypt}, {"rsa-private", decrypt},
				  {NULL, NULL}};

int main(int count, char **arguments)
{
	return run(count, arguments, ways);
}
