/* How often keys are there, in a table of lists. WAY: 0 the library's, 1 lists by hand, 2 by a
 * function. ARGUMENTS: WAY, how many keys. */
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

enum { KEYS = 64, LISTS = 17 };

struct node {
    int key, count;
    node *next;
};
static node *lists[LISTS];

static int *place_of(int key)
{
    for (node *p = lists[key % LISTS]; p; p = p->next)
        if (p->key == key) return &p->count;
    return nullptr;
}

static void count_in_lists(const int *key, long n)
{
    for (long i = 0; i < n; i++) {
        node *p = lists[key[i] % LISTS];
        while (p->key != key[i]) p = p->next;
        p->count++;
    }
}

void kernel(std::unordered_map<int, int> &count, const int *key, long n, long way)
{
    for (long i = 0; way == 0 && i < n; i++) ++count[key[i]];
    if (way == 1) count_in_lists(key, n);
    for (long i = 0; way == 2 && i < n; i++) ++*place_of(key[i]);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    std::vector<int> key(std::atol(argv[2]));
    std::unordered_map<int, int> count;
    for (int k = 0; k < KEYS; k++) {
        count[k] = 0;
        lists[k % LISTS] = new node{k, 0, lists[k % LISTS]};
    }
    for (int &one : key) one = std::rand() % KEYS;
    kernel(count, &key[0], (long)key.size(), std::atol(argv[1]));
    std::printf("%d %d\n", count[5], *place_of(5));
    return 0;
}
