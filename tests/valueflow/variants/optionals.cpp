/* The largest of each of 16 keys, where it is known whether there has been one: in an optional (0), or a flag
 * beside it (1). ARGUMENTS: way, how many numbers. */
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

enum { KEYS = 16 };
struct largest {
    double value;
    bool any;
};
static std::vector<double> x;
static std::vector<int> key;
static std::vector<std::optional<double>> most(KEYS);
static std::vector<largest> flagged(KEYS);

void kernel(int way)
{
    for (std::size_t i = 0; i < x.size(); i++)
        if (way) {
            largest &one = flagged[key[i]];
            if (!one.any || x[i] > one.value) one = {x[i], true};
        } else {
            std::optional<double> &one = most[key[i]];
            if (!one || x[i] > *one) one = x[i];
        }
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? std::atoi(argv[2]) : 4000;
    for (int i = 0; i < n; i++) {
        key.push_back(std::rand() % KEYS);
        x.push_back(std::rand() / (RAND_MAX + 1.0));
    }
    kernel(argc > 1 ? std::atoi(argv[1]) : 0);
    double sum = 0;
    for (int i = 0; i < KEYS; i++) sum += most[i].value_or(0) + flagged[i].value;
    std::printf("%.10g\n", sum);
    return 0;
}
