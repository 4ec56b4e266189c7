/* Charged particles in boxes of a cube, each in the field of all in its own box and in those beside it, whose
 * distance is computed anew on either side. Potential and field are added up. Arguments: 0, boxes along a
 * side. */
#include "../kernels/kernel.h"

enum { IN_BOX = 6, MOST = 27 };

struct particle {
    double self, x, y, z;
};

struct field {
    double potential, x, y, z;
};

struct box {
    long n, beside[MOST];
};

static void add_field(const struct particle *p, const struct particle *q, double charge, struct field *field)
{
    double distance = p->self + q->self - (p->x * q->x + p->y * q->y + p->z * q->z);
    double decay = exp(-0.5 * distance), pull = 2 * decay;
    double x = p->x - q->x, y = p->y - q->y, z = p->z - q->z;
    field->potential += charge * decay;
    field->x += charge * pull * x;
    field->y += charge * pull * y;
    field->z += charge * pull * z;
}

void kernel(long n_boxes, const struct box *boxes, const struct particle *particles, const double *charges,
            struct field *fields)
{
    for (long b = 0; b < n_boxes; b++)
        for (long k = 0; k < boxes[b].n; k++) {
            long own = b * IN_BOX, other = boxes[b].beside[k] * IN_BOX;
            for (long i = 0; i < IN_BOX; i++)
                for (long j = 0; j < IN_BOX; j++)
                    add_field(&particles[own + i], &particles[other + j], charges[other + j],
                              &fields[own + i]);
        }
}

static void list_beside(long n, long b, struct box *box)
{
    long z = b / (n * n), y = b / n % n, x = b % n;
    for (long k = z - 1; k <= z + 1; k++)
        for (long j = y - 1; j <= y + 1; j++)
            for (long i = x - 1; i <= x + 1; i++)
                if (k >= 0 && k < n && j >= 0 && j < n && i >= 0 && i < n)
                    box->beside[box->n++] = (k * n + j) * n + i;
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2), n_boxes = n * n * n;
    struct box *boxes = calloc((size_t)n_boxes, sizeof *boxes);
    struct field *fields = calloc((size_t)n_boxes * IN_BOX, sizeof *fields);
    struct particle *particles = (struct particle *)filled(n_boxes * IN_BOX * 4);
    double *charges = filled(n_boxes * IN_BOX);
    if (!boxes || !fields) return 1;
    for (long b = 0; b < n_boxes; b++) list_beside(n, b, &boxes[b]);
    kernel(n_boxes, boxes, particles, charges, fields);
    printf("%g\n", fields[n].x);
    return 0;
}
