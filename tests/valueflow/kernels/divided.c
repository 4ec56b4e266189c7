/* Reductions of all numbers in functions that call themselves, down to one number. ARGUMENTS: WAY N STEPS. */
#include "kernel.h"

static double sum(const double *x, long n)
{
    if (n == 1) return x[0];
    return sum(x, n / 2) + sum(x + n / 2, n - n / 2);
}

static double least(const double *x, long n)
{
    if (n == 1) return x[0];
    double left = least(x, n / 2), right = least(x + n / 2, n - n / 2);
    return left < right ? left : right;
}

static double sum_of_squares(const double *x, long n)
{
    return n == 1 ? x[0] * x[0] : sum_of_squares(x, n / 3 + 1) + sum_of_squares(x + n / 3 + 1, n - n / 3 - 1);
}

static double products(const double *x, const double *y, long n)
{
    if (n == 1) return x[0] * y[0];
    return products(x, y, n / 2) + products(x + n / 2, y + n / 2, n - n / 2);
}

static double products_in_threes(const double *x, const double *y, long n)
{
    if (n < 1) return 0;
    if (n < 3) return n == 1 ? x[0] * y[0] : x[0] * y[0] + x[1] * y[1];
    long part = n / 3 + 1, rest = n - part;
    return products_in_threes(x, y, part) + products_in_threes(x + part, y + part, rest / 2) +
           products_in_threes(x + part + rest / 2, y + part + rest / 2, rest - rest / 2);
}

static double first_and_others(const double *x, long n)
{
    return n ? x[0] + first_and_others(x + 1, n - 1) : 0;
}

static double so_far_and_others(const double *x, long n, double so_far)
{
    return n ? so_far_and_others(x + 1, n - 1, so_far + x[0]) : so_far;
}

static double first_product_and_others(const double *x, const double *y, long n)
{
    return n ? x[0] * y[0] + first_product_and_others(x + 1, y + 1, n - 1) : 0;
}

static double others_and_last_product(const double *x, const double *y, long n)
{
    if (n == 1) return x[0] * y[0];
    double others = others_and_last_product(x, y, n - 1);
    return others + 0.5 * x[n - 1] * y[n - 1] + x[n - 1] / (1 + y[n - 1]);
}

static double products_so_far(const double *x, const double *y, long n, double so_far)
{
    return n ? products_so_far(x + 1, y + 1, n - 1, so_far + x[0] * y[0]) : so_far;
}

static long count(const double *x, long n)
{
    if (n == 1) return x[0] > 0.5;
    return count(x, n / 2) + count(x + n / 2, n - n / 2);
}

static double in_threes(const double *x, long n)
{
    if (n < 3) return n == 1 ? x[0] : x[0] + x[1];
    long part = n / 3;
    return in_threes(x, part) + in_threes(x + part, part) + in_threes(x + 2 * part, n - 2 * part);
}

struct node {
    const struct node *left, *right;
    const double *x;
} *root;

static double of_nodes(const struct node *node)
{
    return node ? of_nodes(node->left) + *node->x + of_nodes(node->right) : 0;
}

static struct node *tree(double *x, long n)
{
    if (!n) return NULL;
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    *node = (struct node){tree(x, n / 2), tree(x + n / 2 + 1, n - n / 2 - 1), x + n / 2};
    return node;
}

void kernel(double *x, const double *y, long n, long steps, long way)
{
    for (long t = 0; t < steps; t++) {
        double all = 0;
        if (way == 0) all = sum(x, n);
        if (way == 1) all = least(x, n);
        if (way == 2) all = sum_of_squares(x, n);
        if (way == 3) all = first_and_others(x, n);
        if (way == 4) all = so_far_and_others(x, n, 0);
        if (way == 5) all = (double)count(x, n);
        if (way == 6) all = in_threes(x, n);
        if (way == 7) all = of_nodes(root);
        if (way == 8) all = products(x, y, n);
        if (way == 9) all = products_in_threes(x, y, n);
        if (way == 10) all = first_product_and_others(x, y, n);
        if (way == 11) all = others_and_last_product(x, y, n);
        if (way == 12) all = products_so_far(x, y, n, 0);
        for (long i = 0; i < n; i++) x[i] = 0.99 * x[i] + 0.001 * all / (double)(i + 1);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n), *y = filled(n);
    if (way == 7) root = tree(x, n);
    kernel(x, y, n, steps, way);
    printf("%g\n", x[n / 2]);
    return 0;
}
