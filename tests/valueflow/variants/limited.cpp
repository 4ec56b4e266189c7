/* Numbers that are counted between limits. WAY (0) NUMBERS LIMITS BINS. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static std::vector<double> x, limits;
static std::vector<int> count;

void kernel()
{
    for (double one : x)
        ++count[std::size_t(std::upper_bound(limits.begin(), limits.end(), one) - limits.begin())];
}

int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    int n = std::atoi(argv[2]), n_limits = std::atoi(argv[3]);
    for (int i = 0; i < n; i++) x.push_back(std::rand() % 1000 * 0.001);
    for (int i = 0; i < n_limits; i++) limits.push_back((i + 1.0) / (n_limits + 1));
    count.resize(std::size_t(std::atoi(argv[4])));
    kernel();
    long sum = 0;
    for (int one : count) sum += (long)one * one;
    std::printf("%ld\n", sum);
    return 0;
}
