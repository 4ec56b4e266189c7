/* A vector in a part of a buffer, and a number in another buffer of the same size. ARGUMENTS: way, words,
 * steps. Ways: 0 the number is the vector's sum, by which it is divided; 1 a factor that is only read; 2 the
 * vector's length, beside its square. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { ROOM = 64 };

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), steps = atoi(argv[3]);
    double *vector = malloc(ROOM * sizeof *vector);
    double *number = malloc(ROOM * sizeof *number);
    if (!vector || !number || n > ROOM) return 1;
    for (int i = 0; i < ROOM; i++) vector[i] = i % 7 + 1;
    for (int i = 0; i < ROOM; i++) number[i] = 0.5;
    parcast_region_begin();
    for (int t = 0; t < steps; t++) {
        double sum = 0;
        for (int i = 0; i < n && way == 0; i++) sum += vector[i];
        if (way == 0) number[0] = sum;
        if (way == 2) number[0] = 0;
        for (int i = 0; i < n && way == 2; i++) number[0] += vector[i] * vector[i];
        if (way == 2) number[1] = sqrt(number[0]);
        for (int i = 0; i < n; i++) vector[i] = vector[i] / number[way / 2] + 1;
    }
    parcast_region_end();
    printf("%g\n", vector[1]);
    free(vector);
    free(number);
    return 0;
}
