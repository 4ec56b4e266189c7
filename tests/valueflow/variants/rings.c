/* Cells that are looked for on a picture, by the mean and the deviation of its gradient along circles of
 * three radii around every point. ARGUMENTS: 0, points along a side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 16, RADII = 3, AROUND = 5 };

static float sine[POINTS], cosine[POINTS];

static void gradients(const float *picture, float *gx, float *gy, int n)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            gx[i * n + j] = 0.5f * (picture[i * n + j + 1] - picture[i * n + j - 1]);
            gy[i * n + j] = 0.5f * (picture[(i + 1) * n + j] - picture[(i - 1) * n + j]);
        }
}

static float deviation(const float *gx, const float *gy, int n, int i, int j, int radius)
{
    float outwards[POINTS], mean = 0, variance = 0;
    for (int k = 0; k < POINTS; k++) {
        int y = i + (int)(sine[k] * (float)radius), x = j + (int)(cosine[k] * (float)radius);
        outwards[k] = gx[y * n + x] * cosine[k] + gy[y * n + x] * sine[k];
    }
    for (int k = 0; k < POINTS; k++) mean += outwards[k];
    mean /= POINTS;
    for (int k = 0; k < POINTS; k++) variance += (outwards[k] - mean) * (outwards[k] - mean);
    return mean * mean / (variance / (POINTS - 1) + 1);
}

void kernel(const float *picture, float *gx, float *gy, float *score, int n)
{
    gradients(picture, gx, gy, n);
    for (int i = AROUND; i < n - AROUND; i++)
        for (int j = AROUND; j < n - AROUND; j++) {
            float most = 0;
            for (int r = 0; r < RADII; r++) {
                float one = deviation(gx, gy, n, i, j, r + 2);
                if (one > most) most = one;
            }
            score[i * n + j] = most;
        }
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 60;
    size_t bytes = (size_t)(n * n) * sizeof(float);
    float *picture = malloc(bytes), *gx = calloc(1, bytes), *gy = calloc(1, bytes), *score = calloc(1, bytes);
    if (!picture || !gx || !gy || !score) return 1;
    for (int k = 0; k < POINTS; k++) {
        sine[k] = sinf((float)k * 0.3927f);
        cosine[k] = cosf((float)k * 0.3927f);
    }
    for (int i = 0; i < n * n; i++) picture[i] = (float)(i * 7919 % 101);
    kernel(picture, gx, gy, score, n);
    printf("%g\n", (double)score[n / 2 * n + n / 2]);
    free(picture);
    free(gx);
    free(gy);
    free(score);
    return 0;
}
