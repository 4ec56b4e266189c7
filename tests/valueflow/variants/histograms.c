/* Keys into bins as programs write it: numbers, bytes, in copies of the bins. Arguments: which, how many
 * keys. */
#include "../kernels/kernel.h"

enum { BINS = 16, PIECES = 4, ROOM = 64, FULL = 64 };

static void by_numbers(int *bin, const int *key, long n)
{
    for (long i = 0; i < n; i++) bin[key[i]]++;
}

static void by_bytes(int *bin, const unsigned char *key, long n)
{
    for (long i = 0; i < n; i++) bin[key[i]]++;
}

static void in_copies_on_the_stack(int *bin, const int *key, long n)
{
    int copy[ROOM];
    for (long k = 0; k < PIECES; k++) {
        memset(copy, 0, sizeof copy);
        for (long i = k * n / PIECES; i < (k + 1) * n / PIECES; i++) copy[key[i]]++;
        for (long j = 0; j < BINS; j++) bin[j] += copy[j];
    }
}

static void in_copies_on_the_heap(int *bin, const int *key, long n)
{
    int *copy = calloc(PIECES * BINS, sizeof *copy);
    for (long i = 0; i < n; i++) copy[i * PIECES / n * BINS + key[i]]++;
    for (long k = 0; k < PIECES; k++)
        for (long j = 0; j < BINS; j++) bin[j] += copy[k * BINS + j];
    free(copy);
}

static void in_static_copies(int *bin, const int *key, long n)
{
    static int copy[PIECES][FULL];
    for (long i = 0; i < n; i++) copy[i * PIECES / n][key[i] * PIECES + i % PIECES]++;
    for (long k = 0; k < PIECES; k++)
        for (long j = 0; j < FULL; j++) bin[j] += copy[k][j];
}

void kernel(int *bin, const int *key, const unsigned char *byte, long n, long which)
{
    if (which == 0) by_numbers(bin, key, n);
    if (which == 1) by_bytes(bin, byte, n);
    if (which == 2) in_copies_on_the_stack(bin, key, n);
    if (which == 3) in_copies_on_the_heap(bin, key, n);
    if (which == 4) in_static_copies(bin, key, n);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    int *key = malloc((size_t)n * sizeof *key), *bin = calloc(which < 4 ? BINS : FULL, sizeof *bin);
    unsigned char *byte = malloc((size_t)n);
    double *x = filled(n);
    for (long i = 0; i < n; i++) byte[i] = (unsigned char)(key[i] = (int)(x[i] * 15.7));
    kernel(bin, key, byte, n, which);
    printf("%d\n", bin[0]);
    return 0;
}
