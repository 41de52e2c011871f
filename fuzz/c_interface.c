/* Random calls of the C interface, compared with GMP, at the edges of pages that cannot be touched.

   cc -O1 -g -fsanitize=address,undefined -I PREFIX/include fuzz/c_interface.c PREFIX/lib/libmonpro.a \
       -lgmp -lpthread -ldl -lm -o target/c_interface
   target/c_interface SECONDS [SEED]

   A sanitizer sees what this program does, but not what the Rust code does. So every number lies in an arena between two
   pages without access, at its beginning or at its end, and a byte too many is a fault. Results are laid over inputs in
   every way. The seed is printed; it makes the same calls again. */
#define _GNU_SOURCE
#include <gmp.h>
#include <monpro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, SPACE = 4 * PAGE, MOST_TASKS = 20, NUMBERS = 4 };

typedef struct {
    uint8_t *start, *end;
} arena;

/* One power: base, exponent, modulus and result, where they lie, and the result that GMP gives. */
typedef struct {
    uint8_t *bytes[NUMBERS];
    size_t length[NUMBERS];
    uint8_t wanted[SPACE];
} power;

static uint64_t state;
static arena arenas[MOST_TASKS][NUMBERS];
static power powers[MOST_TASKS];
static unsigned long seed, cases;

static uint32_t below(uint32_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state * 0x2545f4914f6cdd1du >> 32) % bound;
}

static void expect(int is_right, const char *what) {
    if (is_right)
        return;
    fprintf(stderr, "wrong: %s, with the seed %lu after %lu cases\n", what, seed, cases);
    abort();
}

static arena new_arena(void) {
    uint8_t *pages = mmap(NULL, SPACE + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(pages != MAP_FAILED && mprotect(pages + PAGE, SPACE, PROT_READ | PROT_WRITE) == 0, "pages for an arena");
    return (arena){pages + PAGE, pages + PAGE + SPACE};
}

/* A length: mostly short, often about a multiple of the words of all kernels, seldom long. */
static size_t some_length(size_t most) {
    size_t length = below(4) == 0 ? below(6) : below(3) == 0 ? 8 * below(20) + below(3) : below(200);
    if (below(40) == 0)
        length = below((uint32_t)most + 1);
    return length < most ? length : most;
}

static void fill(uint8_t *bytes, size_t length) {
    uint32_t kind = below(6);
    memset(bytes, kind == 0 ? 0xff : 0, length);
    if (kind == 1 && length > 0)
        bytes[below((uint32_t)length)] = (uint8_t)(1 << below(8));
    for (size_t i = kind == 2 ? length / 2 : 0; kind >= 2 && i < length; i++)
        bytes[i] = (uint8_t)below(256);
}

/* Numbers of random lengths, each in an arena of its own or, laid over each other, in one. */
static void new_power(power *one, const arena own[NUMBERS]) {
    int is_shared = below(3) == 0;
    one->length[2] = some_length(1500);
    one->length[0] = some_length(2000);
    /* So that a case takes milliseconds. */
    one->length[1] = some_length(one->length[2] > 600 ? 4 : 300);
    one->length[3] = one->length[2];
    for (int i = 0; i < NUMBERS; i++) {
        const arena *place = &own[is_shared ? 0 : i];
        size_t length = one->length[i], room = is_shared ? below(300) : 0;
        one->bytes[i] = below(2) == 0 ? place->start + room : place->end - length - room;
        fill(one->bytes[i], length);
    }
}

/* What GMP gives for the numbers as they now are. */
static void ask_gmp(power *one) {
    mpz_t number[3];
    for (int i = 0; i < 3; i++) {
        mpz_init(number[i]);
        mpz_import(number[i], one->length[i], 1, 1, 1, 0, one->bytes[i]);
    }
    memset(one->wanted, 0, one->length[3]);
    if (mpz_sgn(number[2]) != 0) {
        mpz_powm(number[0], number[0], number[1], number[2]);
        size_t length = (mpz_sizeinbase(number[0], 2) + 7) / 8;
        mpz_export(one->wanted + one->length[3] - (mpz_sgn(number[0]) == 0 ? 0 : length), NULL, 1, 1, 1, 0, number[0]);
    }
    for (int i = 0; i < 3; i++)
        mpz_clear(number[i]);
}

static monpro_pow_task task_of(const power *one) {
    return (monpro_pow_task){one->bytes[0], one->length[0], one->bytes[1], one->length[1],
                             one->bytes[2], one->length[2], one->bytes[3]};
}

static void expect_wanted(const power *one) {
    expect(memcmp(one->bytes[3], one->wanted, one->length[3]) == 0, "the result");
}

static void call_modexp(power *one) {
    ask_gmp(one);
    monpro_pow_task t = task_of(one);
    monpro_status (*function)(const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *) =
        below(2) == 0 ? monpro_modexp : monpro_modexp_vartime;
    expect(function(t.base, t.base_length, t.exponent, t.exponent_length, t.modulus, t.modulus_length, t.result) ==
               MONPRO_STATUS_OK,
           "the status of a power");
    expect_wanted(one);
}

static void call_batch(uint32_t count) {
    monpro_pow_task tasks[MOST_TASKS];
    for (uint32_t i = 0; i < count; i++) {
        new_power(&powers[i], arenas[i]);
        ask_gmp(&powers[i]);
        tasks[i] = task_of(&powers[i]);
    }
    uint32_t bad = below(2 * count);
    if (bad < count) {
        tasks[bad].base = NULL;
        tasks[bad].base_length |= 1;
        expect(monpro_pow_batch(tasks, count) == MONPRO_STATUS_NULL_POINTER, "a bad task");
        tasks[bad] = task_of(&powers[bad]);
    }
    expect(monpro_pow_batch(tasks, count) == MONPRO_STATUS_OK, "the status of a batch");
    for (uint32_t i = 0; i < count; i++)
        expect_wanted(&powers[i]);
}

static void call_pow(power *one) {
    static const char *const names[] = {NULL, NULL, "sos", "cios", "fios", "fips", "cihs", "sos-w32", "cios-pairs",
                                        "sos-mulx", "sos-adx", "redc-ifma", "redc-ifma-w51", "cios-gf2", "nonsense"};
    const char *name = names[below(sizeof names / sizeof *names)];
    monpro_modulus *modulus;
    monpro_status status = monpro_modulus_new(one->bytes[2], one->length[2], name, &modulus);
    int is_odd = one->length[2] > 0 && one->bytes[2][one->length[2] - 1] % 2 == 1;
    expect((modulus != NULL) == (status == MONPRO_STATUS_OK), "a modulus or null");
    if (modulus == NULL) {
        expect(!is_odd || (name != NULL && status >= MONPRO_STATUS_UNKNOWN_KERNEL), "an odd modulus is taken");
        return;
    }
    expect(is_odd && name != names[13] && name != names[14], "an even modulus is refused");
    ask_gmp(one);
    size_t zeros = one->length[2] - monpro_modulus_bytes(modulus);
    status = monpro_pow(modulus, one->bytes[0], one->length[0], one->bytes[1], one->length[1], one->bytes[3],
                        one->length[3] - zeros);
    expect(status == MONPRO_STATUS_OK, "the status of a power modulo a modulus");
    expect(memcmp(one->bytes[3], one->wanted + zeros, one->length[3] - zeros) == 0, "a power modulo a modulus");
    monpro_modulus_free(modulus);
}

int main(int count, char **arguments) {
    double seconds = count > 1 ? atof(arguments[1]) : 60;
    seed = count > 2 ? strtoul(arguments[2], NULL, 10) : (unsigned long)time(NULL);
    state = seed * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < MOST_TASKS * NUMBERS; i++)
        arenas[i / NUMBERS][i % NUMBERS] = new_arena();
    printf("seed %lu\n", seed);
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end; cases++) {
        uint32_t kind = below(8);
        new_power(&powers[0], arenas[0]);
        if (kind == 0)
            call_batch(1 + below(MOST_TASKS));
        else if (kind < 4)
            call_pow(&powers[0]);
        else
            call_modexp(&powers[0]);
    }
    printf("%lu cases\n", cases);
    return 0;
}
