// Measures the multiplier of polynomials over GF(2): prints the nanoseconds of one product of 64 by 64 bits,
// from independent PCLMULQDQ of the greatest width that this CPU has; prints nothing if the CPU has none.
#include <stdio.h>
#include <time.h>

#if defined(__x86_64__)
#include <immintrin.h>

// Enough chains to hide the latency of one product behind the others.
#define CHAINS 12
#define STEPS 200000L
#define ROUNDS 15

// Defines a function that does STEPS instructions in each of the chains.
#define MEASURED(name, instructions, vector, instruction)                          \
	__attribute__((target(instructions), noinline)) static void name(vector *z) \
	{                                                                           \
		vector t[CHAINS];                                                   \
		_Pragma("GCC unroll 12") for (int i = 0; i < CHAINS; i++) t[i] = z[i];  \
		for (long step = 0; step < STEPS; step++)                           \
			_Pragma("GCC unroll 12") for (int i = 0; i < CHAINS; i++)   \
				t[i] = instruction(t[i], t[i], 0x10);               \
		_Pragma("GCC unroll 12") for (int i = 0; i < CHAINS; i++) z[i] = t[i];  \
	}

MEASURED(measured_128, "pclmul,avx", __m128i, _mm_clmulepi64_si128)
MEASURED(measured_256, "vpclmulqdq,avx2", __m256i, _mm256_clmulepi64_epi128)
MEASURED(measured_512, "vpclmulqdq,avx512f", __m512i, _mm512_clmulepi64_epi128)

static double thread_time_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static void run(int lanes)
{
	static _Alignas(64) unsigned char z[64 * CHAINS] = {0x87};
	if (lanes == 1)
		measured_128((void *)z);
	else if (lanes == 2)
		measured_256((void *)z);
	else
		measured_512((void *)z);
}

int main(void)
{
	int lanes = 0;
	if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("avx"))
		lanes = 1;
	if (__builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx2"))
		lanes = 2;
	if (__builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f"))
		lanes = 4;
	if (!lanes)
		return 0;
	double best_ns = 1e300;
	for (int round = 0; round < ROUNDS; round++) {
		double start = thread_time_ns();
		run(lanes);
		double time_ns = thread_time_ns() - start;
		best_ns = time_ns < best_ns ? time_ns : best_ns;
	}
	printf("%.5f\n", best_ns / ((double)STEPS * CHAINS * lanes));
	return 0;
}
#else
int main(void)
{
	return 0;
}
#endif
