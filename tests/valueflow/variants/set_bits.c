/* Bits of words that a comparison sets: 0 in the loop, 1 and 2 by a function that is called then or always.
 * Each number is above the next one. WAY NUMBERS. */
#include <stdio.h>
#include <stdlib.h>

static unsigned long bits[64];

static __attribute__((noinline)) void set_bit(unsigned long *words, int i)
{
    words[i / 64] |= 1UL << i % 64;
}

static __attribute__((noinline)) void put_bit(unsigned long *words, int i, int is)
{
    words[i / 64] |= (unsigned long)is << i % 64;
}

void kernel(int way, const double *x, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        if (way == 0 && x[i] > x[i + 1]) bits[i / 64] |= 1UL << i % 64;
        if (way == 1 && x[i] > x[i + 1]) set_bit(bits, i);
        if (way == 2) put_bit(bits, i, x[i] > x[i + 1]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int n = atoi(argv[2]);
    double *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = n - i - rand() % 1000 * 0.0001;
    kernel(atoi(argv[1]), x, n);
    unsigned long sum = 0;
    for (int i = 0; i < 64; i++) sum ^= bits[i];
    printf("%lu\n", sum);
    return 0;
}
