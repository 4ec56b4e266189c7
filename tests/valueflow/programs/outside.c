/* A library that is not instrumented. */
double outside_sum(const double *x, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    return sum;
}

void outside_shift(double *x, long n, double by)
{
    for (long i = 0; i < n; i++) x[i] += by;
}
