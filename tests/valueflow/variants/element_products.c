/* Conjugate gradients on N x N nodes, of which triangles put the product together, each with a matrix of its
 * own. ARGUMENTS: ignored, N, iterations. */
#include "../kernels/kernel.h"

struct element {
    long node[3];
    double k[3][3];
};

static void multiply(const struct element *elements, long n_elements, const double *x, double *y, long nodes)
{
    for (long a = 0; a < nodes; a++) y[a] = 0;
    for (long e = 0; e < n_elements; e++) {
        const struct element *m = &elements[e];
        double a[3], b[3] = {0};
        for (int i = 0; i < 3; i++) a[i] = x[m->node[i]];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) b[i] += m->k[i][j] * a[j];
        for (int i = 0; i < 3; i++) y[m->node[i]] += b[i];
    }
}

static double dot(const double *a, const double *b, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

double kernel(const struct element *elements, long n_elements, double *x, double *r, double *p, double *q,
              long nodes, long iterations)
{
    for (long i = 0; i < nodes; i++) p[i] = r[i];
    double rr = dot(r, r, nodes);
    for (long t = 0; t < iterations; t++) {
        multiply(elements, n_elements, p, q, nodes);
        double alpha = rr / dot(p, q, nodes);
        for (long i = 0; i < nodes; i++) x[i] += alpha * p[i];
        for (long i = 0; i < nodes; i++) r[i] -= alpha * q[i];
        double now = dot(r, r, nodes), beta = now / rr;
        rr = now;
        for (long i = 0; i < nodes; i++) p[i] = r[i] + beta * p[i];
    }
    return rr;
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2), nodes = n * n, n_elements = 0;
    struct element *elements = malloc(2 * nodes * sizeof *elements);
    for (long a = 0; a < (n - 1) * n; a++) {
        if (a % n == n - 1) continue;
        const long node[2][3] = {{a, a + 1, a + n}, {a + n + 1, a + n, a + 1}};
        for (int both = 0; both < 2; both++, n_elements++)
            for (int i = 0; i < 3; i++) {
                elements[n_elements].node[i] = node[both][i];
                for (int j = 0; j < 3; j++)
                    elements[n_elements].k[i][j] = i == j ? 1.2 + 0.1 * (a % 5) : -0.5;
            }
    }
    double rr = kernel(elements, n_elements, filled(nodes), filled(nodes), filled(nodes), filled(nodes),
                       nodes, argument(argc, argv, 3));
    printf("%g\n", rr);
    return 0;
}
