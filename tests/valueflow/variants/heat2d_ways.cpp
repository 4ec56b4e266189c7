// The five-point sweep in C++. Arguments: which, side, steps.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <valarray>
#include <vector>

template <class T> class Grid
{
  public:
    explicit Grid(int n) : n(n), data((n + 2) * (n + 2))
    {
    }
    T &operator()(int i, int j)
    {
        return data[i * (n + 2) + j];
    }
    const T &operator()(int i, int j) const
    {
        return data[i * (n + 2) + j];
    }
    const int n;
    std::vector<T> data;
};

using Field = Grid<double>;

struct Rule {
    virtual double at(const Field &u, int i, int j) const = 0;
    virtual ~Rule() = default;
};

struct Mean : Rule {
    double at(const Field &u, int i, int j) const override
    {
        return 0.2 * (u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
    }
};

static void accessors(Field &u, Field &v, int steps)
{
    for (int s = 0; s < steps; s++, std::swap(u.data, v.data))
        for (int i = 1; i <= u.n; i++)
            for (int j = 1; j <= u.n; j++) v(i, j) = Mean().at(u, i, j);
}

static void virtual_calls(Field &u, Field &v, int steps)
{
    std::unique_ptr<Rule> rule(new Mean);
    for (int s = 0; s < steps; s++, std::swap(u.data, v.data))
        for (int i = 1; i <= u.n; i++)
            for (int j = 1; j <= u.n; j++) v(i, j) = rule->at(u, i, j);
}

static void function_objects(Field &u, Field &v, int steps)
{
    std::function<double(int, int)> f = [&](int i, int j) { return Mean().at(u, i, j); };
    for (int s = 0; s < steps; s++, std::swap(u.data, v.data))
        for (int i = 1; i <= u.n; i++)
            for (int j = 1; j <= u.n; j++) v(i, j) = f(i, j);
}

static void small_arrays(Field &u, Field &v, int steps)
{
    for (int s = 0; s < steps; s++, std::swap(u.data, v.data))
        for (int i = 1; i <= u.n; i++)
            for (int j = 1; j <= u.n; j++) {
                std::array<double, 5> a{u(i, j), u(i - 1, j), u(i + 1, j), u(i, j - 1), u(i, j + 1)};
                v(i, j) = 0.2 * std::accumulate(a.begin(), a.end(), 0.0);
            }
}

static void moved_grids(Field &u, int steps)
{
    for (int s = 0; s < steps; s++) {
        Field w(u.n);
        w.data = u.data;
        for (int i = 1; i <= u.n; i++)
            for (int j = 1; j <= u.n; j++) w(i, j) = Mean().at(u, i, j);
        u.data = std::move(w.data);
    }
}

static void vectors_of_vectors(const Field &given, int steps)
{
    using Rows = std::vector<std::vector<double>>;
    const int n = given.n;
    Rows u(n + 2, std::vector<double>(n + 2)), v(u);
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < n + 2; j++) u[i][j] = given(i, j);
    for (int s = 0; s < steps; s++, std::swap(u, v))
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                v[i][j] = 0.2 * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

static void arrays_of_values(const Field &given, int steps)
{
    using Row = std::valarray<double>;
    const size_t n = given.n, m = n + 2;
    Row u(given.data.data(), m * m);
    for (int s = 0; s < steps; s++) {
        Row v(u);
        for (size_t i = 1; i <= n; i++) {
            auto row = [=](size_t first) { return std::slice(first, n, 1); };
            const size_t at = i * m + 1;
            Row sum = 0.2 * (Row(u[row(at)]) + Row(u[row(at - m)]) + Row(u[row(at + m)]) +
                             Row(u[row(at - 1)]) + Row(u[row(at + 1)]));
            v[row(at)] = sum;
        }
        u = v;
    }
}

/* Rows that each step makes anew: all of the plane is copied and copied back, or put together row by row. */
static void rows_of_each_step(const Field &given, int steps, bool is_copied)
{
    using Rows = std::vector<std::vector<double>>;
    const int n = given.n;
    Rows u(n + 2, std::vector<double>(n + 2));
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < n + 2; j++) u[i][j] = given(i, j);
    auto sweep = [&](int i, int j) {
        return 0.2 * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    };
    for (int s = 0; s < steps; s++) {
        Rows v;
        if (is_copied) {
            v = u;
            for (int i = 1; i <= n; i++)
                for (int j = 1; j <= n; j++) v[i][j] = sweep(i, j);
            u = v;
            continue;
        }
        v.push_back(u[0]);
        for (int i = 1; i <= n; i++) {
            std::vector<double> row;
            row.reserve(n + 2);
            row.push_back(u[i][0]);
            for (int j = 1; j <= n; j++) row.push_back(sweep(i, j));
            row.push_back(u[i][n + 1]);
            v.push_back(std::move(row));
        }
        v.push_back(u[n + 1]);
        u = std::move(v);
    }
}

extern "C" void kernel(Field &u, Field &v, int steps, int which)
{
    switch (which) {
    case 0:
        accessors(u, v, steps);
        break;
    case 1:
        virtual_calls(u, v, steps);
        break;
    case 2:
        function_objects(u, v, steps);
        break;
    case 3:
        small_arrays(u, v, steps);
        break;
    case 4:
        moved_grids(u, steps);
        break;
    case 5:
        vectors_of_vectors(u, steps);
        break;
    case 7:
    case 8:
        rows_of_each_step(u, steps, which == 7);
        break;
    default:
        arrays_of_values(u, steps);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int n = std::atoi(argv[2]);
    Field u(n), v(n);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) u(i, j) = i + j % 5;
    kernel(u, v, std::atoi(argv[3]), std::atoi(argv[1]));
    std::printf("%g\n", u(1, 1));
}
