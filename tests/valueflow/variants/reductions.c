/* Sums of an array as programs write them: unrolled, pairwise, compensated, in pieces. Arguments: which, how
 * many words. */
#include "../kernels/kernel.h"

static double in_an_array(const double *x, const double *y, long n)
{
    double s[4] = {0};
    long i = 0;
    for (; i + 3 < n; i += 4)
        for (int k = 0; k < 4; k++) s[k] += x[i + k] * y[i + k];
    for (; i < n; i++) s[0] += x[i] * y[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double in_registers(const double *x, const double *y, long n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    long i = 0;
    for (; i + 3 < n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

static double pairwise(const double *x, const double *y, long n)
{
    double s = 0;
    if (n > 64) return pairwise(x, y, n / 2) + pairwise(x + n / 2, y + n / 2, n - n / 2);
    for (long i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

static double compensated(const double *x, const double *y, long n)
{
    double s = 0, lost = 0;
    for (long i = 0; i < n; i++) {
        double term = x[i] * y[i] - lost, next = s + term;
        lost = (next - s) - term;
        s = next;
    }
    return s;
}

static double several_products(const double *x, const double *y, long n)
{
    double s = 0;
    long i = 0;
    for (; i + 3 < n; i += 4)
        s += (x[i] * y[i] + x[i + 1] * y[i + 1]) + (x[i + 2] * y[i + 2] + x[i + 3] * y[i + 3]);
    for (; i < n; i++) s += x[i] * y[i];
    return s;
}

static double terms_of_two_kinds(const double *x, const double *y, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++) {
        s += x[i] * y[i];
        s += x[i];
    }
    return s;
}

static double largest(const double *x, long n)
{
    double m0 = x[0], m1 = x[1];
    for (long i = 2; i + 1 < n; i += 2) {
        m0 = fmax(m0, x[i]);
        m1 = fmax(m1, x[i + 1]);
    }
    return fmax(m0, m1);
}

static double smallest(const double *x, long n)
{
    double m[4] = {1e9, 1e9, 1e9, 1e9}, least;
    for (long i = 0; i + 3 < n; i += 4)
        for (int k = 0; k < 4; k++)
            if (x[i + k] < m[k]) m[k] = x[i + k];
    least = m[0];
    for (int k = 1; k < 4; k++)
        if (m[k] < least) least = m[k];
    return least;
}

static double of_pieces(const double *x, const double *y, long n)
{
    enum { PIECES = 50 };
    double piece[PIECES], s = 0;
    for (long k = 0; k < PIECES; k++) {
        piece[k] = 0;
        for (long i = n * k / PIECES; i < n * (k + 1) / PIECES; i++) piece[k] += x[i] * y[i];
    }
    for (int k = 0; k < PIECES; k++) s += piece[k];
    return s;
}

/* By its index; what it is compared with is read again each time. */
static double place_of_largest(const double *x, long n)
{
    long best = 0;
    for (long i = 1; i < n; i++)
        if (x[i] > x[best]) best = i;
    return (double)best;
}

static double compensated_beside(const double *x, long n)
{
    double s = 0, lost = 0;
    for (long i = 0; i < n; i++) {
        double next = s + x[i];
        if (fabs(s) >= fabs(x[i]))
            lost += (s - next) + x[i];
        else
            lost += (x[i] - next) + s;
        s = next;
    }
    return s + lost;
}

static double on_the_heap(const double *x, const double *y, long n)
{
    double *s = calloc(8, sizeof *s), all = 0;
    long i = 0;
    for (; i + 7 < n; i += 8)
        for (int k = 0; k < 8; k++) s[k] += x[i + k] * y[i + k];
    for (; i < n; i++) s[0] += x[i] * y[i];
    for (int k = 0; k < 8; k++) all += s[k];
    free(s);
    return all;
}

/* The whole is used for something else: as one value, not as what it is put together from. */
static double norm_of_scaled(double *x, long n)
{
    double s[4] = {0}, norm = 0;
    for (long i = 0; i + 3 < n; i += 4)
        for (int k = 0; k < 4; k++) s[k] += x[i + k] * x[i + k];
    norm = sqrt((s[0] + s[1]) + (s[2] + s[3]));
    for (long i = 0; i < n; i++) x[i] /= norm;
    return norm;
}

/* Terms with a value that every part has anyway. */
static double variance_of_standardised(double *x, long n)
{
    double s = 0, squares = 0;
    for (long i = 0; i < n; i++) s += x[i];
    double mean = s / (double)n;
    for (long i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    double deviation = sqrt(squares / (double)n);
    for (long i = 0; i < n; i++) x[i] = (x[i] - mean) / deviation;
    return deviation;
}

/* A short sum of less precision, put to the whole now and then. */
static double flushed(const double *x, const double *y, long n)
{
    double s = 0;
    float some = 0;
    for (long i = 0; i < n; i++) {
        some += (float)(x[i] * y[i]);
        if (i % 100 == 99) s += some, some = 0;
    }
    return s + some;
}

/* Behind pointers that could be the same: the optimiser keeps the word in a register as well. */
static void largest_in_place(double *most, const double *x, long n)
{
    for (long i = 0; i < n; i++)
        if (x[i] > *most) *most = x[i];
}

static void smallest_in_place(double *least, const double *x, long n)
{
    for (long i = 0; i < n; i++) *least = x[i] < *least ? x[i] : *least;
}

/* The trapezoidal rule: the first and the last number half, far from each other. */
static double halved_ends(const double *x, long n)
{
    double s = 0;
    for (long i = 1; i < n - 1; i++) s += x[i];
    return 0.5 * (x[0] + x[n - 1]) + s;
}

/* By its intervals. */
static double of_means(const double *x, long n)
{
    double s = 0;
    for (long i = 0; i + 1 < n; i++) s += (x[i] + x[i + 1]) / 2;
    return s;
}

void kernel(double *out, double *x, const double *y, long n, long which)
{
    switch (which) {
    case 0:
        *out = in_an_array(x, y, n);
        break;
    case 1:
        *out = in_registers(x, y, n);
        break;
    case 2:
        *out = pairwise(x, y, n);
        break;
    case 3:
        *out = compensated(x, y, n);
        break;
    case 4:
        *out = several_products(x, y, n);
        break;
    case 5:
        *out = terms_of_two_kinds(x, y, n);
        break;
    case 6:
        *out = largest(x, n);
        break;
    case 7:
        *out = smallest(x, n);
        break;
    case 8:
        *out = of_pieces(x, y, n);
        break;
    case 9:
        *out = place_of_largest(x, n);
        break;
    case 10:
        *out = compensated_beside(x, n);
        break;
    case 11:
        *out = on_the_heap(x, y, n);
        break;
    case 12:
        *out = norm_of_scaled(x, n);
        break;
    case 14:
        *out = flushed(x, y, n);
        break;
    case 13:
        *out = variance_of_standardised(x, n);
        break;
    case 15:
        largest_in_place(out, x, n);
        break;
    case 16:
        smallest_in_place(out, x, n);
        break;
    case 17:
        *out = halved_ends(x, n);
        break;
    case 18:
        *out = of_means(x, n);
        break;
    default:
        exit(2);
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *x = filled(n), *y = filled(n), *out = filled(1);
    kernel(out, x, y, n, which);
    printf("%g\n", *out);
    return 0;
}
