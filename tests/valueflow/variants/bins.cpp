// Keys into bins in a vector of the function, whose memory is made where there are any. Arguments: which, how
// many keys.
#include <cstdio>
#include <cstdlib>
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

extern "C" void kernel(int *bin, const int *key, long n, long which)
{
    if (which == 0) count<int>(bin, key, n);
    if (which == 1) count<double>(bin, key, n);
    if (which == 2) count_at(bin, key, n);
}

int main(int argc, char **argv)
{
    long which = argc > 1 ? atol(argv[1]) : 0, n = argc > 2 ? atol(argv[2]) : 4000;
    std::vector<int> key(n), bin(n_bins);
    for (long i = 0; i < n; i++) key[i] = static_cast<int>(i * 7919 % n_bins);
    kernel(bin.data(), key.data(), n, which);
    printf("%d\n", bin[0]);
    return 0;
}
