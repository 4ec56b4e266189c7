// Virtual functions with variable arguments, which a base class that is not the first reaches by a jump.
#include <cstdarg>
#include <cstdio>

struct First {
    virtual ~First() = default;
    double sum = 0;
};

struct Second {
    virtual ~Second() = default;
    virtual double *subtract(double *from, int n, ...) = 0;
};

struct Both : First, Second {
    double *subtract(double *from, int n, ...) override
    {
        va_list list;
        va_start(list, n);
        for (int i = 0; i < n; i++) from[i] -= va_arg(list, double);
        va_end(list);
        return from + n;
    }
};

int main()
{
    Both both;
    Second *second = &both;
    double x[4] = {1, 2, 3, 4};
    double *rest = second->subtract(x, 2, 3.5, 3.5);
    std::printf("%g %g %g\n", x[0], x[1], rest[1]);
    return 0;
}
