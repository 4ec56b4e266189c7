// The best of each key with its place, by functions that choose between two objects: 0 the smaller of two
// pairs, 1 the larger by its first member, 2 the better of two structures by a function that returns a
// reference, 3 by one that returns a copy, 4 the smaller of two pairs of an own class, in a vector, 5 of
// pairs that there may be or not. WAY NUMBERS.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace
{
constexpr int bins = 16;
int n;
std::vector<int> key;
std::vector<double> x;
std::pair<double, int> best[bins];

struct place {
    double value;
    int at;
    bool operator<(const place &other) const
    {
        return value < other.value || (value == other.value && at < other.at);
    }
};
place found[bins];
std::vector<place> listed(bins);
std::optional<std::pair<double, int>> any[bins];

const place &better(const place &a, const place &b)
{
    return b.value < a.value ? b : a;
}

place better_copy(place a, place b)
{
    return b.value < a.value ? b : a;
}
} // namespace

void kernel(int way)
{
    if (way == 0)
        for (int i = 0; i < n; i++) best[key[i]] = std::min(best[key[i]], std::make_pair(x[i], i));
    if (way == 1)
        for (int i = 0; i < n; i++)
            best[key[i]] = std::max(best[key[i]], std::make_pair(x[i], i),
                                    [](const auto &a, const auto &b) { return a.first < b.first; });
    if (way == 2)
        for (int i = 0; i < n; i++) found[key[i]] = better(found[key[i]], place{x[i], i});
    if (way == 3)
        for (int i = 0; i < n; i++) found[key[i]] = better_copy(found[key[i]], place{x[i], i});
    if (way == 4)
        for (int i = 0; i < n; i++) listed[key[i]] = std::min(listed[key[i]], place{x[i], i});
    if (way == 5)
        for (int i = 0; i < n; i++) {
            auto &least = any[key[i]];
            if (!least || x[i] < least->first) least = {x[i], i};
        }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int way = std::atoi(argv[1]);
    n = std::atoi(argv[2]);
    for (int i = 0; i < n; i++) {
        key.push_back(std::rand() % bins);
        x.push_back(std::rand() % 10007 / 10007.0);
    }
    for (int k = 0; k < bins; k++) {
        best[k] = {way == 1 ? -1 : 2, -1};
        found[k] = listed[k] = {2, -1};
    }
    kernel(way);
    double sum = 0;
    for (const auto &least : any) sum += least ? least->first + least->second : 0;
    for (int k = 0; k < bins; k++)
        sum += best[k].first + best[k].second + found[k].value + found[k].at + listed[k].value + listed[k].at;
    std::printf("%g\n", sum);
}
