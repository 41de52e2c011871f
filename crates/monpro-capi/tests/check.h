/* What the C tests share: checks that are counted, and statuses that are told in words. */
#ifndef CHECK_H
#define CHECK_H

#include <monpro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long checks = 0, failures = 0;

static inline void check(int is_right, const char *what, long which) {
    checks++;
    if (!is_right && failures++ < 20)
        fprintf(stderr, "wrong: %s, case %ld\n", what, which);
}

static inline void check_status(monpro_status given, monpro_status wanted, const char *what, long which) {
    check(given == wanted, what, which);
    if (given != wanted && failures <= 20)
        fprintf(stderr, "    status %d: %s\n", (int)given, monpro_status_message(given));
}

/* The status of the program, after a line with the number of checks. */
static inline int verdict(void) {
    printf("%ld checks, %ld wrong\n", checks, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
