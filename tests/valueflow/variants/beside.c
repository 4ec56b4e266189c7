/* beside WAY N: two numbers of an array, of all kinds of reductions, one beside the other in memory. Each
 * part sends two words. */
#include "../kernels/kernel.h"

static double largest, smallest;

struct statistics {
    long n;
    double sum, squares;
};

static void sums(double *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        out[0] += x[i];
        out[1] += y[i];
    }
}

static void sums_of_what_was_there(double *out, const double *x, const double *y, long n)
{
    for (long i = n - 1; i >= 0; i--) {
        out[1] -= x[i];
        out[0] += x[i] * y[i];
    }
}

static void row_by_row(double *out, const double *x, const double *y, long n)
{
    memset(out, 0, 2 * sizeof *out);
    for (long i = 0; i < n / 64; i++)
        for (long j = 0; j < 64; j++) {
            out[0] += x[64 * i + j];
            out[1] += y[64 * i + j];
        }
}

static void in_float(float *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        out[0] += x[i];
        out[1] += y[i];
    }
}

static void in_a_structure(struct statistics *s, const double *x, long n)
{
    s->sum = s->squares = 0;
    for (long i = 0; i < n; i++) {
        s->n++;
        s->sum += x[i];
        s->squares += x[i] * x[i];
    }
}

static void smallest_and_largest(double *out, const double *x, const double *y, long n)
{
    out[0] = 1e9;
    out[1] = -1e9;
    for (long i = 0; i < n; i++) {
        if (x[i] < out[0]) out[0] = x[i];
        if (y[i] > out[1]) out[1] = y[i];
    }
}

static void smallest_and_largest_of_one(double *out, const double *x, long n)
{
    out[0] = out[1] = x[0];
    for (long i = 0; i < n; i++) {
        out[0] = fmin(out[0], x[i]);
        out[1] = x[i] > out[1] ? x[i] : out[1];
    }
}

static void sum_and_largest(double *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        out[0] += x[i] * y[i];
        if (x[i] > out[1]) out[1] = x[i];
    }
}

static void largest_and_sum(double *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        if (x[i] > out[1]) out[1] = x[i];
        out[0] += x[i] * y[i];
    }
}

static void in_variables_and_copied(double *out, const double *x, long n)
{
    for (long i = 0; i < n; i++) {
        if (x[i] > largest) largest = x[i];
        if (x[i] < smallest) smallest = x[i];
    }
    out[0] = largest;
    out[1] = largest - smallest;
}

static void one_or_the_other(double *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        if (x[i] > 0.3)
            out[0] += y[i];
        else
            out[1] += y[i];
    }
}

static void counts(long *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        if (x[i] > 0.3) out[0]++;
        if (y[i] > 0.3) out[1]++;
    }
}

static void counts_as_numbers(double *out, const double *x, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        if (x[i] > 0.3)
            out[0] += 1;
        else
            out[1] += 1;
    }
}

static void sum_and_count(double *out, const double *x, long n)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++)
        if (x[i] > 0.3) {
            out[0] += x[i];
            out[1] += 1;
        }
}

static void smallest_and_largest_by_functions(double *out, const double *x, long n)
{
    out[0] = out[1] = x[0];
    for (long i = 0; i < n; i++) {
        out[0] = fmin(out[0], x[i]);
        out[1] = fmax(out[1], x[i]);
    }
}

static void largest_and_sum_by_functions(double *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = y[0];
    for (long i = 0; i < n; i++) {
        out[0] = fmax(x[i], out[0]);
        out[1] += exp(x[i]) + sqrt(y[i]);
    }
}

static void sums_on_two_conditions(double *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = x[0];
    for (long i = 0; i < n; i++) {
        if (y[i] > 0.3) {
            out[0] += x[i];
            out[1] += y[i];
        }
        if (x[i] > 0.5) {
            out[0] -= y[i];
            out[1] += x[i];
        }
    }
}

static void smallest_and_largest_on_two_conditions(double *out, const double *x, const double *y, long n)
{
    out[0] = out[1] = x[0];
    for (long i = 0; i < n; i++) {
        if (y[i] > 0.3) {
            out[0] = fmin(out[0], x[i]);
            out[1] = fmax(out[1], y[i]);
        }
        if (x[i] > 0.5) {
            out[0] = fmin(out[0], y[i]);
            out[1] = fmax(out[1], x[i]);
        }
    }
}

static void sums_of_one_kind_or_another(double *out, const double *x, const double *y, long n, long kind)
{
    out[0] = out[1] = 0;
    for (long i = 0; i < n; i++) {
        if (kind % 2 == 0) out[0] += x[i];
        if (kind % 3 == 0) out[0] += y[i];
        if (kind % 3 == 0) out[1] += y[i] * x[i];
        if (kind % 5 == 1) out[1] -= x[i];
    }
}

void kernel(double *out, const double *x, const double *y, long n, long which)
{
    if (which == 0) sums(out, x, y, n);
    if (which == 1) sums_of_what_was_there(out, x, y, n);
    if (which == 2) row_by_row(out, x, y, n);
    if (which == 3) in_float((float *)out, x, y, n);
    if (which == 4) in_a_structure((struct statistics *)out, x, n);
    if (which == 5) smallest_and_largest(out, x, y, n);
    if (which == 6) smallest_and_largest_of_one(out, x, n);
    if (which == 7) sum_and_largest(out, x, y, n);
    if (which == 8) largest_and_sum(out, x, y, n);
    if (which == 9) one_or_the_other(out, x, y, n);
    if (which == 10) counts((long *)out, x, y, n);
    if (which == 11) counts_as_numbers(out, x, n);
    if (which == 12) sum_and_count(out, x, n);
    if (which == 13) in_variables_and_copied(out, x, n);
    if (which == 14) smallest_and_largest_by_functions(out, x, n);
    if (which == 15) largest_and_sum_by_functions(out, x, y, n);
    if (which == 16) sums_on_two_conditions(out, x, y, n);
    if (which == 17) smallest_and_largest_on_two_conditions(out, x, y, n);
    if (which == 18) sums_of_one_kind_or_another(out, x, y, n, which);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *x = filled(n), *y = filled(n), *out = filled(3);
    for (long i = 0; i < n; i++) y[i] = 0.9 * y[i] + 0.01 * (double)(i % 7);
    kernel(out, x, y, n, which);
    printf("%g %g %g\n", out[0], out[1], out[2]);
    return 0;
}
