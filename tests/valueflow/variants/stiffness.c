/* ROWS x COLUMNS quads with two displacements at each node: in every step each quad's matrix, B' D B added up
 * over four points of integration, is made on the stack and multiplied by what its nodes have. The products
 * go through the stack to the nodes (0), or are kept for all quads first (1), or each is added to its node as
 * it comes (2), of one in four quads after the other, which have no node in common (3). Arguments: which,
 * rows, columns, steps. */
#include "../kernels/kernel.h"

static long n_quads, n_nodes, columns;
static int (*quads)[4];

static void make(const int *quad, const double *x, const double *y, double matrix[8][8])
{
    static const double px[4] = {-.577, .577, .577, -.577}, py[4] = {-.577, -.577, .577, .577};
    static const double sx[4] = {-1, 1, 1, -1}, sy[4] = {-1, -1, 1, 1};
    const double law[3][3] = {{1, .3, 0}, {.3, 1, 0}, {0, 0, .35}};
    memset(matrix, 0, 64 * sizeof **matrix);
    for (int p = 0; p < 4; p++) {
        double xr = 0, yr = 0, xs = 0, ys = 0, r[4], s[4], b[3][8], lb[3][8];
        for (int a = 0; a < 4; a++) {
            r[a] = .25 * sx[a] * (1 + sy[a] * py[p]);
            s[a] = .25 * sy[a] * (1 + sx[a] * px[p]);
            xr += r[a] * x[quad[a]];
            yr += r[a] * y[quad[a]];
            xs += s[a] * x[quad[a]];
            ys += s[a] * y[quad[a]];
        }
        double area = xr * ys - yr * xs;
        for (int a = 0; a < 4; a++) {
            b[0][2 * a] = b[2][2 * a + 1] = (ys * r[a] - yr * s[a]) / area;
            b[1][2 * a + 1] = b[2][2 * a] = (xr * s[a] - xs * r[a]) / area;
            b[0][2 * a + 1] = b[1][2 * a] = 0;
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 8; j++) {
                lb[i][j] = 0;
                for (int k = 0; k < 3; k++) lb[i][j] += law[i][k] * b[k][j];
            }
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                for (int k = 0; k < 3; k++) matrix[i][j] += b[k][i] * lb[k][j] * area;
    }
}

static void multiply(const int *quad, double matrix[8][8], const double *u, double *product)
{
    double own[8];
    for (int a = 0; a < 8; a++) own[a] = u[2 * quad[a / 2] + a % 2];
    for (int i = 0; i < 8; i++) {
        product[i] = 0;
        for (int j = 0; j < 8; j++) product[i] += matrix[i][j] * own[j];
    }
}

static void add(const int *quad, const double *product, double *f)
{
    for (int a = 0; a < 8; a++) f[2 * quad[a / 2] + a % 2] += product[a];
}

static void add_up(const int *quad, double matrix[8][8], const double *u, double *f)
{
    for (int i = 0; i < 8; i++) {
        double sum = 0;
        for (int j = 0; j < 8; j++) sum += matrix[i][j] * u[2 * quad[j / 2] + j % 2];
        f[2 * quad[i / 2] + i % 2] += sum;
    }
}

static void step_by_colours(const double *x, const double *y, const double *u, double *f, int colours)
{
    for (int colour = 0; colour < colours; colour++)
        for (long e = 0; e < n_quads; e++) {
            double matrix[8][8];
            if (colours > 1 && e / columns % 2 * 2 + e % columns % 2 != colour) continue;
            make(quads[e], x, y, matrix);
            add_up(quads[e], matrix, u, f);
        }
}

__attribute__((noinline)) static double kernel(long which, const double *x, const double *y, double *u,
                                               double *f, double (*kept)[8], long steps)
{
    for (long t = 0; t < steps; t++) {
        memset(f, 0, (size_t)(2 * n_nodes) * sizeof *f);
        if (which > 1) step_by_colours(x, y, u, f, which == 2 ? 1 : 4);
        for (long e = 0; e < n_quads && which < 2; e++) {
            double matrix[8][8], product[8];
            make(quads[e], x, y, matrix);
            multiply(quads[e], matrix, u, which ? kept[e] : product);
            if (!which) add(quads[e], product, f);
        }
        for (long e = 0; e < n_quads && which == 1; e++) add(quads[e], kept[e], f);
        for (long i = 0; i < 2 * n_nodes; i++) u[i] -= 0.01 * f[i];
    }
    return u[2];
}

int main(int argc, char **argv)
{
    long rows = argument(argc, argv, 2);
    columns = argument(argc, argv, 3);
    n_quads = rows * columns;
    n_nodes = (rows + 1) * (columns + 1);
    quads = malloc((size_t)n_quads * sizeof *quads);
    double *x = filled(n_nodes), *y = filled(n_nodes);
    double(*kept)[8] = malloc((size_t)n_quads * sizeof *kept);
    if (!quads || !kept) return 1;
    for (long e = 0; e < n_quads; e++) {
        int first = (int)(e / columns * (columns + 1) + e % columns), next = first + (int)columns + 1;
        memcpy(quads[e], (int[4]){first, first + 1, next + 1, next}, sizeof *quads);
    }
    for (long i = 0; i < n_nodes; i++) {
        x[i] = (double)(i % (columns + 1)) + 0.1 * x[i];
        y[i] = (double)(i / (columns + 1)) + 0.1 * y[i];
    }
    printf("%.9g\n", kernel(argument(argc, argv, 1), x, y, filled(2 * n_nodes), filled(2 * n_nodes), kept,
                            argument(argc, argv, 4)));
    return 0;
}
