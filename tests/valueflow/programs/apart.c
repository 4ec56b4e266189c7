/* Functions of another unit that read and write no memory, as the optimiser finds. */
double apart_two(void);
double apart_half(double x, int n);

double apart_two(void)
{
    return 2;
}

double apart_half(double x, int n)
{
    for (int i = 0; i < n; i++) x /= 2;
    return x;
}
