// Keys into bins in a vector of the function, whose memory is made where there are any, in a vector of a
// function that is made for another machine (3), by cases (4), numbers into rows (5). Arguments: which, how
// many keys.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

static long n_bins = 16;

template <class Number> static void count(int *bin, const int *key, long n)
{
    std::vector<Number> counted(n_bins);
    for (long i = 0; i < n; i++) ++counted[key[i]];
    for (long j = 0; j < n_bins; j++) bin[j] = static_cast<int>(counted[j]);
}

static void count_at(int *bin, const int *key, long n)
{
    std::vector<int> counted(n_bins, 0);
    for (long i = 0; i < n; i++) counted.at(key[i])++;
    for (long j = 0; j < n_bins; j++) bin[j] += counted[j];
}

#ifdef __x86_64__
__attribute__((target("sse3"))) // the vector's functions are made for any machine
#endif
static void
count_there(std::vector<int> &counted, const int *key, long n)
{
    for (long i = 0; i < n; i++) ++counted[key[i]];
}

static void count_cases(int *bin, const int *key, long n)
{
    for (long i = 0; i < n; i++) switch (key[i]) {
        case 1:
            ++bin[1];
            break;
        case 3:
            ++bin[2];
            break;
        case 7:
            ++bin[3];
            break;
        default:
            ++bin[0];
        }
}

static std::vector<int> counted_there(n_bins);
static std::vector<std::vector<double>> sums(n_bins, std::vector<double>(2));

static void add_rows(const int *key, const double *x, long n)
{
    for (long i = 0; i < n; i++) {
        std::vector<double> &sum = sums[key[i]];
        std::transform(sum.begin(), sum.end(), x + 2 * i, sum.begin(), std::plus<>());
    }
}

extern "C" void kernel(int *bin, const int *key, const double *x, long n, long which)
{
    if (which == 0) count<int>(bin, key, n);
    if (which == 1) count<double>(bin, key, n);
    if (which == 2) count_at(bin, key, n);
    if (which == 3) count_there(counted_there, key, n);
    if (which == 4) count_cases(bin, key, n);
    if (which == 5) add_rows(key, x, n);
}

int main(int argc, char **argv)
{
    long which = argc > 1 ? atol(argv[1]) : 0, n = argc > 2 ? atol(argv[2]) : 4000;
    std::vector<int> key(n), bin(n_bins);
    for (long i = 0; i < n; i++) key[i] = static_cast<int>(i * 7919 % n_bins);
    std::vector<double> x(2 * n, 0.5);
    kernel(bin.data(), key.data(), x.data(), n, which);
    printf("%d\n", bin[0]);
    return 0;
}
