/* What a register holds is computed in each turn of what it held before: 0 a polynomial by Horner's rule, 1 a
 * hash of numbers, 2 a product that is reduced in each turn, 3 a mean that forgets, 4 a sum in which all may
 * begin anew, 5 the largest sum that ends here, 6 the greatest common divisor, 7 a remainder by a table of
 * constants, 8 a curve that numbers push, 9 the sum of exponentials that is scaled when a larger one comes.
 * WAY NUMBERS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const unsigned table[16] = {0,          0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                   0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                   0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
static int n, *k;
static double *x, result, largest;
static unsigned whole;

static void polynomial(void)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 0.999 + x[i];
    result = sum;
}

static void hash(void)
{
    unsigned h = 5381;
    for (int i = 0; i < n; i++) h = (h << 5) + h + (unsigned)k[i];
    whole = h;
}

static void reduced_product(void)
{
    unsigned product = 1;
    for (int i = 0; i < n; i++) product = product * (unsigned)(1 + k[i] % 1000) % 1000003;
    whole = product;
}

static void forgetting_mean(void)
{
    double mean = x[0];
    for (int i = 1; i < n; i++) mean += 0.01 * (x[i] - mean);
    result = mean;
}

static void anew(void)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum = (x[i] < 0.01 ? 0 : sum * 0.9) + x[i];
    result = sum;
}

static void ends_here(void)
{
    double here = 0, best = 0;
    for (int i = 0; i < n; i++) {
        here = fmax(here + x[i] - 0.5, 0);
        best = fmax(best, here);
    }
    result = best;
}

static void divisor(void)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        for (int b = 6 * k[i], rest; b; b = rest) {
            rest = all % b;
            all = b;
        }
    whole = (unsigned)all;
}

static void remainder_by_table(void)
{
    unsigned r = ~0u;
    for (int i = 0; i < n; i++) r = r >> 4 ^ table[(r ^ (unsigned)k[i]) & 15];
    whole = ~r;
}

static void pushed(void)
{
    double p = 0;
    for (int i = 0; i < n; i++) p = p + 0.01 * (x[i] - p * p * p);
    result = p;
}

static void scaled(void)
{
    double most = x[0], sum = 1;
    for (int i = 1; i < n; i++)
        if (x[i] > most) {
            sum = sum * exp(most - x[i]) + 1;
            most = x[i];
        } else {
            sum += exp(x[i] - most);
        }
    result = sum;
    largest = most;
}

void kernel(int way)
{
    if (way == 0) polynomial();
    if (way == 1) hash();
    if (way == 2) reduced_product();
    if (way == 3) forgetting_mean();
    if (way == 4) anew();
    if (way == 5) ends_here();
    if (way == 6) divisor();
    if (way == 7) remainder_by_table();
    if (way == 8) pushed();
    if (way == 9) scaled();
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    n = atoi(argv[2]);
    k = malloc((size_t)n * sizeof *k);
    x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) {
        k[i] = rand() % 10007;
        x[i] = rand() % 10007 / 10007.0;
    }
    kernel(atoi(argv[1]));
    printf("%g %g %u\n", result, largest, whole);
    return 0;
}
