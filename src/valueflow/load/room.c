#include "valueflow/load/room.h"

#include <stdlib.h>

enum { FEWEST = 256 };

bool load_room(void **table, size_t n, size_t *capacity, size_t size)
{
    size_t wanted = *capacity ? 2 * *capacity : FEWEST;
    if (n <= *capacity) return true;
    if (wanted < n) wanted = n;
    void *more = realloc(*table, wanted * size);
    if (!more) return false;
    *table = more;
    *capacity = wanted;
    return true;
}
