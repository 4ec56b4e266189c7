// A matrix with its number of rows beside its words, transposed and copied. Arguments: which, N.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Matrix {
    int n;
    std::vector<double> v;
    explicit Matrix(int rows) : n(rows), v(static_cast<std::size_t>(rows) * rows)
    {
    }
    double &operator()(int i, int j)
    {
        return v[static_cast<std::size_t>(i) * n + j];
    }
    double operator()(int i, int j) const
    {
        return v[static_cast<std::size_t>(i) * n + j];
    }
};

static Matrix transposed(const Matrix &a)
{
    Matrix b(a.n);
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < a.n; j++) b(j, i) = a(i, j);
    return b;
}

extern "C" void kernel(const Matrix &a, Matrix &b, int which)
{
    if (which == 0)
        b = transposed(a);
    else
        b = a;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    int n = std::atoi(argv[2]);
    Matrix a(n), b(1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a(i, j) = i - 0.5 * j;
    kernel(a, b, std::atoi(argv[1]));
    std::printf("%g\n", b(1, 0));
    return 0;
}
