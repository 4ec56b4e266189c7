// A function that is the region, and is left by an exception or a longjmp: what comes behind is outside.
#include <csetjmp>
#include <cstdio>
#include <cstring>

enum { N = 100, SHORT = 10 };
static double u[N], v[N];
static jmp_buf back;

// One operation for each word, at most SHORT where it does not come to its end.
__attribute__((noinline)) static void sweep(const char *how, int depth)
{
    if (depth > 0) sweep(how, depth - 1);
    for (int i = 0; i < N; i++) {
        if (i == SHORT && std::strcmp(how, "throw") == 0) throw i;
        if (i == SHORT && std::strcmp(how, "jump") == 0) std::longjmp(back, 1);
        v[i] += u[i];
    }
}

static void try_to_sweep(const char *how, int depth)
{
    if (setjmp(back)) return;
    try {
        sweep(how, depth);
    } catch (int) {
    }
}

int main(int argc, char **argv)
{
    for (int times = 0; times < 3; times++) {
        try_to_sweep(argc > 1 ? argv[1] : "", 2);
        for (int i = 0; i < N; i++) u[i] += 0.5 * v[i]; // outside
    }
    sweep("", 0);
    std::printf("%g\n", u[1]);
    return 0;
}
