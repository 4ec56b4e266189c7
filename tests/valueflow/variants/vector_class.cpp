/* Conjugate gradients on a ring with a class of vectors whose operators return new ones. WAY: the direction
 * by operators (0), in a loop (1). ARGUMENTS: way, length, steps. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

class Vector
{
  public:
    explicit Vector(size_t n) : at(n)
    {
    }
    size_t size() const
    {
        return at.size();
    }
    double &operator[](size_t i)
    {
        return at[i];
    }
    double operator[](size_t i) const
    {
        return at[i];
    }
    Vector &operator+=(const Vector &other)
    {
        for (size_t i = 0; i < size(); i++) at[i] += other[i];
        return *this;
    }
    Vector &operator-=(const Vector &other)
    {
        for (size_t i = 0; i < size(); i++) at[i] -= other[i];
        return *this;
    }

  private:
    std::vector<double> at;
};

static Vector operator*(double factor, const Vector &v)
{
    Vector result(v.size());
    for (size_t i = 0; i < v.size(); i++) result[i] = factor * v[i];
    return result;
}

static Vector operator+(Vector a, const Vector &b)
{
    a += b;
    return a;
}

static double dot(const Vector &a, const Vector &b)
{
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
    return sum;
}

static Vector product(const Vector &p)
{
    size_t n = p.size();
    Vector q(n);
    for (size_t i = 0; i < n; i++) q[i] = 2.1 * p[i] - p[(i + 1) % n] - p[(i + n - 1) % n];
    return q;
}

extern "C" __attribute__((noinline)) void kernel(int way, Vector &x, const Vector &b, int steps)
{
    Vector r = b, p = r;
    double rr = dot(r, r);
    for (int t = 0; t < steps; t++) {
        Vector q = product(p);
        double alpha = rr / dot(p, q);
        x += alpha * p;
        r -= alpha * q;
        double next = dot(r, r), beta = next / rr;
        rr = next;
        if (t + 1 == steps) break;
        if (way == 0)
            p = r + beta * p;
        else
            for (size_t i = 0; i < p.size(); i++) p[i] = r[i] + beta * p[i];
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    size_t n = (size_t)std::atol(argv[2]);
    Vector b(n), x(n);
    for (size_t i = 0; i < n; i++) b[i] = std::sin((double)i);
    kernel(std::atoi(argv[1]), x, b, std::atoi(argv[3]));
    std::printf("%.9g\n", dot(x, b));
    return 0;
}
