/* In C, in a library of its own. */
double stress_viscosity(double change, double density, double sound);

double stress_viscosity(double change, double density, double sound)
{
    double shock = change < 0 ? change : 0;
    return 1e-6 * density * (2 * shock * shock - 0.5 * sound * shock);
}
