/* The best of each key, which numbers begin with in many ways: 0 where the key has not been seen yet, by a
 * flag, 1 as an else, 2 by both conditions at once, 3 where the word is below 0; 4 least, greatest, sum and
 * number of a structure; 5 the least with its place, 6 the place alone, 7 the same in a component of either
 * end of an edge (Boruvka's search); 8 places in a list by counts that go on, 9 how often neighbours differ,
 * in a variable, 10 in a word that a pointer leads to, 11 in one of a structure; of equal ones 12 the first,
 * 13 the last, of the greatest, 14 as a pair is less than another, 15 at either end of an edge; 16 the place
 * before the least, 17 a number that stands beside it; 18 the first of equal ones where what is
 * not better goes on, 19 and the place is stored before it; 20 whether a key has come, 21 where first, 22 how
 * often, with how many keys there are, 23 the same by whether they have come; 24 the least, which begins with
 * the first, by how many there were. WAY NUMBERS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 16, NODES = 64 };

struct sample {
    int n;
    double least, greatest, sum;
};

static int n, seen[BINS], place[BINS], first[BINS + 1], component[NODES], different, *key, *from, *to, *list;
static double best[BINS], *x;
static struct sample samples[BINS];

static void begin(int way)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (way == 0) {
            if (!seen[k] || x[i] > best[k]) {
                best[k] = x[i];
                seen[k] = 1;
            }
        } else if (!seen[k]) {
            best[k] = x[i];
            seen[k] = 1;
        } else if (x[i] > best[k]) {
            best[k] = x[i];
        }
    }
}

static void begin_at_once(void)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if ((seen[k] == 0) | (x[i] > best[k])) {
            best[k] = x[i];
            seen[k] = 1;
        }
    }
}

static void begin_below(void)
{
    for (int i = 0; i < n; i++)
        if (best[key[i]] < 0 || x[i] > best[key[i]]) best[key[i]] = x[i];
}

static void sample(void)
{
    for (int i = 0; i < n; i++) {
        struct sample *s = &samples[key[i]];
        if (s->n == 0 || x[i] < s->least) s->least = x[i];
        if (s->n == 0 || x[i] > s->greatest) s->greatest = x[i];
        s->sum += x[i];
        s->n++;
    }
}

static void with_place(void)
{
    for (int i = 0; i < n; i++)
        if (x[i] < best[key[i]]) {
            best[key[i]] = x[i];
            place[key[i]] = i;
        }
}

static void place_alone(void)
{
    for (int i = 0; i < n; i++)
        if (place[key[i]] == -1 || x[i] < x[place[key[i]]]) place[key[i]] = i;
}

static void of_edges(void)
{
    for (int i = 0; i < n; i++) {
        int a = component[from[i]], b = component[to[i]];
        if (a == b) continue;
        if (place[a] == -1 || x[i] < x[place[a]]) place[a] = i;
        if (place[b] == -1 || x[i] < x[place[b]]) place[b] = i;
    }
}

static void put_in_order(void)
{
    for (int i = 0; i < n; i++) list[first[key[i]]++] = i;
}

static void compare(int *count)
{
    for (int i = 0; i + 1 < n; i++)
        if (fabs(x[i] - x[i + 1]) > 0.4) ++*count;
}

static void compare_in(struct sample *s)
{
    for (int i = 0; i + 1 < n; i++)
        if (fabs(x[i] - x[i + 1]) > 0.4) s->n++;
}

static void first_of_equal(void)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (x[i] < best[k] || (x[i] == best[k] && i < place[k])) {
            best[k] = x[i];
            place[k] = i;
        }
    }
}

static void last_of_equal(void)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (x[i] > best[k] || (x[i] == best[k] && i > place[k])) {
            place[k] = i;
            best[k] = x[i];
        }
    }
}

static int is_less(double a, int i, double b, int j)
{
    return a < b || (!(b < a) && i < j);
}

static void less_pair(void)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (is_less(x[i], i, best[k], place[k])) {
            best[k] = x[i];
            place[k] = i;
        }
    }
}

static void note_edge(int node, int i)
{
    if (x[i] < best[node] || (x[i] == best[node] && i < place[node])) {
        best[node] = x[i];
        place[node] = i;
    }
}

static void first_of_edges(void)
{
    for (int i = 0; i < n; i++) {
        int a = component[from[i]], b = component[to[i]];
        if (a == b) continue;
        note_edge(a, i);
        note_edge(b, i);
    }
}

static void place_first(void)
{
    for (int i = 0; i < n; i++)
        if (x[i] < best[key[i]]) {
            place[key[i]] = i;
            best[key[i]] = x[i];
        }
}

static void number_first(void)
{
    for (int i = 0; i < n; i++)
        if (x[i] < best[key[i]]) {
            place[key[i]] = list[i];
            best[key[i]] = x[i];
        }
}

static void goes_on(void)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (x[i] > best[k] || (x[i] == best[k] && i > place[k])) continue;
        best[k] = x[i];
        place[k] = i;
    }
}

static void goes_on_place_first(void)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (x[i] > best[k]) continue;
        if (x[i] == best[k] && i > place[k]) continue;
        place[k] = i;
        best[k] = x[i];
    }
}

static void note_seen(void)
{
    for (int i = 0; i < n; i++)
        if (!seen[key[i]]) seen[key[i]] = 1;
}

static void note_first(void)
{
    for (int i = 0; i < n; i++)
        if (place[key[i]] == -1) place[key[i]] = i;
}

static void count_different(void)
{
    for (int i = 0; i < n; i++)
        if (samples[key[i]].n++ == 0) different++;
}

static void note_different(void)
{
    for (int i = 0; i < n; i++)
        if (!seen[key[i]]) {
            seen[key[i]] = 1;
            different++;
        }
}

static void count_and_find_least(void)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (seen[k] == 0 || x[i] < best[k]) best[k] = x[i];
        seen[k]++;
    }
}

void kernel(int way)
{
    if (way < 2) begin(way);
    if (way == 2) begin_at_once();
    if (way == 3) begin_below();
    if (way == 4) sample();
    if (way == 5) with_place();
    if (way == 6) place_alone();
    if (way == 7) of_edges();
    if (way == 8) put_in_order();
    if (way == 9)
        for (int i = 0; i + 1 < n; i++)
            if (fabs(x[i] - x[i + 1]) > 0.4) different++;
    if (way == 10) compare(&different);
    if (way == 11) compare_in(&samples[3]);
    if (way == 12) first_of_equal();
    if (way == 13) last_of_equal();
    if (way == 14) less_pair();
    if (way == 15) first_of_edges();
    if (way == 16) place_first();
    if (way == 17) number_first();
    if (way == 18) goes_on();
    if (way == 19) goes_on_place_first();
    if (way == 20) note_seen();
    if (way == 21) note_first();
    if (way == 22) count_different();
    if (way == 23) note_different();
    if (way == 24) count_and_find_least();
}

static int *some(int size, int below)
{
    int *a = malloc((size_t)size * sizeof *a);
    for (int i = 0; i < size; i++) a[i] = rand() % below;
    return a;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int way = atoi(argv[1]);
    n = atoi(argv[2]);
    key = some(n, BINS);
    from = some(n, NODES);
    to = some(n, NODES);
    list = some(2 * n, 1);
    x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = rand() % 1009 / 1009.0;
    for (int i = 0; i < NODES; i++) component[i] = i % BINS;
    for (int k = 0; k < BINS; k++) {
        best[k] = way == 5 || way == 12 || way > 13 ? 2 : -1;
        place[k] = -1;
        first[k] = k * n / BINS;
    }
    kernel(way);
    double sum = different;
    for (int k = 0; k < BINS; k++)
        sum += best[k] + place[k] + seen[k] + first[k] + samples[k].n + samples[k].least +
               samples[k].greatest + samples[k].sum;
    printf("%g %d\n", sum, list[n / 2]);
    return 0;
}
