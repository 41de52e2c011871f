/* The five methods of [koc96] and its square by SOS, in C, with words of 32 bits.
 *
 * A product of two words is made of products of halves, of 16 bits, as in the C programs that the paper timed
 * [koc96, §9]; compiled with -DWHOLE_WORDS it is one multiplication; with
 * -DTWO_WORDS_FIRST the function ADD has no branch that depends on the operands but for rare carries. The statements are those of the paper, CIHS
 * with the carries that its print loses.
 *
 *   koc96 check          reads s, n, n0', a and b from the standard input, in words, and prints each result
 *   koc96 time BITS MS   prints the nanoseconds of each product of BITS bits, from batches of MS milliseconds
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_WORDS 64

typedef uint32_t word;
typedef struct {
  word high, low;
} pair;
typedef void method(word *u, const word *a, const word *b, const word *n, word n0, int s);

static word t[2 * MOST_WORDS + 1], m_words[MOST_WORDS];

static inline pair product(word a, word b) {
#ifdef WHOLE_WORDS
  uint64_t whole = (uint64_t)a * b;
  return (pair){(word)(whole >> 32), (word)whole};
#else
  word a0 = a & 0xffff, a1 = a >> 16, b0 = b & 0xffff, b1 = b >> 16;
  word low = a0 * b0, middle = a1 * b0 + (low >> 16), other = a0 * b1 + (middle & 0xffff);
  return (pair){a1 * b1 + (middle >> 16) + (other >> 16), other << 16 | (low & 0xffff)};
#endif
}

static inline pair plus(pair sum, word x) {
  word low = sum.low + x;
  return (pair){sum.high + (low < x), low};
}

/* Adds C to x[0] and propagates the carry. With TWO_WORDS_FIRST the first two words are added to without a branch. */
static inline void add(word *x, word carry) {
#ifdef TWO_WORDS_FIRST
  for (int i = 0; i < 2; i++, x++) {
    *x += carry;
    carry = *x < carry;
  }
#endif
  for (; carry; x++) {
    *x += carry;
    carry = *x < carry;
  }
}

/* u − n if u ≥ n, else u, for u of s + 1 words; into u. */
static void step_3(word *result, const word *u, const word *n, int s) {
  word borrow = 0, difference[MOST_WORDS];
  for (int i = 0; i < s; i++) {
    word d = u[i] - n[i], e = d - borrow;
    borrow = (u[i] < n[i]) | (d < borrow);
    difference[i] = e;
  }
  memcpy(result, u[s] < borrow ? u : difference, s * sizeof(word));
}

static void reduce(word *u, const word *n, word n0, int s) {
  for (int i = 0; i < s; i++) {
    pair x = {0, 0};
    word m = t[i] * n0;
    for (int j = 0; j < s; j++) {
      x = plus(plus(product(m, n[j]), t[i + j]), x.high);
      t[i + j] = x.low;
    }
    add(&t[i + s], x.high);
  }
  step_3(u, t + s, n, s);
}

static void sos(word *u, const word *a, const word *b, const word *n, word n0, int s) {
  memset(t, 0, sizeof t);
  for (int i = 0; i < s; i++) {
    pair x = {0, 0};
    for (int j = 0; j < s; j++) {
      x = plus(plus(product(a[j], b[i]), t[i + j]), x.high);
      t[i + j] = x.low;
    }
    t[i + s] = x.high;
  }
  reduce(u, n, n0, s);
}

/* The square: each product a[j]·a[i] once; the sum is doubled, then the squares of words are added [koc96, §4]. */
static void sos_square(word *u, const word *a, const word *b, const word *n, word n0, int s) {
  (void)b;
  memset(t, 0, sizeof t);
  for (int i = 0; i < s; i++) {
    pair x = {0, 0};
    for (int j = i + 1; j < s; j++) {
      x = plus(plus(product(a[j], a[i]), t[i + j]), x.high);
      t[i + j] = x.low;
    }
    t[i + s] = x.high;
  }
  word top = 0;
  pair x = {0, 0};
  for (int i = 0; i < s; i++) {
    word even = t[2 * i], odd = t[2 * i + 1];
    x = plus(plus(product(a[i], a[i]), even << 1 | top), x.high);
    t[2 * i] = x.low;
    x = plus((pair){0, x.high}, odd << 1 | even >> 31);
    t[2 * i + 1] = x.low;
    top = odd >> 31;
  }
  reduce(u, n, n0, s);
}

static void cios(word *u, const word *a, const word *b, const word *n, word n0, int s) {
  memset(t, 0, sizeof t);
  for (int i = 0; i < s; i++) {
    pair x = {0, 0};
    for (int j = 0; j < s; j++) {
      x = plus(plus(product(a[j], b[i]), t[j]), x.high);
      t[j] = x.low;
    }
    x = plus((pair){0, t[s]}, x.high);
    t[s] = x.low;
    t[s + 1] = x.high;
    word m = t[0] * n0;
    x = plus(product(m, n[0]), t[0]);
    for (int j = 1; j < s; j++) {
      x = plus(plus(product(m, n[j]), t[j]), x.high);
      t[j - 1] = x.low;
    }
    x = plus((pair){0, t[s]}, x.high);
    t[s - 1] = x.low;
    t[s] = t[s + 1] + x.high;
  }
  step_3(u, t, n, s);
}

static void fios(word *u, const word *a, const word *b, const word *n, word n0, int s) {
  memset(t, 0, sizeof t);
  for (int i = 0; i < s; i++) {
    pair x = plus(product(a[0], b[i]), t[0]);
    add(&t[1], x.high);
    word m = x.low * n0;
    x = plus(product(m, n[0]), x.low);
    for (int j = 1; j < s; j++) {
      pair y = plus(plus(product(a[j], b[i]), t[j]), x.high);
      add(&t[j + 1], y.high);
      x = plus(product(m, n[j]), y.low);
      t[j - 1] = x.low;
    }
    x = plus((pair){0, t[s]}, x.high);
    t[s - 1] = x.low;
    t[s] = t[s + 1] + x.high;
    t[s + 1] = 0;
  }
  step_3(u, t, n, s);
}

static void fips(word *u, const word *a, const word *b, const word *n, word n0, int s) {
  word *m = m_words;
  t[0] = t[1] = t[2] = t[3] = 0;
  for (int i = 0; i < 2 * s; i++) {
    for (int j = i < s ? 0 : i - s + 1; j < (i < s ? i : s); j++) {
      pair x = plus(product(a[j], b[i - j]), t[0]);
      add(&t[1], x.high);
      x = plus(product(m[j], n[i - j]), x.low);
      t[0] = x.low;
      add(&t[1], x.high);
    }
    if (i < s) {
      pair x = plus(product(a[i], b[0]), t[0]);
      add(&t[1], x.high);
      m[i] = x.low * n0;
      x = plus(product(m[i], n[0]), x.low);
      add(&t[1], x.high);
    } else {
      m[i - s] = t[0];
    }
    t[0] = t[1];
    t[1] = t[2];
    t[2] = 0;
  }
  word result[MOST_WORDS + 1];
  memcpy(result, m, s * sizeof(word));
  result[s] = t[0];
  step_3(u, result, n, s);
}

static void cihs(word *u, const word *a, const word *b, const word *n, word n0, int s) {
  memset(t, 0, sizeof t);
  for (int i = 0; i < s; i++) {
    pair x = {0, 0};
    for (int j = 0; j < s - i; j++) {
      x = plus(plus(product(a[j], b[i]), t[i + j]), x.high);
      t[i + j] = x.low;
    }
    x = plus((pair){0, t[s]}, x.high);
    t[s] = x.low;
    t[s + 1] += x.high;
  }
  for (int i = 0; i < s; i++) {
    word m = t[0] * n0;
    pair x = plus(product(m, n[0]), t[0]);
    for (int j = 1; j < s; j++) {
      x = plus(plus(product(m, n[j]), t[j]), x.high);
      t[j - 1] = x.low;
    }
    x = plus((pair){0, t[s]}, x.high);
    t[s - 1] = x.low;
    t[s] = t[s + 1] + x.high;
    t[s + 1] = 0;
    for (int j = i + 1; j < s; j++) {
      x = plus(product(b[j], a[s - j + i]), t[s - 1]);
      t[s - 1] = x.low;
      x = plus((pair){0, t[s]}, x.high);
      t[s] = x.low;
      t[s + 1] += x.high;
    }
  }
  step_3(u, t, n, s);
}

static const struct {
  const char *name;
  method *compute;
} methods[] = {{"SOS", sos}, {"CIOS", cios}, {"FIOS", fios}, {"FIPS", fips}, {"CIHS", cihs}, {"SOS square", sos_square}};
#define METHODS (int)(sizeof methods / sizeof *methods)

static int read_words(word *x, int count) {
  for (int i = 0; i < count; i++)
    if (scanf("%" SCNx32, &x[i]) != 1)
      return 0;
  return 1;
}

static int check(void) {
  word s, n0, n[MOST_WORDS], a[MOST_WORDS], b[MOST_WORDS], u[MOST_WORDS];
  if (!read_words(&s, 1) || s < 1 || s > MOST_WORDS || !read_words(n, s) || !read_words(&n0, 1) || !read_words(a, s) ||
      !read_words(b, s))
    return 2;
  for (int k = 0; k < METHODS; k++) {
    methods[k].compute(u, a, b, n, n0, (int)s);
    for (word i = 0; i < s; i++)
      printf("%" PRIx32 "%c", u[i], i + 1 < s ? ' ' : '\n');
  }
  return 0;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* The time of a step in a chain z ← z·b, in ns. */
static double time_of(method *compute, int s, double batch_ns) {
  word n[MOST_WORDS], b[MOST_WORDS], z[MOST_WORDS], n0 = 1;
  for (int i = 0; i < s; i++) {
    n[i] = (word)(i + 1) * 0x9e3779b1u | (i ? 0 : 1);
    b[i] = z[i] = (word)(i + 1) * 0x85ebca6bu;
  }
  n[s - 1] |= 0x80000000u;
  b[s - 1] = z[s - 1] = 0x12345678;
  for (int i = 0; i < 5; i++)
    n0 *= 2 - n[0] * n0;
  n0 = -n0;
  for (int count = 1;; count *= 2) {
    double start = now();
    for (int i = 0; i < count; i++)
      compute(z, z, b, n, n0, s);
    double taken = now() - start;
    if (taken >= batch_ns)
      return taken / count;
  }
}

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "check"))
    return check();
  int bits = count == 4 && !strcmp(arguments[1], "time") ? atoi(arguments[2]) : 0;
  if (bits < 32 || bits > 32 * MOST_WORDS || bits % 32)
    return 2;
  for (int k = 0; k < METHODS; k++)
    printf("%s: %.1f\n", methods[k].name, time_of(methods[k].compute, bits / 32, 1e6 * atof(arguments[3])));
  return 0;
}
