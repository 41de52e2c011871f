// NTL: elements of the field as GF2E, whose modulus NTL prepares by its form.
#include "../chain.h"

#include <NTL/GF2E.h>
#include <NTL/ZZ.h>
#include <NTL/version.h>

using namespace NTL;

static GF2E z, y;
static ZZ exponent;

static int digit(char letter)
{
	return letter <= '9' ? letter - '0' : letter - 'a' + 10;
}

static GF2X polynomial(const char *hexadecimal)
{
	GF2X result;
	long count = strlen(hexadecimal);
	for (long i = 0; i < count; i++)
		for (long bit = 0; bit < 4; bit++)
			if (digit(hexadecimal[i]) >> bit & 1)
				SetCoeff(result, 4 * (count - 1 - i) + bit);
	return result;
}

static ZZ number(const char *hexadecimal)
{
	ZZ result;
	for (; *hexadecimal; hexadecimal++)
		result = 16 * result + digit(*hexadecimal);
	return result;
}

static const char *library_version(void)
{
	return NTL_VERSION;
}

static const char *prepare(const char *, const char *n, const char *x, const char *multiplier, const char *e)
{
	GF2E::init(polynomial(n));
	conv(z, polynomial(x));
	conv(y, polynomial(multiplier));
	exponent = number(e);
	return NULL;
}

static void multiply(long steps)
{
	while (steps--)
		mul(z, z, y);
}

static void square(long steps)
{
	while (steps--)
		sqr(z, z);
}

static void invert(long steps)
{
	while (steps--) {
		inv(z, z);
		add(z, z, y);
	}
}

static void power(long steps)
{
	while (steps--)
		power(z, z, exponent);
}

static void print_value(void)
{
	const GF2X &value = rep(z);
	for (long i = deg(value) / 4; i >= 0; i--) {
		int digit = 0;
		for (long bit = 3; bit >= 0; bit--)
			digit = 2 * digit + IsOne(coeff(value, 4 * i + bit));
		putchar("0123456789abcdef"[digit]);
	}
}

static const struct way ways[] = {{"mul", multiply}, {"sqr", square}, {"inv", invert}, {"pow", power}, {NULL, NULL}};

int main(int count, char **arguments)
{
	return run(count, arguments, ways);
}
