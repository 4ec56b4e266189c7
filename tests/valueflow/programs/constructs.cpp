// A region of C++ with the construct that the argument names.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <memory>
#include <parcast/region.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static const int n = 100;

static void throw_above(const std::vector<double> &x, double limit)
{
    double copy[8];
    for (int i = 0; i < 8; i++) copy[i] = x[i] + 1;
    if (copy[7] > limit) throw std::runtime_error("above");
}

static void act(const std::string &how, std::vector<double> &a, std::vector<double> &b)
{
    if (how == "thread") {
        std::thread other([&] { a[0] = 1; }); // thread
        other.join();
    }
    if (how == "exception") {
        for (int i = 0; i < 10; i++) {
            try {
                throw_above(a, -1);
            } catch (const std::exception &) {
                b[i] = a[i] + 1;
            }
        }
    }
    if (how == "sort") std::sort(a.begin(), a.end());
    if (how == "map") {
        std::map<int, double> by_key;
        for (int i = 0; i < n; i++) by_key[i % 10] += a[i];
        for (int i = 0; i < n; i++) b[i] = by_key[i % 10];
    }
    if (how == "shared") {
        auto shared = std::make_shared<std::vector<double>>(a);
        for (int i = 0; i < n; i++) b[i] = (*shared)[i] + 1;
    }
    if (how == "string") {
        std::vector<std::string> texts(n);
        for (int i = 0; i < n; i++) texts[i] = std::to_string(b[n - 1 - i]);
        for (int i = 0; i < n; i++) b[i] += texts[i][0];
    }
    if (how == "stream") std::cerr << "at " << b[3] << ' ' << how << std::endl;
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    std::vector<double> a(n), b(n); // arrays
    for (int i = 0; i < n; i++) a[i] = n - i;
    parcast_region_begin();
    for (int i = 0; i < n; i++) b[i] = a[i] * 2;
    act(argv[1], a, b);
    for (int i = 0; i < n; i++) b[i] += a[i];
    parcast_region_end();
    std::cout << b[7] << '\n';
    return 0;
}
