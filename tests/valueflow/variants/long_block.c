/* Eight words are read into registers and overwritten, then thousands of others in one stretch of code
 * without a branch, and the registers are used only then. Argument 0: a call lies between, 1: a move of
 * memory, 2: nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2560, FEW = 8 };
static double a[FEW], b[N], from[N];

__attribute__((noinline)) static void overwrite(void)
{
    for (int i = 0; i < N; i++) b[i] = from[i] * 1.5;
}

#define ONE(i)  b[i] = b[i] * 1.5;
#define TEN(i)  ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4) ONE(i + 5) ONE(i + 6) ONE(i + 7)
#define MANY(i) TEN(i) TEN(i + 8) TEN(i + 16) TEN(i + 24) TEN(i + 32) TEN(i + 40) TEN(i + 48) TEN(i + 56)
#define MOST(i)                                                                                              \
    MANY(i) MANY(i + 64) MANY(i + 128) MANY(i + 192) MANY(i + 256) MANY(i + 320) MANY(i + 384) MANY(i + 448)

#define TAKE                                                                                                 \
    double x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3], x4 = a[4], x5 = a[5], x6 = a[6], x7 = a[7];           \
    memset(a, 0, sizeof a);
#define GIVE                                                                                                 \
    b[0] = x0 * x1, b[1] = x1 * x2, b[2] = x2 * x3, b[3] = x3 * x4;                                          \
    b[4] = x4 * x5, b[5] = x5 * x6, b[6] = x6 * x7, b[7] = x7 * x0;

static void beyond_a_call(void)
{
    TAKE overwrite();
    GIVE
}

static void beyond_a_move(void)
{
    TAKE memcpy(b, from, sizeof b);
    GIVE
}

static void beyond_much(void)
{
    TAKE MOST(0) MOST(512) MOST(1024) MOST(1536) MOST(2048) GIVE
}

__attribute__((noinline)) static void kernel(int which)
{
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < FEW; i++) a[i] = b[i] + 1;
        which == 0 ? beyond_a_call() : which == 1 ? beyond_a_move() : beyond_much();
        for (int i = 1; i < N; i++) from[i] = b[i] + b[i - 1];
    }
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++) b[i] = from[i] = i;
    kernel(argc > 1 ? atoi(argv[1]) : 0);
    printf("%g\n", b[0] + from[N - 1]);
    return 0;
}
