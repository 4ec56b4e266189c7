/* The sum of what sums are more than multiplied to: 0 squares of the sums of rows, 1 their roots, 2 a power
 * that a function of the library makes, 3 their halves, which need no sum of a row; squares of sums by keys
 * that lie 4 on the heap, 5 in a hash table. WAY ROWS COLUMNS. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

static double power_of_row(const double *x, long n, long way)
{
    double sum = 0;
    for (long j = 0; j < n; j++) sum += 1.5 * x[j];
    if (way == 0) return sum * sum;
    return way == 1 ? std::sqrt(sum) : std::pow(sum, 1.5);
}

static double powers_of_rows(const double *x, long m, long n, long way)
{
    double total = 0;
    for (long i = 0; i < m; i++) total += power_of_row(x + i * n, n, way);
    return total;
}

static double halves_of_rows(const double *x, long m, long n)
{
    double total = 0;
    for (long i = 0; i < m; i++) {
        double sum = 0;
        for (long j = 0; j < n; j++) sum += 1.5 * x[i * n + j];
        total += 0.5 * sum;
    }
    return total;
}

static double on_the_heap(const double *x, const int *key, long m, long n)
{
    double total = 0;
    std::vector<double *> sum((size_t)m);
    for (double *&one : sum) one = new double(0);
    for (long j = 0; j < m * n; j++) *sum[(size_t)key[j]] += x[j];
    for (double *one : sum) {
        total += *one * *one;
        delete one;
    }
    return total;
}

static double in_a_table(const double *x, const int *key, long n)
{
    double total = 0;
    std::unordered_map<int, double> sums;
    for (long j = 0; j < n; j++) sums[key[j]] += x[j];
    for (const auto &sum : sums) total += sum.second * sum.second;
    return total;
}

double kernel(const double *x, const int *key, long m, long n, long way)
{
    if (way < 3) return powers_of_rows(x, m, n, way);
    if (way == 3) return halves_of_rows(x, m, n);
    return way == 4 ? on_the_heap(x, key, m, n) : in_a_table(x, key, m * n);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long way = atol(argv[1]), m = atol(argv[2]), n = atol(argv[3]);
    std::vector<double> x((size_t)(m * n));
    std::vector<int> key(x.size());
    for (long j = 0; j < m * n; j++) {
        x[(size_t)j] = (double)(j * j % 101) / 101;
        key[(size_t)j] = (int)(j * 7 % m);
    }
    printf("%g\n", kernel(x.data(), key.data(), m, n, way));
    return 0;
}
