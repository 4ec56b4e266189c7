// A sparse matrix that the region makes, of three diagonals: of a size that is known, with push_back, with
// room for it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct csr {
    std::vector<int> first, column;
    std::vector<double> value;
};

static csr place(int n)
{
    csr a;
    a.first.resize(n + 1);
    a.column.resize(3 * n);
    a.value.resize(3 * n);
    int k = 0;
    for (int i = 0; i < n; i++) {
        a.first[i] = k;
        for (int j = i - 1; j <= i + 1; j++) {
            if (j < 0 || j >= n) continue;
            a.column[k] = j;
            a.value[k] = i == j ? 2 : -1;
            k++;
        }
    }
    a.first[n] = k;
    return a;
}

static csr append(int n, bool with_room)
{
    csr a;
    if (with_room) {
        a.first.reserve(n + 1);
        a.column.reserve(3 * n);
        a.value.reserve(3 * n);
    }
    a.first.push_back(0);
    for (int i = 0; i < n; i++) {
        for (int j = i - 1; j <= i + 1; j++) {
            if (j < 0 || j >= n) continue;
            a.column.push_back(j);
            a.value.push_back(i == j ? 2 : -1);
        }
        a.first.push_back((int)a.column.size());
    }
    return a;
}

void kernel(int way, int n, int times)
{
    csr a = way ? append(n, way == 2) : place(n);
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = std::sin(i);
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = a.first[i]; k < a.first[i + 1]; k++) sum += a.value[k] * x[a.column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++) x[i] = 0.3 * y[i];
    }
    double sum = 0;
    for (double v : x) sum += v;
    std::printf("%.17g\n", sum);
}

int main(int argc, char **argv)
{
    kernel(argc > 1 ? std::atoi(argv[1]) : 0, argc > 2 ? std::atoi(argv[2]) : 64,
           argc > 3 ? std::atoi(argv[3]) : 5);
}
