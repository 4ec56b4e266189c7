/* Words that are compared with what they would be made, and never written: they could not be. */
#include <parcast/region.h>
#include <stdio.h>
#include <string.h>

enum { N = 8 };
static const int limits[N] = {3, 1, 4, 1, 5, 9, 2, 6};
static const long alike[N] = {7, 7, 7, 7, 7, 7, 7, 7};
static const char text[] = "lower";
static int bounded[N];

__attribute__((noinline)) static void bound(int *x, int least)
{
    for (int i = 0; i < N; i++)
        if (x[i] < least) x[i] = least;
}

__attribute__((noinline)) static void fill(long *x, long value)
{
    for (int i = 0; i < N; i++)
        if (x[i] != value) x[i] = value;
}

__attribute__((noinline)) static void lower(char *s)
{
    for (; *s; s++) {
        char c = *s >= 'A' && *s <= 'Z' ? (char)(*s + 32) : *s;
        if (c != *s) *s = c;
    }
}

int main(void)
{
    int sum = 0;
    parcast_region_begin();
    bound((int *)limits, 1);
    fill((long *)alike, 7);
    lower((char *)text);
    for (int i = 0; i < N; i++) bounded[i] = limits[i] - 4;
    bound(bounded, -1);
    for (int i = 0; i < N; i++) sum += bounded[i] * (i + 1);
    parcast_region_end();
    printf("%d %s\n", sum, text);
    return 0;
}
