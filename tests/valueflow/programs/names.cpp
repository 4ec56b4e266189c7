// Arrays in namespaces.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

const int n = 16;
namespace plate
{
double cold[n * n], hot[n * n];
}
namespace plate
{
std::vector<double> cool, warm;
static void make()
{
    cool.resize(n * n);
    warm.resize(n * n);
}
} // namespace plate
namespace
{
double sum[n * n];
}

static int vectors()
{
    using namespace plate;
    make();
    for (int i = 0; i < n * n; i++) warm[i] = i;
    for (int k = 0; k < 3; k++) {
        for (int i = 1; i < n * n; i++) cool[i] = 0.5 * (warm[i] + warm[i - 1]);
        for (int i = 1; i < n * n; i++) warm[i] = cool[i - 1] + cool[i];
    }
    std::cerr << "warm" << std::endl; // no news either
    std::printf("%g\n", warm[3]);
    return 0;
}

static double passed(double *from, double *to)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 1; i < n * n; i++) to[i] = 0.5 * (from[i] + from[i - 1]);
        for (int i = 1; i < n * n; i++) from[i] = to[i - 1] + to[i];
    }
    return from[3];
}

static void fill(std::vector<double> &filled) { filled.assign(n * n, 1); }

static int references()
{
    std::vector<double> far, near;
    fill(far), fill(near);
    std::printf("%g\n", passed(&far[0], &near[0]));
    return 0;
}

static void take(double *&taken) { taken = new double[n * n](); }

static int pointers()
{
    double *first, *last;
    take(first), take(last);
    std::printf("%g\n", passed(last, first));
    return 0;
}

/* Objects of the library that hold a pointer. */
using pointer = std::unique_ptr<double[]>;

static pointer make(int size) { return pointer(new double[size]()); }

static int held()
{
    pointer white(new double[n * n]()), black(new double[n * n]());
    std::printf("%g\n", passed(black.get(), white.get()));
    return 0;
}

static int moved()
{
    pointer fields[2], last;
    for (int i = 0; i < 2; i++) fields[i] = make(n * n);
    last = std::make_unique<double[]>(n * n);
    std::printf("%g\n", passed(fields[0].get(), fields[1].get()) + passed(fields[0].get(), last.get()));
    return 0;
}

static int shared()
{
    std::shared_ptr<double[]> odd(new double[n * n]()), even;
    even.reset(new double[n * n]());
    std::printf("%g\n", passed(even.get(), odd.get()));
    return 0;
}

static int pushed()
{
    std::vector<pointer> rows;
    for (int i = 0; i < 2; i++) rows.push_back(make(n * n));
    std::printf("%g\n", passed(rows[0].get(), rows[1].get()));
    return 0;
}

static int behind()
{
    std::vector<std::unique_ptr<std::vector<double>>> lines;
    for (int i = 0; i < 2; i++) lines.push_back(std::make_unique<std::vector<double>>(n * n));
    std::printf("%g\n", passed(lines[0]->data(), lines[1]->data()));
    return 0;
}

/* Members of classes, which constructors allocate. */
class own
{
    std::vector<double> v;

  public:
    explicit own(int size) : v(size * size) {}
    double *begin() { return v.data(); }
};

class raw
{
    double *p;

  public:
    explicit raw(int size);
    raw(const raw &) = delete;
    raw &operator=(const raw &) = delete;
    double *begin() { return p; }
};

__attribute__((noinline)) raw::raw(int size) : p(new double[size * size]()) {}

class held_by
{
    pointer h;

  public:
    explicit held_by(int size) : h(std::make_unique<double[]>(size * size)) {}
    double *begin() { return h.get(); }
};

template <class T> static int classes()
{
    T lower(n), upper(n);
    std::printf("%g\n", passed(upper.begin(), lower.begin()));
    return 0;
}

int main(int argc, char **argv)
{
    const std::string how = argc > 1 ? argv[1] : "";
    if (how == "containers") return vectors();
    if (how == "references") return references();
    if (how == "pointers") return pointers();
    if (how == "held") return held();
    if (how == "moved") return moved();
    if (how == "shared") return shared();
    if (how == "pushed") return pushed();
    if (how == "behind") return behind();
    if (how == "member") return classes<held_by>();
    if (how == "own") return classes<own>();
    if (how == "raw") return classes<raw>();
    for (int i = 1; i < n * n; i++) plate::cold[i] = 0.5 * (plate::hot[i] + plate::hot[i - 1]);
    for (int i = 1; i < n * n; i++) plate::hot[i] = plate::cold[i - 1] + plate::cold[i];
    for (int i = 1; i < n * n; i++) sum[i] = plate::hot[i - 1] + plate::hot[i];
    std::printf("%g\n", sum[3]);
}
