/* The least of numbers that stand in several lists, one after the other, is looked for from what it was
 * before, and stored where there is a smaller one; the next step goes on by it. The optimiser has it in a
 * register as well. WAY 0 as it is, 1 not of zeros, 2 the greatest, with a flag, 3 in a function that
 * compares with what was there instead, 4 the same for the greatest, in place. WAY N LISTS STEPS. */
#include <stdbool.h>

#include "../kernels/kernel.h"

struct state {
    double *speed, *place, best;
    int **list, *length;
};

__attribute__((noinline)) static void set_up(struct state *s, long n, int lists)
{
    s->speed = malloc(n * sizeof *s->speed);
    s->place = malloc(n * sizeof *s->place);
    s->list = malloc(lists * sizeof *s->list);
    s->length = calloc(lists, sizeof *s->length);
    for (int l = 0; l < lists; l++) s->list[l] = malloc(n * sizeof **s->list);
    for (long i = 0; i < n; i++) {
        int to = (int)((i * 7 + i / 5) % lists);
        s->list[to][s->length[to]++] = (int)i;
        s->speed[i] = (double)(i * 53 % 97 - 48) / 97;
        s->place[i] = (double)(i % 13);
    }
}

static inline void find_least(const struct state *s, int n, const int *list, double *least)
{
    double least_so_far = *least;
    int which = -1;
    for (int i = 0; i < n; i++) {
        double one = 0.1 / (fabs(s->speed[list[i]]) + 1e-20);
        if (least_so_far > one) {
            least_so_far = one;
            which = list[i];
        }
    }
    if (which != -1) *least = least_so_far;
}

static inline void find_least_moving(const struct state *s, int n, const int *list, double *least)
{
    double least_so_far = *least;
    int which = -1;
    for (int i = 0; i < n; i++) {
        double speed = s->speed[list[i]];
        if (speed != 0) {
            double one = 0.1 / (fabs(speed) + 1e-20);
            if (least_so_far > one) {
                least_so_far = one;
                which = list[i];
            }
        }
    }
    if (which != -1) *least = least_so_far;
}

static inline void find_greatest(const struct state *s, int n, const int *list, double *greatest)
{
    double so_far = *greatest;
    bool any = false;
    for (int i = 0; i < n; i++) {
        double one = s->speed[list[i]] * s->speed[list[i]];
        if (one > so_far) {
            so_far = one;
            any = true;
        }
    }
    if (any) *greatest = so_far;
}

__attribute__((noinline)) static void find_smaller(const struct state *s, int n, const int *list,
                                                   double *least)
{
    double least_so_far = *least;
    for (int i = 0; i < n; i++) {
        double one = 0.1 / (fabs(s->speed[list[i]]) + 1e-20);
        if (one < least_so_far) least_so_far = one;
    }
    if (least_so_far < *least) *least = least_so_far;
}

static inline void find_greater(const struct state *s, int n, const int *list, double *greatest)
{
    double so_far = *greatest;
    for (int i = 0; i < n; i++) {
        double one = s->speed[list[i]] * s->speed[list[i]];
        if (one > so_far) so_far = one;
    }
    if (so_far > *greatest) *greatest = so_far;
}

#define KERNEL(name, find, worst)                                                                            \
    __attribute__((noinline)) static double name(struct state *s, long n, int lists, int steps)              \
    {                                                                                                        \
        s->best = 1;                                                                                         \
        for (int t = 0; t < steps; t++) {                                                                    \
            double step = s->best * 1e-3 + 1e-3;                                                             \
            for (long i = 0; i < n; i++) {                                                                   \
                s->place[i] += step * s->speed[i];                                                           \
                s->speed[i] = s->speed[i] * 0.99 - 0.001 * s->place[i];                                      \
            }                                                                                                \
            s->best = worst;                                                                                 \
            for (int l = 0; l < lists; l++) find(s, s->length[l], s->list[l], &s->best);                     \
        }                                                                                                    \
        return s->best;                                                                                      \
    }

KERNEL(least, find_least, 1e20)
KERNEL(least_moving, find_least_moving, 1e20)
KERNEL(greatest, find_greatest, 0)
KERNEL(smaller, find_smaller, 1e20)
KERNEL(greater, find_greater, 0)

__attribute__((noinline)) static double kernel(int way, struct state *s, long n, int lists, int steps)
{
    return way == 0   ? least(s, n, lists, steps)
           : way == 1 ? least_moving(s, n, lists, steps)
           : way == 2 ? greatest(s, n, lists, steps)
           : way == 3 ? smaller(s, n, lists, steps)
                      : greater(s, n, lists, steps);
}

int main(int argc, char **argv)
{
    struct state s;
    long n = argument(argc, argv, 2);
    int lists = (int)argument(argc, argv, 3);
    set_up(&s, n, lists);
    double best = kernel((int)argument(argc, argv, 1), &s, n, lists, (int)argument(argc, argv, 4));
    printf("%g %g\n", best, s.place[n / 2]);
    return 0;
}
