/* How often keys are there, in a std::map whose nodes were made before: 0 ++m[key], 1 m.at(key), 2
 * m.find(key). WAY NUMBERS KEYS. */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

static std::map<int, int> count;
static std::vector<int> key;

void kernel(long way)
{
    for (int k : key) {
        if (way == 0) ++count[k];
        if (way == 1) ++count.at(k);
        if (way == 2) ++count.find(k)->second;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = std::atoi(argv[2]), keys = std::atoi(argv[3]);
    for (int i = 0; i < n; i++) key.push_back(std::rand() % keys);
    for (int k = 0; k < keys; k++) count[k] = 0;
    kernel(std::atol(argv[1]));
    long sum = 0;
    for (const auto &one : count) sum += (long)one.first * one.second;
    std::printf("%ld\n", sum);
    return 0;
}
