/* The game of life on bits, 64 in a word: a row. WAY: 0 vector<bool>, closed to a ring, 1 with borders that
 * stay, 2 rows of vector<bool>, 3 bitset, 4 words of which bits are set and cleared. ARGUMENTS: WAY STEPS. */
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

enum { SIDE = 64, CELLS = SIDE * SIDE };

struct words {
    std::vector<std::uint64_t> word;
    words() : word(CELLS / 64)
    {
    }
    bool operator[](int k) const
    {
        return word[k / 64] >> k % 64 & 1;
    }
    void put(int k, bool lives)
    {
        if (lives)
            word[k / 64] |= std::uint64_t(1) << k % 64;
        else
            word[k / 64] &= ~(std::uint64_t(1) << k % 64);
    }
};

struct rows {
    std::vector<std::vector<bool>> row;
    rows() : row(SIDE, std::vector<bool>(SIDE))
    {
    }
    bool operator[](int k) const
    {
        return row[k / SIDE][k % SIDE];
    }
    void put(int k, bool lives)
    {
        row[k / SIDE][k % SIDE] = lives;
    }
};

struct vector : std::vector<bool> {
    vector() : std::vector<bool>(CELLS)
    {
    }
    void put(int k, bool lives)
    {
        (*this)[k] = lives;
    }
};

struct set : std::bitset<CELLS> {
    void put(int k, bool lives)
    {
        (*this)[k] = lives;
    }
};

template <class Cells> static int neighbours(const Cells &now, int i, int j)
{
    int n = 0;
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
            if (di || dj) n += now[(i + di + SIDE) % SIDE * SIDE + (j + dj + SIDE) % SIDE];
    return n;
}

template <class Cells> static void on_a_ring(Cells &now, Cells &next, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                int n = neighbours(now, i, j), k = i * SIDE + j;
                next.put(k, n == 3 || (n == 2 && now[k]));
            }
        std::swap(now, next);
    }
}

static void within_borders(vector &now, vector &next, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++) {
                int n = neighbours(now, i, j), k = i * SIDE + j;
                if (n == 3)
                    next[k] = true;
                else if (n != 2)
                    next[k] = false;
                else
                    next[k] = now[k];
            }
        now.swap(next);
    }
}

static vector line, next_line;
static rows plane, next_plane;
static set cells, next_cells;
static words packed, next_packed;

void kernel(long way, long steps)
{
    if (way == 0) on_a_ring(line, next_line, steps);
    if (way == 1) within_borders(line, next_line, steps);
    if (way == 2) on_a_ring(plane, next_plane, steps);
    if (way == 3) on_a_ring(cells, next_cells, steps);
    if (way == 4) on_a_ring(packed, next_packed, steps);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    for (int k = 0; k < CELLS; k++) {
        bool lives = std::rand() % 3 == 0;
        line[k] = next_line[k] = cells[k] = lives;
        plane.put(k, lives);
        packed.put(k, lives);
    }
    kernel(std::atol(argv[1]), std::atol(argv[2]));
    int n = 0;
    for (int k = 0; k < CELLS; k++) n += line[k] + plane[k] + cells[k] + packed[k];
    std::printf("%d\n", n);
    return 0;
}
