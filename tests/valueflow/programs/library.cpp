/*
 * A matrix of a library whose headers are those of the system, as its templates are: what they allocate is the
 * program's, whatever the members are called in which they keep it.
 *
 *   library copied | assigned | resized
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

/* clang-format off */
#line 1 "/usr/include/library/storage.hpp"
template <class T> class storage
{
    T *own_data = nullptr;
    long own_size = 0;

  public:
    storage() = default;
    explicit storage(long size) { resize(size); }
    storage(const storage &other) { assign(other); }
    storage &operator=(const storage &other) { assign(other); return *this; }
    ~storage() { std::free(own_data); }
    void resize(long size)
    {
        if (size == own_size) return;
        std::free(own_data);
        own_data = static_cast<T *>(std::calloc(static_cast<std::size_t>(size), sizeof(T)));
        own_size = size;
    }
    void assign(const storage &other)
    {
        resize(other.own_size);
        for (long i = 0; i < own_size; i++) own_data[i] = other.own_data[i];
    }
    T &at(long i) { return own_data[i]; }
};
#line 1 "/usr/include/library/matrix.hpp"
template <class T> class matrix
{
    storage<T> own_storage;
    long columns = 0;

  public:
    matrix() = default;
    matrix(long rows, long n) : own_storage(rows * n), columns(n) {}
    void resize(long rows, long n) { own_storage.resize(rows * n); columns = n; }
    T &operator()(long i, long j) { return own_storage.at(i * columns + j); }
};
#line 51 "library.cpp"
/* clang-format on */
static const long n = 16;

static void smooth(matrix<double> &to, matrix<double> &from)
{
    for (long i = 1; i + 1 < n; i++)
        for (long j = 1; j + 1 < n; j++)
            to(i, j) = from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1);
}

static double run(matrix<double> &hot, matrix<double> &cold)
{
    for (int step = 0; step < 3; step++) {
        smooth(cold, hot);
        smooth(hot, cold);
    }
    smooth(cold, hot);
    return cold(1, 1);
}

static matrix<double> kept;

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    matrix<double> first(n, n);
    for (long i = 0; i < n; i++) first(i, i) = 1;
    if (std::strcmp(how, "copied") == 0) {
        matrix<double> second = first;
        std::printf("%g\n", run(first, second));
    } else if (std::strcmp(how, "assigned") == 0) {
        kept = first;
        std::printf("%g\n", run(first, kept));
    } else {
        matrix<double> third;
        third.resize(n, n);
        std::printf("%g\n", run(first, third));
    }
}
