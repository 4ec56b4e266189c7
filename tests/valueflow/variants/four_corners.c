/* What flies through N x N cells from all four corners, T times: fluxes in an array of all cells for each
 * corner (0), or in a row on the stack and a number (1); cells add up what passes, of which the next step's
 * source is computed. WAY N T. */
#include "../kernels/kernel.h"

enum { CORNERS = 4, MOST = 64 };

static long turned(long i, long n, long back)
{
    return back ? n - 1 - i : i;
}

static void fly_in_array(const double *loss, const double *source, double *sum, long n, long corner)
{
    double *flux = malloc((size_t)(n * n) * sizeof *flux);
    if (!flux) exit(1);
    long row = corner % 2 ? -n : n, step = corner / 2 ? -1 : 1;
    for (long a = 0; a < n; a++)
        for (long b = 0; b < n; b++) {
            long c = turned(a, n, corner % 2) * n + turned(b, n, corner / 2);
            double in = (a ? flux[c - row] : 0) + (b ? flux[c - step] : 0);
            flux[c] = (source[c] + in) / (2 + loss[c]);
            sum[c] += 0.25 * flux[c];
        }
    free(flux);
}

static void fly_in_row(const double *loss, const double *source, double *sum, long n, long corner)
{
    double row[MOST] = {0};
    for (long a = 0; a < n; a++) {
        double flux = 0;
        for (long b = 0; b < n; b++) {
            long j = turned(b, n, corner / 2), c = turned(a, n, corner % 2) * n + j;
            row[j] = flux = (source[c] + row[j] + flux) / (2 + loss[c]);
            sum[c] += 0.25 * flux;
        }
    }
}

__attribute__((noinline)) static void kernel(long way, const double *loss, double *source, double *sum,
                                             long n, long times)
{
    for (long t = 0; t < times; t++) {
        for (long c = 0; c < n * n; c++) sum[c] = 0;
        for (long corner = 0; corner < CORNERS; corner++)
            if (way)
                fly_in_row(loss, source, sum, n, corner);
            else
                fly_in_array(loss, source, sum, n, corner);
        for (long c = 0; c < n * n; c++) source[c] = 1 + 0.5 * sum[c];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    if (n > MOST) return 1;
    double *sum = filled(n * n);
    kernel(argument(argc, argv, 1), filled(n * n), filled(n * n), sum, n, argument(argc, argv, 3));
    printf("%.9g\n", sum[3]);
    return 0;
}
