// The median of five neighbours among N, T times, by what the C++ library puts in order: a window on the
// stack sorted (0), in a std::array (1), up to its middle (2, 3), or so that equal ones stay (4), and vectors
// that are made anew each time (5, 6). ARGUMENTS: way, N, T.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int window = 5, around = window / 2;

template <typename Words> static void gather(Words &w, const double *x)
{
    for (int k = 0; k < window; k++) w[k] = x[k];
}

static double sorted(const double *x)
{
    double w[window];
    gather(w, x);
    std::sort(w, w + window);
    return w[around];
}

static double sorted_array(const double *x)
{
    std::array<double, window> w{};
    gather(w, x);
    std::sort(w.begin(), w.end());
    return w[around];
}

static double middle_element(const double *x)
{
    double w[window];
    gather(w, x);
    std::nth_element(w, w + around, w + window);
    return w[around];
}

static double lower_half(const double *x)
{
    double w[window];
    gather(w, x);
    std::partial_sort(w, w + around + 1, w + window, [](double a, double b) { return a > b; });
    return w[around];
}

static double stable(const double *x)
{
    double w[window];
    gather(w, x);
    std::stable_sort(w, w + window);
    return w[around];
}

static double of_vector(const double *x)
{
    std::vector<double> w;
    for (int k = 0; k < window; k++) w.push_back(x[k]);
    std::sort(w.begin(), w.end());
    return w[around];
}

static double middle_of_vector(const double *x)
{
    std::vector<double> w(x, x + window);
    std::nth_element(w.begin(), w.begin() + around, w.end());
    return w[around];
}

static double (*const medians[])(const double *) = {
    sorted, sorted_array, middle_element, lower_half, stable, of_vector, middle_of_vector,
};

extern "C" void kernel(double *x, double *y, long n, long steps, long way)
{
    for (long t = 0; t < steps; t++) {
        for (long i = around; i < n - around; i++) y[i] = medians[way](x + i - around);
        for (long i = 0; i < n; i++) x[i] = 0.5 * x[i] + 0.5 * y[i];
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    long way = std::atol(argv[1]), n = std::atol(argv[2]), steps = std::atol(argv[3]);
    std::vector<double> x(n), y(n);
    for (long i = 0; i < n; i++) x[i] = std::sin(double(i * i));
    kernel(x.data(), y.data(), n, steps, way);
    std::printf("%.17g\n", x[n / 2]);
    return 0;
}
