/* A histogram whose bins stop at a number: asked before a count (0), the smaller of both (1), cut off in the
 * end (2), asked in the words that the image is in (3). ARGUMENTS: way, words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 16, MOST = 200 };

static void asked(const int *key, int *bin, int n)
{
    for (int i = 0; i < n; i++)
        if (bin[key[i]] < MOST) ++bin[key[i]];
}

static void smaller(const int *key, int *bin, int n)
{
    for (int i = 0; i < n; i++) bin[key[i]] = bin[key[i]] + 1 > MOST ? MOST : bin[key[i]] + 1;
}

static void cut_off(const int *key, int *bin, int n)
{
    for (int i = 0; i < n; i++) bin[key[i]]++;
    for (int b = 0; b < BINS; b++) bin[b] = bin[b] < MOST ? bin[b] : MOST;
}

static void in_long_words(const int *key, long *bin, int n)
{
    for (int i = 0; i < n; i++) {
        const int value = key[i];
        if (bin[value] != MOST) bin[value] += 1;
    }
}

void kernel(int way, const int *key, int *bin, long *wide, int n)
{
    memset(bin, 0, BINS * sizeof *bin);
    memset(wide, 0, BINS * sizeof *wide);
    if (way == 0) asked(key, bin, n);
    if (way == 1) smaller(key, bin, n);
    if (way == 2) cut_off(key, bin, n);
    if (way == 3) in_long_words(key, wide, n);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 4000;
    int *key = malloc((size_t)n * sizeof *key), bin[BINS] = {0};
    long wide[BINS] = {0}, sum = 0;
    if (!key) return 1;
    for (int i = 0; i < n; i++) key[i] = i * 7919 % 101 % BINS;
    kernel(way, key, bin, wide, n);
    for (int b = 0; b < BINS; b++) sum += (bin[b] + wide[b]) * (b + 1);
    printf("%ld\n", sum);
    free(key);
    return 0;
}
