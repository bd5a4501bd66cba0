/* What every test here begins with: the header twice, and checks that say where they failed. */
#ifndef CHECK_H
#define CHECK_H

#include "duel.h"
#include "duel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The condition holds, or the test has failed. */
#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);             \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

/* The call comes to this status, or the test has failed. */
#define EXPECT(expected, call)                                                                  \
    do {                                                                                        \
        duel_status expect_status = (call);                                                     \
        if (expect_status != (expected)) {                                                      \
            fprintf(stderr, "%s:%d: %s came to %s (%ld), not to %s\n", __FILE__, __LINE__,      \
                    #call, duel_status_name(expect_status), (long)expect_status,                \
                    duel_status_name(expected));                                                \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

/* The call worked, or the test has failed. */
#define OK(call) EXPECT(DUEL_OK, call)

/* A structure of zeros that says its size. */
#define SIZED(type, name)                                                                       \
    type name;                                                                                  \
    memset(&name, 0, sizeof name);                                                              \
    name.struct_size = (uint32_t)sizeof name

/* Milliseconds and seconds on a clock of microseconds. */
#define MS 1000u
#define S 1000000u

#endif
