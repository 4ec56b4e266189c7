// small_blocks WAY N M L TIMES: four numbers for each point of a small block. WAY 0, 1: the first is the mean
// of the 27 around it with what the others add, made in another block and copied; 2, 3: that of the six
// beside it, red points and black ones in turn. 0 and 2 with an array for each of the four, 1 and 3 in cells
// of one array.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{
enum { FIELDS = 4 };

struct extents {
    long n, m, l;
    long at(long i, long j, long k) const
    {
        return (i * m + j) * l + k;
    }
};

struct arrays {
    extents size;
    double *field[FIELDS];
    explicit arrays(const extents &given) : size(given)
    {
        for (double *&f : field) f = static_cast<double *>(calloc(given.n * given.m * given.l, sizeof *f));
    }
    double &operator()(int f, long i, long j, long k) const
    {
        return field[f][size.at(i, j, k)];
    }
};

struct cells {
    extents size;
    double *all;
    explicit cells(const extents &given)
        : size(given), all(static_cast<double *>(calloc(FIELDS * given.n * given.m * given.l, sizeof *all)))
    {
    }
    double &operator()(int f, long i, long j, long k) const
    {
        return all[size.at(i, j, k) * FIELDS + f];
    }
};

template <class Action> void each_inner(const extents &size, Action act)
{
    for (long i = 1; i < size.n - 1; i++)
        for (long j = 1; j < size.m - 1; j++)
            for (long k = 1; k < size.l - 1; k++) act(i, j, k);
}

template <class Block> void smooth(const Block &now, const Block &next)
{
    each_inner(now.size, [&](long i, long j, long k) {
        double sum = 0;
        for (int x = -1; x < 2; x++)
            for (int y = -1; y < 2; y++)
                for (int z = -1; z < 2; z++) sum += now(0, i + x, j + y, k + z);
        next(0, i, j, k) = sum / 27 + now(1, i, j, k) + now(2, i, j, k) * now(3, i, j, k);
    });
    each_inner(now.size, [&](long i, long j, long k) { now(0, i, j, k) = next(0, i, j, k); });
}

template <class Block> void relax(const Block &now)
{
    for (int color = 0; color < 2; color++)
        each_inner(now.size, [&](long i, long j, long k) {
            if ((i + j + k) % 2 == color)
                now(0, i, j, k) =
                    (now(1, i, j, k) + now(0, i - 1, j, k) + now(0, i + 1, j, k) + now(0, i, j - 1, k) +
                     now(0, i, j + 1, k) + now(0, i, j, k - 1) + now(0, i, j, k + 1)) /
                    6;
        });
}

template <class Block> double compute(const extents &size, bool relaxes, int n_times)
{
    Block now(size), next(size);
    double sum = 0;
    for (int f = 0; f < FIELDS; f++)
        for (long i = 0; i < size.n; i++)
            for (long j = 0; j < size.m; j++)
                for (long k = 0; k < size.l; k++)
                    now(f, i, j, k) = next(f, i, j, k) = 0.1 * ((size.at(i, j, k) * 37 + f) % 11);
    kernel(now, next, relaxes, n_times);
    each_inner(size, [&](long i, long j, long k) { sum += now(0, i, j, k); });
    return sum;
}

template <class Block>
__attribute__((noinline)) void kernel(const Block &now, const Block &next, bool relaxes, int n_times)
{
    for (int t = 0; t < n_times; t++)
        if (relaxes)
            relax(now);
        else
            smooth(now, next);
}
} // namespace

int main(int argc, char **argv)
{
    if (argc < 6) return 2;
    int way = atoi(argv[1]), n_times = atoi(argv[5]);
    const extents size = {atol(argv[2]), atol(argv[3]), atol(argv[4])};
    double sum = way % 2 ? compute<cells>(size, way > 1, n_times) : compute<arrays>(size, way > 1, n_times);
    printf("%g\n", sum);
    return 0;
}
