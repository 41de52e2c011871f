// Measures the multipliers of this CPU: prints how many MULX, and how many VPMADD52LUQ on 512 bits, it does in a
// cycle, from independent instructions; 0 where the CPU lacks the instruction. A cycle is a third of the time of one
// IMUL in a dependent chain.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)
#define TURNS 20000L
#define ROUNDS 101
#define CYCLES_OF_IMUL 3

static double thread_time_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

#define FOUR(text) text text text text
#define TWELVE(text) FOUR(text) FOUR(text) FOUR(text)

// Each function does 12 instructions in each turn, and returns the nanoseconds of one instruction.
static double imul_in_a_chain(void)
{
	uint64_t x = 3;
	double start = thread_time_ns();
	for (long turn = 0; turn < TURNS; turn++)
		__asm__ volatile(TWELVE("imul %0, %0\n") : "+r"(x));
	return (thread_time_ns() - start) / (12 * TURNS);
}

static double mulx(void)
{
	double start = thread_time_ns();
	for (long turn = 0; turn < TURNS; turn++)
		__asm__ volatile(TWELVE("mulx %%r8, %%r9, %%r10\n") : : : "r8", "r9", "r10", "rdx");
	return (thread_time_ns() - start) / (12 * TURNS);
}

#define ONTO(sum) "vpmadd52luq %%zmm12, %%zmm13, %%zmm" sum "\n"

static double vpmadd52(void)
{
	double start = thread_time_ns();
	for (long turn = 0; turn < TURNS; turn++)
		__asm__ volatile(ONTO("0") ONTO("1") ONTO("2") ONTO("3") ONTO("4") ONTO("5") ONTO("6") ONTO("7") ONTO("8")
				 ONTO("9") ONTO("10") ONTO("11")
				 : : : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
				 "xmm10", "xmm11", "xmm12", "xmm13");
	return (thread_time_ns() - start) / (12 * TURNS);
}

static int by_value(const void *x, const void *y)
{
	double difference = *(const double *)x - *(const double *)y;
	return (difference > 0) - (difference < 0);
}

// The upper quartile over the rounds, because disturbances only slow; each stands between two measurements of the clock.
static double in_a_cycle(double (*instruction)(void))
{
	double rates[ROUNDS];
	for (int round = 0; round < ROUNDS; round++) {
		double before = imul_in_a_chain(), time = instruction(), after = imul_in_a_chain();
		rates[round] = (before + after) / (2 * CYCLES_OF_IMUL * time);
	}
	qsort(rates, ROUNDS, sizeof *rates, by_value);
	return rates[3 * ROUNDS / 4];
}

int main(void)
{
	double of_mulx = __builtin_cpu_supports("bmi2") ? in_a_cycle(mulx) : 0;
	double of_vpmadd52 = __builtin_cpu_supports("avx512ifma") ? in_a_cycle(vpmadd52) : 0;
	printf("%.2f %.2f\n", of_mulx, of_vpmadd52);
	return 0;
}
#else
int main(void)
{
	puts("0 0");
	return 0;
}
#endif
