/* Words of an array on the stack that would be exchanged if they were not in order, in places that are
 * computed then only. */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 9 };

__attribute__((noinline)) static int by_quotient(const int *x, int d)
{
    int w[16], sum = 0;
    for (int i = 0; i < N; i++) w[i] = x[i] * 2 + 1;
    int a = w[0], b = w[1];
    for (int i = 2; i < N; i++) {
        if (a > b) {
            w[(i - 1) / d] = a;
            w[(i + 3) / d] = b;
        }
        a = b;
        b = w[i];
    }
    for (int i = 0; i < N; i++) sum += w[i];
    return sum;
}

__attribute__((noinline)) static int by_product(const int *x, long far)
{
    int w[16], sum = 0;
    for (int i = 0; i < N; i++) w[i] = x[i] * 2 - 1;
    int a = w[0], b = w[1];
    for (int i = 2; i < N; i++) {
        if (a > b) {
            w[(i - 1) * far] = a;
            w[(i + 3) * far] = b;
        }
        a = b;
        b = w[i];
    }
    for (int i = 0; i < N; i++) sum += w[i];
    return sum;
}

int main(int argc, char **argv)
{
    int x[N];
    if (argc != 3) return 2;
    int d = atoi(argv[1]);
    long far = atol(argv[2]);
    for (int i = 0; i < N; i++) x[i] = i - N / 2;
    x[N - 1] = 34;
    parcast_region_begin();
    int sum = by_quotient(x, d) + by_product(x, far);
    parcast_region_end();
    printf("%d\n", sum);
    return 0;
}
