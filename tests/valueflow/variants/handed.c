/* The place of the least number, or the node of a list that has it, is handed to a function that reads what
 * stands there, adds to it, or keeps the place. ARGUMENTS: which way (0 to 4). */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
struct node {
    double x;
    struct node *next;
};
static double a[N], result;
static struct node nodes[N], *kept;

__attribute__((noinline)) static double read_place(const double *p)
{
    return *p * 2;
}

__attribute__((noinline)) static void add_at(double *p)
{
    *p += 5;
}

__attribute__((noinline)) static double read_node(const struct node *p)
{
    return p->x * 2;
}

__attribute__((noinline)) static void keep_node(struct node *p)
{
    kept = p;
}

__attribute__((noinline)) static void double_node(struct node *p)
{
    p->x *= 2;
}

static inline double *least_place(void)
{
    double *best = a;
    for (double *p = a; p < a + N; p++)
        if (*p < *best) best = p;
    return best;
}

static inline struct node *least_node(void)
{
    struct node *best = nodes;
    for (struct node *p = nodes; p; p = p->next)
        if (p->x < best->x) best = p;
    return best;
}

__attribute__((noinline)) static void way0(void)
{
    for (int i = 0; i < N; i++) a[i] = a[i] * 3 + 1;
    result = read_place(least_place());
}

__attribute__((noinline)) static void way1(void)
{
    for (int i = 0; i < N; i++) a[i] = a[i] * 3 + 1;
    add_at(least_place());
}

__attribute__((noinline)) static void way2(void)
{
    for (int i = 0; i < N; i++) nodes[i].x = nodes[i].x * 3 + 1;
    result = read_node(least_node());
}

__attribute__((noinline)) static void way3(void)
{
    for (int i = 0; i < N; i++) nodes[i].x = nodes[i].x * 3 + 1;
    keep_node(least_node());
}

__attribute__((noinline)) static void way4(void)
{
    for (int i = 0; i < N; i++) nodes[i].x = nodes[i].x * 3 + 1;
    double_node(least_node());
}

void kernel(int way)
{
    static void (*const ways[])(void) = {way0, way1, way2, way3, way4};
    ways[way]();
}

int main(int argc, char **argv)
{
    int way = argc == 2 ? atoi(argv[1]) : -1;
    if (way < 0 || way > 4) return 2;
    for (int i = 0; i < N; i++) {
        a[i] = i * 37 % N;
        nodes[i] = (struct node){.x = i * 29 % N, .next = i + 1 < N ? &nodes[i + 1] : NULL};
    }
    kernel(way);
    printf("%g %g %d\n", result, a[0], kept == NULL);
}
