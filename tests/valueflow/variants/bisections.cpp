/* Which of 48 intervals numbers are in, by bisection. WAY: 0 noted, 1 counted, 2 by a function, 3 counted by
 * a function of the library, 4 counted by as many limits. ARGUMENTS: WAY, how many numbers. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int found(const double *limit, int n, double x)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (limit[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void in_place(int *which, const double *limit, int n, const double *x, long count)
{
    for (long i = 0; i < count; i++) {
        int low = 0, high = n;
        while (high - low > 1) {
            int middle = (low + high) >> 1;
            if (limit[middle] <= x[i])
                low = middle;
            else
                high = middle;
        }
        which[i] = low;
    }
}

void kernel(int *which, int *counted, const double *limit, int n, const double *x, long count, long way)
{
    if (way == 0) in_place(which, limit, n, x, count);
    for (long i = 0; i < count; i++) {
        if (way == 1) counted[found(limit, n, x[i])]++;
        if (way == 2) which[i] = found(limit, n, x[i]);
        if (way == 3) which[i] = (int)(std::lower_bound(limit, limit + n, x[i]) - limit);
        if (way == 4) counted[std::upper_bound(limit, limit + n + 1, x[i]) - limit]++;
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    int n = 48;
    long count = std::atol(argv[2]);
    std::vector<double> limit(n + 1), x(count);
    std::vector<int> which(count), counted(n + 1);
    for (int i = 0; i <= n; i++) limit[i] = (i + 1.0) / n;
    for (double &one : x) one = std::rand() / (RAND_MAX + 1.0);
    kernel(&which[0], &counted[0], &limit[0], n, &x[0], count, std::atol(argv[1]));
    std::printf("%d %d\n", which[1], counted[1]);
    return 0;
}
