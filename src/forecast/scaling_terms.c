/*
 * The exponent set of the performance model normal form and functions made of it.
 *
 * x^i log2(x)^j with i from fractions between 1/4 and 3 and j in {0, 1, 2}: sizes of grids, trees, all-to-all
 * exchanges and dense algebra (Calotoiu et al., SC'13). Strong scaling needs the negative powers as well.
 */
#include "scaling_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    int numerator, denominator;
} exponents[] = {{1, 4}, {1, 3}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {1, 1}, {5, 4},  {4, 3}, {3, 2},
                 {5, 3}, {7, 4}, {2, 1}, {9, 4}, {7, 3}, {5, 2}, {8, 3}, {11, 4}, {3, 1}};

int scaling_power_cost(struct scaling_power power)
{
    return abs(power.numerator) + (power.denominator - 1) + abs(power.log2_exponent);
}

static int compare_powers(const void *a, const void *b)
{
    const struct scaling_power *x = a, *y = b;
    int difference = scaling_power_cost(*x) - scaling_power_cost(*y);
    if (difference == 0) difference = y->numerator * x->denominator - x->numerator * y->denominator;
    return difference ? difference : y->log2_exponent - x->log2_exponent;
}

static bool allowed(struct scaling_power_set set, struct scaling_power power)
{
    if (power.numerator < 0 && !set.negative) return false;
    if (power.log2_exponent > 0) return set.logs;
    if (power.log2_exponent < 0) return set.negative && set.negative_logs && power.numerator <= 0;
    return power.numerator != 0;
}

size_t scaling_powers(struct scaling_power_set set, struct scaling_power powers[SCALING_MAX_POWERS])
{
    size_t n = 0;
    for (int j = -2; j <= 2; j++) {
        struct scaling_power logarithm = {0, 1, j};
        if (allowed(set, logarithm)) powers[n++] = logarithm;
        for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++)
            for (int sign = -1; sign <= 1; sign += 2) {
                struct scaling_power power = {sign * exponents[e].numerator, exponents[e].denominator, j};
                if (allowed(set, power)) powers[n++] = power;
            }
    }
    qsort(powers, n, sizeof *powers, compare_powers);
    return n;
}

double scaling_power_value(struct scaling_power power, double x)
{
    double value = 1;
    if (power.numerator != 0) value = pow(x, (double)power.numerator / power.denominator);
    double logarithm = power.log2_exponent != 0 ? log2(x) : 1;
    for (int j = 0; j < abs(power.log2_exponent); j++)
        value = power.log2_exponent > 0 ? value * logarithm : value / logarithm;
    return value;
}

static double factor_value(const parcast_scaling_factor *factor, const double *x)
{
    struct scaling_power power = {factor->numerator, factor->denominator, factor->log2_exponent};
    return scaling_power_value(power, x[factor->parameter]);
}

double parcast_scaling_function_value(const parcast_scaling_function *function, const double *x)
{
    double sum = function->constant;
    for (size_t t = 0; t < function->n_terms; t++) {
        const parcast_scaling_term *term = &function->terms[t];
        double product = term->coefficient;
        for (size_t f = 0; f < term->n_factors; f++) product *= factor_value(&term->factors[f], x);
        sum += product;
    }
    return sum;
}

static void print_factor(FILE *out, const parcast_scaling_factor *factor, const char *name)
{
    if (factor->numerator != 0) {
        fprintf(out, " * %s", name);
        if (factor->denominator != 1)
            fprintf(out, "^(%d/%d)", factor->numerator, factor->denominator);
        else if (factor->numerator != 1)
            fprintf(out, "^%d", factor->numerator);
    }
    if (factor->log2_exponent != 0) {
        fprintf(out, " * log2(%s)", name);
        if (factor->log2_exponent != 1) fprintf(out, "^%d", factor->log2_exponent);
    }
}

const char *parcast_scaling_function_text(const parcast_scaling_function *function, const char *const *names,
                                          char *buffer, size_t size)
{
    if (size == 0) return buffer;
    buffer[0] = '\0';
    FILE *out = fmemopen(buffer, size, "w");
    if (!out) return buffer;
    fprintf(out, "%.6g", function->constant);
    for (size_t t = 0; t < function->n_terms; t++) {
        const parcast_scaling_term *term = &function->terms[t];
        fprintf(out, " %c %.6g", term->coefficient < 0 ? '-' : '+', fabs(term->coefficient));
        for (size_t f = 0; f < term->n_factors; f++)
            print_factor(out, &term->factors[f], names[term->factors[f].parameter]);
    }
    fclose(out);
    buffer[size - 1] = '\0';
    return buffer;
}
