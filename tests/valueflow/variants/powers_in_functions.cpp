/* The sum of what functions of their own make of sums: 0 to 14 squares, roots and other powers, and 15 to 17
 * powers that take the places of the sums, for which each sum is needed; 18 to 23 multiples, for which parts
 * of it will do; 24 roots in a vector that has grown. WAY ROWS COLUMNS. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define APART __attribute__((noinline))

struct large {
    double power, others[3];
};
struct power {
    virtual ~power() = default;
    virtual double of(double s) const = 0;
};
struct second : power {
    APART double of(double s) const override
    {
        return s * s;
    }
};

static APART double square(double s)
{
    return s * s;
}
static APART double root(double s)
{
    return std::sqrt(s);
}
static APART double by_halves(double a)
{
    double x = a;
    for (int i = 0; i < 20; i++) x = 0.5 * (x + a / x);
    return x;
}
static APART void square_to(double s, double *out)
{
    *out = s * s;
}
static APART void square_there(double *s)
{
    *s *= *s;
}
static APART large square_in_structure(double s)
{
    return {s * s, {1, 2, 3}};
}
static APART double product(double a, double b)
{
    return a * b;
}
static APART double raised(double s, int n)
{
    return n == 0 ? 1 : s * raised(s, n - 1);
}
static APART void add(double *total, double term)
{
    *total += term;
}
static APART void add_product(double *total, double a, double b)
{
    *total += a * b;
}
static APART double third(double s)
{
    return s / 3;
}
static APART double less(double s)
{
    return 2 * s - 1;
}
static APART double number_of(long s)
{
    return (double)s;
}

static double sum_of(const double *x, long n)
{
    double sum = 0;
    for (long j = 0; j < n; j++) sum += 1.5 * x[j];
    return sum;
}

static APART double norm_of(const double *x, long n)
{
    return std::sqrt(sum_of(x, n));
}
static APART double mean_of(const double *x, long n)
{
    return sum_of(x, n) / (double)n;
}

static long count_of(const double *x, long n)
{
    long sum = 0;
    for (long j = 0; j < n; j++) sum += (long)x[j];
    return sum;
}

#define ROWS for (const double *row = x; row < x + m * n; row += n)

static double handed_over(const double *x, long m, long n, long way)
{
    double total = 0, sum = 0;
    if (way == 11) ROWS sum = sum_of(row, n), add(&total, sum * sum);
    if (way == 12) ROWS sum = sum_of(row, n), add_product(&total, sum, sum);
    if (way == 22) ROWS add(&total, sum_of(row, n));
    return total;
}

static double left_in_place(const double *x, long m, long n, long way)
{
    double total = 0;
    std::vector<double> sums;
    if (way < 24) sums.resize((size_t)m);
    for (long i = 0; i < m; i++) {
        if (way < 24)
            sums[(size_t)i] = sum_of(x + i * n, n);
        else
            sums.push_back(sum_of(x + i * n, n));
    }
    for (double &sum : sums) {
        if (way == 15 || way == 24) sum = std::sqrt(sum);
        if (way == 16) sum *= sum;
        if (way == 17) square_there(&sum);
        if (way == 23) sum = 0.5 * sum;
    }
    for (const double sum : sums) total += sum;
    return total;
}

static double returned(const double *x, long m, long n, long way)
{
    static double (*volatile pointer)(double) = square;
    const std::function<double(double)> function = [](double s) { return s * s; };
    const second twice;
    const power &base = twice;
    double total = 0, stored = 0;
    if (way == 0) ROWS total += square(sum_of(row, n));
    if (way == 1) ROWS total += root(sum_of(row, n));
    if (way == 2) ROWS total += by_halves(sum_of(row, n));
    if (way == 3) ROWS square_to(sum_of(row, n), &stored), total += stored;
    if (way == 4) ROWS stored = sum_of(row, n), square_there(&stored), total += stored;
    if (way == 5) ROWS total += square_in_structure(sum_of(row, n)).power;
    if (way == 6) ROWS stored = sum_of(row, n), total += product(stored, stored);
    if (way == 7) ROWS total += raised(sum_of(row, n), 3);
    if (way == 8) ROWS total += pointer(sum_of(row, n));
    if (way == 9) ROWS total += function(sum_of(row, n));
    if (way == 10) ROWS total += base.of(sum_of(row, n));
    if (way == 13) ROWS total += norm_of(row, n);
    if (way == 14) ROWS total += 2 * square(sum_of(row, n)) + 1;
    if (way == 18) ROWS total += third(sum_of(row, n));
    if (way == 19) ROWS total += less(sum_of(row, n));
    if (way == 20) ROWS total += number_of(count_of(row, n));
    if (way == 21) ROWS total += mean_of(row, n);
    return total;
}

double kernel(const double *x, long m, long n, long way)
{
    if (way == 11 || way == 12 || way == 22) return handed_over(x, m, n, way);
    return (way >= 15 && way <= 17) || way >= 23 ? left_in_place(x, m, n, way) : returned(x, m, n, way);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long way = atol(argv[1]), m = atol(argv[2]), n = atol(argv[3]);
    std::vector<double> x((size_t)(m * n));
    for (long j = 0; j < m * n; j++) x[(size_t)j] = (double)(j * j % 101) / 7;
    printf("%g\n", kernel(x.data(), m, n, way));
    return 0;
}
