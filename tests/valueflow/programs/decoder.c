/* A decoder that goes on where it stopped when there is more to read: it may have stopped at any of 14
 * places, each of which may follow each, and 14 numbers are kept between calls, so that 14 choices meet at
 * every place, whose alternatives are all the others. */
#include <stdio.h>

#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)
#define GO_ON                                                                                                \
    case 0:                                                                                                  \
        goto place0;                                                                                         \
    case 1:                                                                                                  \
        goto place1;                                                                                         \
    case 2:                                                                                                  \
        goto place2;                                                                                         \
    case 3:                                                                                                  \
        goto place3;                                                                                         \
    case 4:                                                                                                  \
        goto place4;                                                                                         \
    case 5:                                                                                                  \
        goto place5;                                                                                         \
    case 6:                                                                                                  \
        goto place6;                                                                                         \
    case 7:                                                                                                  \
        goto place7;                                                                                         \
    case 8:                                                                                                  \
        goto place8;                                                                                         \
    case 9:                                                                                                  \
        goto place9;                                                                                         \
    case 10:                                                                                                 \
        goto place10;                                                                                        \
    case 11:                                                                                                 \
        goto place11;                                                                                        \
    case 12:                                                                                                 \
        goto place12;                                                                                        \
    case 13:                                                                                                 \
        goto place13;
enum { PLACES = 14, WORDS = 100 };

struct decoder {
    int place, kept[PLACES], at, end;
    const unsigned char *in;
};

#define LOAD(i) int v##i = d->kept[i];
#define KEEP(i) d->kept[i] = v##i;
#define PLACE(i)                                                                                             \
    place##i : if (d->at == d->end)                                                                          \
    {                                                                                                        \
        d->place = i;                                                                                        \
        goto keep;                                                                                           \
    }                                                                                                        \
    c = d->in[d->at++];                                                                                      \
    v##i += c;                                                                                               \
    switch (c % PLACES) {                                                                                    \
        GO_ON                                                                                                \
    }

__attribute__((noinline)) static void decode(struct decoder *d)
{
    unsigned char c;
    EACH(LOAD)
    switch (d->place) {
        GO_ON
    }
    EACH(PLACE)
keep:
    EACH(KEEP)
}

int main(void)
{
    unsigned char in[WORDS];
    struct decoder d = {.in = in};
    int sum = 0;
    for (int i = 0; i < WORDS; i++) in[i] = (unsigned char)(i * i + 3 * i);
    for (d.end = 5; d.end <= WORDS; d.end += 5) decode(&d);
    for (int i = 0; i < PLACES; i++) sum += (i + 1) * d.kept[i];
    printf("%d\n", sum);
    return 0;
}
