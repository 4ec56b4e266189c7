/* two_fields ROWS COLUMNS STEPS: a five-point sweep of one field of structures of two, copied back from the
 * other one. */
#include "../kernels/kernel.h"

struct point {
    double now, next;
};

void kernel(struct point *a, long n_rows, long n_columns, long steps)
{
    long w = n_columns + 2;
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i <= n_rows; i++)
            for (long j = 1; j <= n_columns; j++) {
                struct point *p = a + i * w + j;
                p->next = p->now + 0.1 * (p[-1].now + p[1].now + p[-w].now + p[w].now - 4 * p->now);
            }
        for (long i = 1; i <= n_rows; i++)
            for (long j = 1; j <= n_columns; j++) a[i * w + j].now = a[i * w + j].next;
    }
}

int main(int argc, char **argv)
{
    long n_rows = argument(argc, argv, 1), n_columns = argument(argc, argv, 2);
    struct point *a = (struct point *)filled(2 * (n_rows + 2) * (n_columns + 2));
    kernel(a, n_rows, n_columns, argument(argc, argv, 3));
    printf("%g\n", a[n_columns + 4].now);
    return 0;
}
