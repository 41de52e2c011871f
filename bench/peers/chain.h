// A contender in a program of its own: what bench/src/binary_fields/peers.rs talks to.
//
// Started as `program --version` it prints the library's version. Started as `program OPERATION N X Y E`, numbers
// in hexadecimal, bit i being the coefficient of x^i, it prints "ready", or why it does not race; z starts as X.
// Then each line of input with a number of steps is answered by a line with the nanoseconds that they took, of this
// thread's own time, and z. A step takes z to z*Y ("mul"), z^2 ("sqr"), 1/z + Y ("inv") or z^E ("pow").
#ifndef CHAIN_H
#define CHAIN_H

#include <stdio.h>
#include <string.h>
#include <time.h>

// What a library's file defines.
static const char *library_version(void);
// Returns NULL, or why these operands are not raced.
static const char *prepare(const char *operation, const char *n, const char *x, const char *y, const char *e);
static void multiply(long steps);
static void square(long steps);
static void invert(long steps);
static void power(long steps);
// Prints z in hexadecimal, without an end of the line.
static void print_value(void);

static double thread_time_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static int run(int count, char **arguments)
{
	const char *names[] = {"mul", "sqr", "inv", "pow"};
	void (*const ways[])(long) = {multiply, square, invert, power};
	if (count == 2 && !strcmp(arguments[1], "--version"))
		return puts(library_version()) < 0;
	void (*advance)(long) = NULL;
	for (int i = 0; i < 4; i++)
		if (count == 6 && !strcmp(arguments[1], names[i]))
			advance = ways[i];
	if (!advance) {
		fputs("usage: --version, or mul|sqr|inv|pow N X Y E\n", stderr);
		return 2;
	}
	const char *refusal =
		prepare(arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
	puts(refusal ? refusal : "ready");
	fflush(stdout);
	long steps;
	while (!refusal && scanf("%ld", &steps) == 1) {
		double start = thread_time_ns();
		advance(steps);
		printf("%.0f ", thread_time_ns() - start);
		print_value();
		puts("");
		fflush(stdout);
	}
	return 0;
}

#endif
