/* Counts that keys choose: 0 all cases of a switch count in one bin, 1 both ways of an if do, 2 one of two
 * functions that a table has, 3 a function that is given the bins, the key and 1, 4 where a function says
 * that the key leads; 5 a bin for each case, 6 for each function of a table; 7 what each case adds to the
 * only one; a bin for each label that is jumped to, from a table that is constant (8) or not declared so (9),
 * and where each label jumps on by itself (10), with counts in registers until the end (11). WAY KEYS. */
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline))

static long bins[16];

static APART void count_low(long *b, int k)
{
    b[k & 15]++;
}
static APART void count_high(long *b, int k)
{
    b[k + 1 & 15]++;
}
static APART void add(long *b, int k, long n)
{
    b[k & 15] += n;
}
static APART long *place_of(long *b, int k)
{
    return b + (k & 15);
}
static APART void count_0(long *b)
{
    b[0]++;
}
static APART void count_1(long *b)
{
    b[1]++;
}
static APART void count_2(long *b)
{
    b[2]++;
}
static APART void count_3(long *b)
{
    b[3]++;
}

static void (*counts[2])(long *, int) = {count_low, count_high};
static void (*count_of[4])(long *) = {count_0, count_1, count_2, count_3};

static void in_one_bin(const int *key, long n, long *b)
{
    for (long i = 0; i < n; i++) {
        int bin = key[i] >> 2 & 15;
        switch (key[i] & 3) {
        case 0:
            b[bin]++;
            break;
        case 1:
            b[bin] += 5;
            break;
        case 2:
            b[bin] += 2;
            break;
        default:
            b[bin] += 3;
        }
    }
}

static void on_both_ways(const int *key, long n, long *b)
{
    for (long i = 0; i < n; i++)
        if (key[i] & 1)
            b[key[i] >> 1 & 15]++;
        else
            b[key[i] >> 1 & 15] += 2;
}

static void by_cases(const int *key, long n, long *b)
{
    for (long i = 0; i < n; i++) switch (key[i] & 3) {
        case 0:
            b[0]++;
            break;
        case 1:
            b[1]++;
            break;
        case 2:
            b[2]++;
            break;
        default:
            b[3]++;
        }
}

static void in_the_only_bin(const int *key, long n, long *b)
{
    for (long i = 0; i < n; i++) switch (key[i] & 3) {
        case 0:
            b[5]++;
            break;
        case 1:
            b[5] += 2;
            break;
        case 2:
            b[5] += 4;
            break;
        default:
            b[5] += 3;
        }
}

static void by_labels(const int *key, long n, long *b)
{
    static void *const table[4] = {&&first, &&second, &&third, &&fourth};
    for (long i = 0; i < n; i++) {
        goto *table[key[i] & 3];
    first:
        b[0]++;
        continue;
    second:
        b[1]++;
        continue;
    third:
        b[2]++;
        continue;
    fourth:
        b[3]++;
    }
}

static void by_labels_of_a_variable(const int *key, long n, long *b)
{
    static void *table[2] = {&&even, &&odd};
    for (long i = 0; i < n; i++) {
        goto *table[key[i] & 1];
    even:
        b[key[i] & 2]++;
        continue;
    odd:
        b[1 + (key[i] & 2)]++;
    }
}

static void from_label_to_label(const int *key, long n, long *b)
{
    static void *const table[4] = {&&first, &&second, &&third, &&fourth};
    long i = 0;
    if (n <= 0) return;
    goto *table[key[i] & 3];
first:
    b[0]++;
    if (++i >= n) return;
    goto *table[key[i] & 3];
second:
    b[1]++;
    if (++i >= n) return;
    goto *table[key[i] & 3];
third:
    b[2]++;
    if (++i >= n) return;
    goto *table[key[i] & 3];
fourth:
    b[3]++;
    if (++i >= n) return;
    goto *table[key[i] & 3];
}

static void in_registers(const int *key, long n, long *b)
{
    static void *const table[4] = {&&first, &&second, &&third, &&fourth};
    long i = 0, n_first = 0, n_second = 0, n_third = 0, n_fourth = 0;
    if (n <= 0) return;
    goto *table[key[i] & 3];
first:
    n_first++;
    if (++i >= n) goto end;
    goto *table[key[i] & 3];
second:
    n_second++;
    if (++i >= n) goto end;
    goto *table[key[i] & 3];
third:
    n_third++;
    if (++i >= n) goto end;
    goto *table[key[i] & 3];
fourth:
    n_fourth++;
    if (++i >= n) goto end;
    goto *table[key[i] & 3];
end:
    b[0] = n_first;
    b[1] = n_second;
    b[2] = n_third;
    b[3] = n_fourth;
}

void kernel(const int *key, long n, long *b, int way)
{
    if (way == 11) in_registers(key, n, b);
    if (way == 10) from_label_to_label(key, n, b);
    if (way == 8) by_labels(key, n, b);
    if (way == 9) by_labels_of_a_variable(key, n, b);
    if (way == 0) in_one_bin(key, n, b);
    if (way == 1) on_both_ways(key, n, b);
    if (way == 5) by_cases(key, n, b);
    if (way == 7) in_the_only_bin(key, n, b);
    for (long i = 0; i < n && way == 2; i++) counts[key[i] & 1](b, key[i] >> 1);
    for (long i = 0; i < n && way == 3; i++) add(b, key[i], 1);
    for (long i = 0; i < n && way == 4; i++) ++*place_of(b, key[i]);
    for (long i = 0; i < n && way == 6; i++) count_of[key[i] & 3](b);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    long n = atol(argv[2]), sum = 0;
    int *key = malloc((size_t)n * sizeof *key);
    for (long i = 0; i < n; i++) key[i] = (int)((i * 7919 + i * i) % 257);
    kernel(key, n, bins, atoi(argv[1]));
    for (long i = 0; i < 16; i++) sum += (i + 1) * bins[i];
    printf("%ld\n", sum);
    free(key);
    return 0;
}
