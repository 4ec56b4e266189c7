/* Words of maps by a key that is there: 0 m[key], 1 m.at(key), 2 m.find(key), of which a product is computed;
 * 3 to 5 the same of sums of numbers; 6 to 8 of a map that is hashed. WAY NUMBERS KEYS, or WAY ROWS COLUMNS.
 */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <vector>

static std::map<long, double> a, b, c;
static std::map<int, double> ordered;
static std::unordered_map<int, double> hashed;
static std::vector<double> x;
static std::vector<int> key;

template <class Map, class Key> static double &word(Map &m, Key k, long way)
{
    if (way == 0) return m[k];
    return way == 1 ? m.at(k) : m.find(k)->second;
}

template <long Way> static void multiply(long n, long m)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++) sum += word(a, i * n + k, Way) * word(b, k * m + j, Way);
            word(c, i * m + j, Way) = sum;
        }
}

template <long Way, class Map> static void add(Map &m, long n)
{
    for (long j = 0; j < n; j++) word(m, key[(size_t)j], Way) += x[(size_t)j];
}

void kernel(long way, long n, long m)
{
    if (way == 0) multiply<0>(n, m);
    if (way == 1) multiply<1>(n, m);
    if (way == 2) multiply<2>(n, m);
    if (way == 3) add<0>(ordered, n);
    if (way == 4) add<1>(ordered, n);
    if (way == 5) add<2>(ordered, n);
    if (way == 6) add<0>(hashed, n);
    if (way == 7) add<1>(hashed, n);
    if (way == 8) add<2>(hashed, n);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long way = atol(argv[1]), n = atol(argv[2]), m = atol(argv[3]);
    for (long i = 0; way < 3 && i < n * n; i++) a[i] = (double)(i % 7);
    for (long i = 0; way < 3 && i < n * m; i++) b[i] = (double)(i % 5), c[i] = 0;
    for (long i = 0; way >= 3 && i < n; i++) {
        x.push_back((double)(i * i % 101));
        key.push_back((int)(i * 7 % m));
        ordered[key.back()] = hashed[key.back()] = 0;
    }
    kernel(way, n, m);
    double sum = 0;
    for (const auto &word : c) sum += word.second;
    for (const auto &word : ordered) sum += word.second;
    for (const auto &word : hashed) sum += word.second;
    printf("%g\n", sum);
    return 0;
}
