/* A list that a function of another unit lets grow is released by one, right before a call of a third; with
 * LISTS the other unit. What made the list grow is a find to whoever gets the list. */
#include <stdio.h>
#include <stdlib.h>

double *more(double *list, int n);
void release(double *list);
double twice(double x);

#ifdef LISTS
double *more(double *list, int n)
{
    return realloc(list, (size_t)n * sizeof *list);
}

void release(double *list)
{
    free(list);
}

double twice(double x)
{
    return x + x;
}
#else
static void keep_positive(const double *x, int n, double *y)
{
    double *list = NULL;
    int m = 0, size = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] <= 0) continue;
        if (m == size) list = more(list, size += 8);
        list[m++] = x[i];
    }
    double last = list[m - 1];
    release(list);
    y[0] = twice(last);
}

int main(void)
{
    enum { N = 40 };
    double x[N], y[1];
    for (int i = 0; i < N; i++) x[i] = i % 3 - 0.5;
    keep_positive(x, N, y);
    printf("%g\n", y[0]);
    return 0;
}
#endif
