/* Points in groups of a few words of each field in turn, with rows of any length: a five-point sweep that is
 * copied back (0) and one from field to field and back (1), in lanes of 4 numbers, a wave in lanes of 8 (2),
 * velocities and a pressure between them in lanes of 4 (3). Arguments: which, rows, columns, steps. */
#include "../kernels/kernel.h"

#define LANES(name, fields, lanes)                                                                           \
    struct name {                                                                                            \
        double field[fields][lanes];                                                                         \
    };                                                                                                       \
    static double *name##_at(struct name *p, int field, long k)                                              \
    {                                                                                                        \
        return &p[k / (lanes)].field[field][k % (lanes)];                                                    \
    }                                                                                                        \
    static struct name *name##_filled(long n)                                                                \
    {                                                                                                        \
        return (struct name *)(void *)filled((n / (lanes) + 1) * (fields) * (lanes));                        \
    }
LANES(two, 2, 4)
LANES(wave, 2, 8)
LANES(three, 3, 4)

#define POINTS                                                                                               \
    for (long k = columns + 3; k < (rows + 1) * (columns + 2); k++)                                          \
        if (k % (columns + 2) % (columns + 1))
#define BESIDE(name, p, field, k)                                                                            \
    (*name##_at(p, field, (k) - 1) + *name##_at(p, field, (k) + 1) +                                         \
     *name##_at(p, field, (k) - columns - 2) + *name##_at(p, field, (k) + columns + 2))

__attribute__((noinline)) static double kernel(long which, struct two *t, struct wave *w, struct three *v,
                                               long rows, long columns, long steps)
{
    for (long s = 0; s < steps; s++) {
        int old = s % 2, new = !old;
        if (which == 0) {
            POINTS *two_at(t, 1, k) = 0.2 * (*two_at(t, 0, k) + BESIDE(two, t, 0, k));
            POINTS *two_at(t, 0, k) = *two_at(t, 1, k);
        }
        if (which == 1) POINTS *two_at(t, new, k) = 0.2 * (*two_at(t, old, k) + BESIDE(two, t, old, k));
        if (which == 2)
            POINTS *wave_at(w, new, k) =
                *wave_at(w, old, k) - *wave_at(w, new, k) + 0.25 * BESIDE(wave, w, old, k);
        if (which == 3) {
            POINTS
            {
                *three_at(v, 1, k) -= 0.1 * (*three_at(v, 0, k + 1) - *three_at(v, 0, k));
                *three_at(v, 2, k) -= 0.1 * (*three_at(v, 0, k + columns + 2) - *three_at(v, 0, k));
            }
            POINTS *three_at(v, 0, k) -= 0.1 * (*three_at(v, 1, k) - *three_at(v, 1, k - 1) +
                                                *three_at(v, 2, k) - *three_at(v, 2, k - columns - 2));
        }
    }
    return *two_at(t, 0, columns + 3) + *wave_at(w, 0, columns + 3) + *three_at(v, 0, columns + 3);
}

int main(int argc, char **argv)
{
    long rows = argument(argc, argv, 2), columns = argument(argc, argv, 3), n = (rows + 2) * (columns + 2);
    printf("%.9g\n", kernel(argument(argc, argv, 1), two_filled(n), wave_filled(n), three_filled(n), rows,
                            columns, argument(argc, argv, 4)));
    return 0;
}
