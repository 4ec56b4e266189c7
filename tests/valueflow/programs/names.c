/* A plate that cools in two arrays that are declared in the way that the argument names; besides, functions
 * of the C library that are no news. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N = 16 };
struct mesh {
    double *old, *now;
};
static double plate[N][N], next[N][N];

static void cool(double *to, const double *from)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            to[i * N + j] = 0.2 * (from[i * N + j] + from[i * N + j - 1] + from[i * N + j + 1] +
                                   from[(i - 1) * N + j] + from[(i + 1) * N + j]);
}

static double on_stack(void)
{
    double hot[N][N] = {{1}}, cold[N][N] = {{1}};
    for (int k = 0; k < 2; k++) {
        cool(&cold[0][0], &hot[0][0]);
        cool(&hot[0][0], &cold[0][0]);
    }
    return hot[1][1];
}

static double in_rows(void)
{
    double *rows[N], *other[N];
    for (int i = 0; i < N; i++) {
        rows[i] = calloc(N, sizeof **rows);
        other[i] = calloc(N, sizeof **other);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) other[i][j] = rows[i - 1][j] + rows[i][j] + rows[i][j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) rows[i][j] = other[i + 1][j] + other[i][j] + other[i][j - 1];
    }
    return rows[1][1];
}

static double in_members(void)
{
    struct mesh mesh = {calloc(N * N, sizeof(double)), NULL};
    mesh.now = calloc(N * N, sizeof(double));
    for (int k = 0; k < 2; k++) {
        cool(mesh.now, mesh.old);
        cool(mesh.old, mesh.now);
    }
    return mesh.old[N + 1];
}

static double in_globals(void)
{
    cool(&next[0][0], &plate[0][0]);
    memcpy(plate, next, sizeof plate);
    cool(&next[0][0], &plate[0][0]);
    return next[1][1];
}

/* What a function puts into a variable of its caller. */
static void make(double **made, size_t n)
{
    *made = calloc(n, sizeof **made);
}

__attribute__((noinline)) static int make_two(double **made, double **more, size_t n)
{
    double *first = calloc(n, sizeof *first);
    make(more, n);
    *made = first;
    return first && *more ? 0 : 1;
}

__attribute__((noinline)) static void make_rows(double ***made, int n)
{
    *made = malloc((size_t)n * sizeof **made);
    for (int i = 0; i < n; i++) make(&(*made)[i], (size_t)n);
}

static double turn_by_turn(double *one, double *other)
{
    for (int k = 0; k < 2; k++) {
        cool(other, one);
        cool(one, other);
    }
    return one[N + 1];
}

static double in_pointers(void)
{
    double *early, *late;
    make(&early, N * N), make(&late, N * N);
    return turn_by_turn(late, early);
}

static double by_two(void)
{
    struct mesh mesh;
    if (make_two(&mesh.old, &mesh.now, N * N)) return 0;
    return turn_by_turn(mesh.now, mesh.old);
}

static double in_tables(void)
{
    double **upper, **lower;
    make_rows(&upper, N);
    make_rows(&lower, N);
    for (int k = 0; k < 2; k++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) lower[i][j] = upper[i - 1][j] + upper[i][j] + upper[i][j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) upper[i][j] = lower[i + 1][j] + lower[i][j] + lower[i][j - 1];
    }
    return upper[1][1];
}

#define MAKE_BOTH(one, other) double *one = calloc(N * N, sizeof *one), *other = calloc(N * N, sizeof *other)

static double in_one_line(void)
{
    MAKE_BOTH(left, right);
    return turn_by_turn(right, left);
}

/* Structures whose members one place allocates for all of them. */
struct store {
    size_t n;
    double *data;
};
struct vector {
    struct store *content;
    struct vector *like;
};
static struct {
    int n;
    double *cold, *warm;
} plates;

static struct vector *vector_inlined(size_t n)
{
    struct vector *made = malloc(sizeof *made);
    struct store *content = malloc(sizeof *content);
    double *data = calloc(n, sizeof *data);
    *content = (struct store){.n = n};
    content->data = data;
    made->content = content;
    made->like = NULL;
    return made;
}

__attribute__((noinline)) static struct vector *vector_made(size_t n, struct vector *like)
{
    struct vector *made = vector_inlined(n);
    made->like = like;
    return made;
}

__attribute__((noinline)) static int store_made(struct store *store, size_t n)
{
    store->data = calloc(n, sizeof *store->data);
    store->n = n;
    return !store->data;
}

static double in_structures(int is_inlined)
{
    struct vector *low, *high;
    if (is_inlined) {
        low = vector_inlined(N * N), high = vector_inlined(N * N);
    } else {
        low = vector_made(N * N, NULL);
        high = vector_made(N * N, low);
    }
    return turn_by_turn(high->content->data, low->content->data);
}

static double by_address(void)
{
    struct store left, right;
    if (store_made(&left, N * N) || store_made(&right, N * N)) return 0;
    return turn_by_turn(left.data, right.data);
}

static double in_global_structure(void)
{
    make(&plates.cold, N * N);
    plates.warm = calloc(N * N, sizeof *plates.warm);
    return turn_by_turn(plates.warm, plates.cold);
}

/* Rows in one block. */
__attribute__((noinline)) static double **plane(int n, int m)
{
    double *block = calloc((size_t)n * (size_t)m, sizeof *block), **rows = malloc((size_t)n * sizeof *rows);
    for (int i = 0; i < n; i++) rows[i] = &block[i * m];
    return rows;
}

static double in_planes(void)
{
    double **front = plane(N, N), **back = plane(N, N);
    return turn_by_turn(front[0], back[0]);
}

/* An allocator of the program's own writes a header before what it returns. */
__attribute__((noinline)) static void *with_header(size_t n)
{
    size_t *header = malloc(64 + n);
    memset(header, 0, 64 + n);
    *header = n;
    return header + 8;
}

static double behind_headers(void)
{
    double *even = with_header(N * N * sizeof *even), *odd = with_header(N * N * sizeof *odd);
    return turn_by_turn(even, odd);
}

/* Elements of a tree have no names of their own. */
struct node {
    struct node *left, *right;
    double value[N * N];
};

__attribute__((noinline)) static struct node *grown(int depth)
{
    struct node *made = calloc(1, sizeof *made);
    if (depth) made->left = grown(depth - 1);
    if (depth) made->right = grown(depth - 1);
    return made;
}

static double in_trees(void)
{
    struct node *tree = grown(2), *other = grown(2);
    return turn_by_turn(other->left->value, tree->left->value);
}

static double if_any(int n)
{
    double *thin = n ? calloc(N * N, sizeof *thin) : NULL;
    plates.n = n;
    plates.warm = plates.n ? calloc(N * N, sizeof *plates.warm) : NULL;
    return thin && plates.warm ? turn_by_turn(thin, plates.warm) : 0;
}

/* What a macro stands for is not in the line. */
#define DATA(store) ((store)->data)

static double in_macros(int n)
{
    struct store two[2], *store = &two[n > 1];
    DATA(store) = NULL;
    if (n) DATA(store) = calloc(N * N, sizeof *DATA(store));
    double *thin = calloc(N * N, sizeof *thin);
    return DATA(store) ? turn_by_turn(thin, DATA(store)) : 0;
}

/* Rows that a member leads to are its. */
struct table {
    size_t n;
    double **row;
};

__attribute__((noinline)) static struct table *table_made(int n)
{
    struct table *made = malloc(sizeof *made);
    made->n = (size_t)n;
    made->row = malloc((size_t)n * sizeof *made->row);
    for (int i = 0; i < n; i++) made->row[i] = calloc((size_t)n, sizeof **made->row);
    return made;
}

static double in_members_rows(void)
{
    struct table *first = table_made(N), *second = table_made(N);
    double **upper = first->row, **lower = second->row;
    for (int k = 0; k < 2; k++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) lower[i][j] = upper[i - 1][j] + upper[i][j] + upper[i][j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) upper[i][j] = lower[i + 1][j] + lower[i][j] + lower[i][j - 1];
    }
    return upper[1][1];
}

/* clang calls both alike. */
static double of_any_length(int n)
{
    double mild[n][n], crisp[n][n];
    for (int i = 0; i < n * n; i++) mild[i / n][i % n] = crisp[i / n][i % n] = i;
    for (int k = 0; k < 2; k++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) crisp[i][j] = mild[i - 1][j] + mild[i][j] + mild[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) mild[i][j] = crisp[i + 1][j] + crisp[i][j] + crisp[i][j - 1];
    }
    return mild[1][1];
}

static double in_statics(void)
{
    static double *dull, *bright;
    dull = calloc(N * N, sizeof *dull);
    bright = calloc(N * N, sizeof *bright);
    return turn_by_turn(bright, dull);
}

static void use_library(double x)
{
    char text[64];
    time_t now = 0;
    struct tm date;
    gmtime_r(&now, &date);
    if (setenv("NAMES", "1", 1) || !getcwd(text, 2) || isspace((unsigned char)text[0])) text[0] = 0;
    printf("%g %d\n", nextafter(scalbn(log1pf((float)x), 2), 1), toupper('a'));
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    double x = 0;
    if (strcmp(how, "stack") == 0) x = on_stack();
    if (strcmp(how, "rows") == 0) x = in_rows();
    if (strcmp(how, "members") == 0) x = in_members();
    if (strcmp(how, "globals") == 0) x = in_globals();
    if (strcmp(how, "pointers") == 0) x = in_pointers();
    if (strcmp(how, "two") == 0) x = by_two();
    if (strcmp(how, "tables") == 0) x = in_tables();
    if (strcmp(how, "line") == 0) x = in_one_line();
    if (strcmp(how, "inlined") == 0) x = in_structures(1);
    if (strcmp(how, "structures") == 0) x = in_structures(0);
    if (strcmp(how, "address") == 0) x = by_address();
    if (strcmp(how, "global") == 0) x = in_global_structure();
    if (strcmp(how, "planes") == 0) x = in_planes();
    if (strcmp(how, "headers") == 0) x = behind_headers();
    if (strcmp(how, "trees") == 0) x = in_trees();
    if (strcmp(how, "chosen") == 0) x = if_any(argc);
    if (strcmp(how, "macros") == 0) x = in_macros(argc);
    if (strcmp(how, "members_rows") == 0) x = in_members_rows();
    if (strcmp(how, "lengths") == 0) x = of_any_length(argc + 14);
    if (strcmp(how, "statics") == 0) x = in_statics();
    use_library(x);
}
