/* Computes base^exponent mod modulus for many bases at once. Numbers are hexadecimal:
 *
 *     powers EXPONENT MODULUS BASE...
 *
 *     cc -o powers powers.c $(pkg-config --cflags --libs monpro)
 */
#include <monpro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *bytes;
    size_t length;
} number;

static int digit(char c) {
    const char *digits = "0123456789abcdef", *found = c == '\0' ? NULL : strchr(digits, c);
    return found == NULL ? -1 : (int)(found - digits);
}

/* Reads a hexadecimal number into big-endian bytes; ends the program if it is none. */
static number read_number(const char *text) {
    size_t digits = strlen(text);
    number read = {calloc(digits / 2 + 1, 1), (digits + 1) / 2};
    for (size_t i = 0; i < digits; i++) {
        int value = digit(text[digits - 1 - i]);
        if (read.bytes == NULL || value < 0) {
            fprintf(stderr, "powers: %s is not a number of the digits 0-9, a-f\n", text);
            exit(2);
        }
        read.bytes[read.length - 1 - i / 2] |= (uint8_t)(value << 4 * (i % 2));
    }
    return read;
}

int main(int count, char **arguments) {
    if (count < 4) {
        fputs("powers: usage: powers EXPONENT MODULUS BASE..., in hexadecimal\n", stderr);
        return 2;
    }
    number exponent = read_number(arguments[1]), modulus = read_number(arguments[2]);
    size_t bases = (size_t)count - 3;
    monpro_pow_task *tasks = calloc(bases, sizeof *tasks);
    uint8_t *results = calloc(bases, modulus.length + 1);
    if (tasks == NULL || results == NULL) {
        fputs("powers: out of memory\n", stderr);
        return 1;
    }
    for (size_t i = 0; i < bases; i++) {
        number base = read_number(arguments[3 + i]);
        tasks[i] = (monpro_pow_task){base.bytes,    base.length,    exponent.bytes,             exponent.length,
                                     modulus.bytes, modulus.length, results + i * modulus.length};
    }
    monpro_status status = monpro_pow_batch(tasks, bases);
    if (status != MONPRO_STATUS_OK) {
        fprintf(stderr, "powers: %s\n", monpro_status_message(status));
        return 2;
    }
    for (size_t i = 0; i < bases; i++) {
        for (size_t j = 0; j < modulus.length; j++)
            printf("%02x", results[i * modulus.length + j]);
        putchar('\n');
    }
    for (size_t i = 0; i < bases; i++)
        free((void *)tasks[i].base);
    free(tasks), free(results), free(exponent.bytes), free(modulus.bytes);
    return 0;
}
