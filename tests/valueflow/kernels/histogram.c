/* Keys into bins; the keys reach the bins through the address only. */
#include "kernel.h"

void kernel(int *bin, const int *key, long n)
{
    for (long i = 0; i < n; i++) bin[key[i]]++;
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), k = argument(argc, argv, 2);
    int *key = malloc((size_t)n * sizeof *key), *bin = calloc((size_t)k, sizeof *bin);
    if (!key || !bin) return 1;
    unsigned long x = 1;
    for (long i = 0; i < n; i++) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        key[i] = (int)((x >> 33) % (unsigned long)k);
    }
    kernel(bin, key, n);
    printf("%d\n", bin[0]);
    return 0;
}
