/* Flags of a line of points, of what the two neighbours of each hold, set by branches in many ways. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define EACH for (long i = 1; i < n - 1; i++)
#define MORE u[i - 1] > u[i + 1]
#define LESS u[i - 1] < u[i + 1] - 0.1

static void compared(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH v[i] = (double)(MORE);
}

static void either(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        if (MORE)
            v[i] = 1;
        else
            v[i] = 0;
    }
}

static void set_back(const double *u, double *v, double *s, long n)
{
    EACH
    {
        v[i] = 0;
        s[i] = 0;
        if (MORE) {
            v[i] = 1;
            s[i] = 2;
        }
    }
}

static void two_words(const double *u, double *v, double *s, long n)
{
    EACH
    {
        if (MORE) {
            v[i] = 1;
            s[i] += 1;
        } else {
            v[i] = 0;
            s[i] = 4;
        }
    }
}

static void one_of_three(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        if (MORE)
            v[i] = 1;
        else if (LESS)
            v[i] = -1;
        else
            v[i] = 0;
    }
}

static void one_after_the_other(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        v[i] = 0;
        if (MORE) v[i] = 1;
        if (LESS) v[i] = -1;
    }
}

static void within(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        if (MORE) {
            if (u[i - 1] > 0.5)
                v[i] = 2;
            else
                v[i] = 1;
        } else {
            v[i] = 0;
        }
    }
}

static void switched(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        switch ((int)(4 * (u[i - 1] - u[i + 1]))) {
        case 0:
            v[i] = 0;
            break;
        case 1:
            v[i] = 3;
            break;
        case -1:
            v[i] = 2;
            break;
        default:
            v[i] = 1;
        }
    }
}

static void both(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        if (MORE && u[i - 1] > 0.3)
            v[i] = 1;
        else
            v[i] = 0;
    }
}

static void cleared_before(const double *u, double *v, double *s, long n)
{
    (void)s;
    for (long i = 0; i < n; i++) v[i] = 0;
    EACH
    {
        if (MORE) v[i] = 1;
    }
}

static void continued(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        if (LESS) {
            v[i] = 0;
            continue;
        }
        v[i] = 1;
    }
}

static void up_or_down(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        if (MORE)
            v[i] += 1;
        else
            v[i] -= 1;
    }
}

static void turned(const double *u, double *v, double *s, long n)
{
    (void)s;
    EACH
    {
        if (MORE) v[i] = -v[i];
    }
}

static void (*const ways[])(const double *, double *, double *, long) = {
    compared, either,         set_back,  two_words,  one_of_three, one_after_the_other, within, switched,
    both,     cleared_before, continued, up_or_down, turned,
};

void kernel(double *u, double *v, double *w, double *s, long n, int way, int times)
{
    for (int t = 0; t < times; t++) {
        for (long i = 0; i < n; i++) u[i] = 0.75 * u[i] + 0.1 * w[i] + 0.01 * (double)(i % 5);
        ways[way](u, v, s, n);
        for (long i = 0; i < n; i++) w[i] += v[i];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 4;
    long n = argc > 2 ? atol(argv[2]) : 24;
    double *u = malloc((size_t)n * sizeof *u), *v = calloc((size_t)n, sizeof *v), sum = 0;
    double *w = malloc((size_t)n * sizeof *w), *s = calloc((size_t)n, sizeof *s);
    if (!u || !v || !w || !s) return 1;
    for (long i = 0; i < n; i++) {
        u[i] = sin((double)(i * i));
        w[i] = cos((double)(3 * i));
    }
    kernel(u, v, w, s, n, way, times);
    for (long i = 0; i < n; i++) sum += w[i] * (double)(i + 1) + s[i];
    printf("%.17g\n", sum);
    free(u);
    free(v);
    free(w);
    free(s);
    return 0;
}
