// Arrays in namespaces.
#include <cstdio>

const int n = 16;
namespace plate
{
double cold[n * n], hot[n * n];
}
namespace
{
double sum[n * n];
}

int main()
{
    for (int i = 1; i < n * n; i++) plate::cold[i] = 0.5 * (plate::hot[i] + plate::hot[i - 1]);
    for (int i = 1; i < n * n; i++) plate::hot[i] = plate::cold[i - 1] + plate::cold[i];
    for (int i = 1; i < n * n; i++) sum[i] = plate::hot[i - 1] + plate::hot[i];
    std::printf("%g\n", sum[3]);
}
