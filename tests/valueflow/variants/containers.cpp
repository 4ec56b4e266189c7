/* A five-point sweep in place over a matrix whose words are nodes of a list or a map, allocations of their
 * own, or lie in pieces of a deque or in a small part of an array; and a product of three such matrices.
 * ARGUMENTS: which container (0 to 5), 0 to sweep or 1 to multiply, rows, columns. */
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

struct in_list {
    std::list<double> nodes;
    std::vector<double *> at;
    explicit in_list(long n)
    {
        for (long i = 0; i < n; i++) {
            nodes.push_back(0);
            at.push_back(&nodes.back());
        }
    }
    double &operator[](long i) const
    {
        return *at[i];
    }
};

struct on_their_own {
    std::vector<std::unique_ptr<double>> at;
    explicit on_their_own(long n)
    {
        for (long i = 0; i < n; i++) at.emplace_back(new double(0));
    }
    double &operator[](long i) const
    {
        return *at[i];
    }
};

struct in_part {
    std::vector<double> words;
    explicit in_part(long n) : words(n + 5000)
    {
    }
    double &operator[](long i)
    {
        return words[i];
    }
};

template <class Map> struct mapped {
    Map nodes;
    explicit mapped(long n)
    {
        for (long i = 0; i < n; i++) nodes[i] = 0;
    }
    double &operator[](long i)
    {
        return nodes.at(i);
    }
};

template <class Matrix> static void kernel(Matrix &u, long n, long m)
{
    for (int k = 0; k < 4; k++)
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                u[i * m + j] =
                    0.25 * (u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] + u[(i + 1) * m + j]);
}

template <class Matrix> static void kernel(Matrix &c, Matrix &a, Matrix &b, long n, long m, long l)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            double sum = 0;
            for (long k = 0; k < l; k++) sum += a[i * l + k] * b[k * m + j];
            c[i * m + j] += sum;
        }
}

template <class Matrix> static double run(bool multiplies, long n, long m)
{
    long l = 16;
    Matrix u(n * m), a(n * l), b(l * m);
    for (long i = 0; i < n * m; i++) u[i] = 1.0 / (i + 1);
    for (long i = 0; i < n * l; i++) a[i] = 1.0 / (i + 2);
    for (long i = 0; i < l * m; i++) b[i] = 1.0 / (i + 3);
    if (multiplies)
        kernel(u, a, b, n, m, l);
    else
        kernel(u, n, m);
    return u[m + 1];
}

int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    bool multiplies = std::atoi(argv[2]);
    long n = std::atol(argv[3]), m = std::atol(argv[4]);
    double result = 0;
    switch (std::atoi(argv[1])) {
    case 0:
        result = run<in_list>(multiplies, n, m);
        break;
    case 1:
        result = run<on_their_own>(multiplies, n, m);
        break;
    case 2:
        result = run<mapped<std::map<long, double>>>(multiplies, n, m);
        break;
    case 3:
        result = run<mapped<std::unordered_map<long, double>>>(multiplies, n, m);
        break;
    case 4:
        result = run<std::deque<double>>(multiplies, n, m);
        break;
    case 5:
        result = run<in_part>(multiplies, n, m);
        break;
    default:
        return 2;
    }
    std::printf("%.9g\n", result);
}
