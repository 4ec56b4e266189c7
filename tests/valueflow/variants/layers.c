/* Faces in arrays without a word more than they have, those across one dimension beside those across another.
 * Dimensions 2: flow in a box on a staggered mesh with ghosts around it; a velocity has a column more, the
 * other one a row. 3: electric fields on edges and magnetic ones on faces of n^3 cells. ARGUMENTS:
 * dimensions, n, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 6 };
struct field {
    double *at;
    int m, l;
};
#define AT(f, i, j, k) f.at[((i) * f.m + (j)) * f.l + (k)]
#define A2(f, i, j)    f.at[(i) * f.l + (j)]

static void flow(struct field u, struct field v, struct field f, struct field g, struct field p, int n)
{
    for (int j = 0; j <= n; j++) {
        A2(u, 0, j) = -A2(u, 1, j);
        A2(u, n + 1, j) = 2 - A2(u, n, j);
    }
    for (int i = 0; i <= n; i++) {
        A2(v, i, 0) = -A2(v, i, 1);
        A2(v, i, n + 1) = -A2(v, i, n);
    }
    for (int i = 1; i <= n; i++)
        for (int j = 1; j < n; j++) {
            double right = A2(u, i, j) + A2(u, i, j + 1), left = A2(u, i, j) + A2(u, i, j - 1);
            double up = (A2(u, i, j) + A2(u, i + 1, j)) * (A2(v, i, j) + A2(v, i, j + 1));
            double down = (A2(u, i, j) + A2(u, i - 1, j)) * (A2(v, i - 1, j) + A2(v, i - 1, j + 1));
            A2(f, i, j) = A2(u, i, j) - 0.1 * (right * right - left * left + up - down);
        }
    for (int i = 1; i < n; i++)
        for (int j = 1; j <= n; j++) {
            double up = A2(v, i, j) + A2(v, i + 1, j), down = A2(v, i, j) + A2(v, i - 1, j);
            double right = (A2(v, i, j) + A2(v, i, j + 1)) * (A2(u, i, j) + A2(u, i + 1, j));
            double left = (A2(v, i, j) + A2(v, i, j - 1)) * (A2(u, i, j - 1) + A2(u, i + 1, j - 1));
            A2(g, i, j) = A2(v, i, j) - 0.1 * (up * up - down * down + right - left);
        }
    for (int i = 1; i <= n; i++)
        for (int j = 1; j < n; j++) A2(u, i, j) = A2(f, i, j) - 0.1 * (A2(p, i, j + 1) - A2(p, i, j));
    for (int i = 1; i < n; i++)
        for (int j = 1; j <= n; j++) A2(v, i, j) = A2(g, i, j) - 0.1 * (A2(p, i + 1, j) - A2(p, i, j));
}

static void waves(struct field ex, struct field ey, struct field ez, struct field hx, struct field hy,
                  struct field hz, int n)
{
    for (int i = 0; i <= n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                AT(hx, i, j, k) +=
                    AT(ey, i, j, k + 1) - AT(ey, i, j, k) - AT(ez, i, j + 1, k) + AT(ez, i, j, k);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++)
            for (int k = 0; k < n; k++)
                AT(hy, i, j, k) +=
                    AT(ez, i + 1, j, k) - AT(ez, i, j, k) - AT(ex, i, j, k + 1) + AT(ex, i, j, k);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= n; k++)
                AT(hz, i, j, k) +=
                    AT(ex, i, j + 1, k) - AT(ex, i, j, k) - AT(ey, i + 1, j, k) + AT(ey, i, j, k);
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k++)
                AT(ex, i, j, k) +=
                    0.1 * (AT(hz, i, j, k) - AT(hz, i, j - 1, k) - AT(hy, i, j, k) + AT(hy, i, j, k - 1));
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 1; k < n; k++)
                AT(ey, i, j, k) +=
                    0.1 * (AT(hx, i, j, k) - AT(hx, i, j, k - 1) - AT(hz, i, j, k) + AT(hz, i - 1, j, k));
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 0; k < n; k++)
                AT(ez, i, j, k) +=
                    0.1 * (AT(hy, i, j, k) - AT(hy, i - 1, j, k) - AT(hx, i, j, k) + AT(hx, i, j - 1, k));
}

void kernel(int dimensions, struct field *f, int n, int steps)
{
    for (int s = 0; s < steps; s++)
        if (dimensions == 2)
            flow(f[0], f[1], f[2], f[3], f[4], n);
        else
            waves(f[0], f[1], f[2], f[3], f[4], f[5], n);
}

static struct field made(int n, int m, int l)
{
    struct field f = {malloc((size_t)n * m * l * sizeof(double)), m, l};
    for (int i = 0; f.at && i < n * m * l; i++) f.at[i] = 0.01 * (i % 13);
    if (!f.at) exit(1);
    return f;
}

int main(int argc, char **argv)
{
    int dimensions = argc > 1 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 8;
    int steps = argc > 3 ? atoi(argv[3]) : 1;
    struct field f[COUNT];
    for (int i = 0; i < COUNT; i++) {
        int a = i % 3 == 0, b = i % 3 == 1, c = i % 3 == 2, more = i < 3;
        if (dimensions == 2)
            f[i] = i == 4 ? made(1, n + 2, n + 2) : made(1, n + 2 - i % 2, n + 1 + i % 2);
        else
            f[i] = more ? made(n + !a, n + !b, n + !c) : made(n + a, n + b, n + c);
    }
    kernel(dimensions, f, n, steps);
    double sum = 0;
    for (int i = 0; i < COUNT; i++) sum += f[i].at[n + 3];
    printf("%.12g\n", sum);
    for (int i = 0; i < COUNT; i++) free(f[i].at);
    return 0;
}
