// A contender in a program of its own, which bench/src/peers.rs talks to.
//
// Started as `program --version`, it prints the library's version. Started as `program OPERATION N X Y E`,
// with numbers in hexadecimal (over GF(2), bit i is the coefficient of x^i), it prints "ready", or why it
// does not race; z starts as X. Each line of input is then a number of steps. The answer is a line with the
// nanoseconds of this thread's own time that the steps took, and z. bench/src describes the step of each
// operation.
#ifndef CHAIN_H
#define CHAIN_H

#include <stdio.h>
#include <string.h>
#include <time.h>

// The functions that a library's file defines.
static const char *library_version(void);
// Returns NULL, or why these operands are not raced.
static const char *prepare(const char *operation, const char *n, const char *x, const char *y, const char *e);
// Prints z in hexadecimal, without an end of the line.
static void print_value(void);

// An operation that the library has, and the function that does a number of its steps.
struct way {
	const char *operation;
	void (*advance)(long steps);
};

static double thread_time_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

// The function `main` of a library's file; an entry without an operation ends the list.
static int run(int count, char **arguments, const struct way *ways)
{
	if (count == 2 && !strcmp(arguments[1], "--version"))
		return puts(library_version()) < 0;
	if (count != 6) {
		fputs("usage: --version, or OPERATION N X Y E\n", stderr);
		return 2;
	}
	while (ways->operation && strcmp(ways->operation, arguments[1]))
		ways++;
	const char *refusal = "refused: the operation";
	if (ways->operation)
		refusal = prepare(arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
	puts(refusal ? refusal : "ready");
	fflush(stdout);
	long steps;
	while (!refusal && scanf("%ld", &steps) == 1) {
		double start = thread_time_ns();
		ways->advance(steps);
		printf("%.0f ", thread_time_ns() - start);
		print_value();
		puts("");
		fflush(stdout);
	}
	return 0;
}

#endif
