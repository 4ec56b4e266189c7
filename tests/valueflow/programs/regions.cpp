// Functions by whatever names C++ gives them; each goes over the points once.
#include <cstdio>
#include <vector>

namespace outer
{
template <class T> struct plate {
    std::vector<T> u;
    explicit plate(int n) : u(n) {}
    void member()
    {
        for (size_t i = 1; i < u.size(); i++) u[i] += u[i - 1];
    }
    template <class F> void generic(F f)
    {
        for (size_t i = 1; i < u.size(); i++) u[i] = f(u[i - 1]);
    }
    T operator()(T factor)
    {
        for (size_t i = 1; i < u.size(); i++) u[i] *= factor;
        return u[1];
    }
    plate &operator+=(const plate &other)
    {
        for (size_t i = 1; i < u.size(); i++) u[i] += other.u[i - 1];
        return *this;
    }
};
template <class T, int by> T *free_function(T *u, int n)
{
    for (int i = 1; i < n; i++) u[i] += by;
    return u;
}
} // namespace outer

struct plain {
    double u[50];
    void ordinary()
    {
        for (int i = 1; i < 50; i++) u[i] += u[i - 1];
    }
};

int main()
{
    plain p = {};
    p.ordinary();
    outer::plate<double> u(50), v(50);
    u.member();
    u.generic([](double x) { return x + 1; });
    v += u;
    double *w = outer::free_function<double, 3>(v.u.data(), 50);
    std::printf("%g %g %g\n", p.u[3], v(2), w[3]);
}
