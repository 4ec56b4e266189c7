/* Groups of blocks that are likely to be used alike: workspaces, or arrays of the program. */
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/vector.h"

enum {
    MOST_HEAP_WORDS = 4096, /* of a group: what is larger is an array of the program */
    MOST_FRAME_WORDS = 16384,
    ARENA = 8, /* times as many words may be a workspace's of which few are used: */
    MOST_ARENA_WORDS = 256,
};

struct vf_group *vf_groups;
static size_t group_capacity;
static uint32_t n_groups = 1;
static struct vf_hash by_context = {.width = 4};

void vf_groups_open(void)
{
    vf_groups = vf_grow(NULL, &group_capacity, sizeof *vf_groups, 0);
}

static uint64_t most_words(enum vf_object_kind kind)
{
    if (kind == VF_UNKNOWN) return 0;
    return kind == VF_FRAME ? MOST_FRAME_WORDS : MOST_HEAP_WORDS;
}

uint32_t vf_group_of(enum vf_object_kind kind, uint64_t context, uint64_t bytes, const char *name)
{
    uint32_t size =
        kind == VF_HEAP ? (uint32_t)(bytes / 4) : 0; /* blocks of another size are for another use */
    uint32_t key[4] = {(uint32_t)context, (uint32_t)(context >> 32), kind, size};
    uint32_t *at = vf_hash_at(&by_context, key);
    if (!*at) {
        vf_groups = vf_grow(vf_groups, &group_capacity, sizeof *vf_groups, n_groups);
        vf_groups[n_groups] = (struct vf_group){.state = VF_UNDECIDED, .kind = kind, .name = name};
        *at = n_groups++;
        vf_hash_added(&by_context);
    }
    return *at;
}

void vf_group_grow(uint32_t number, uint64_t bytes)
{
    struct vf_group *group = &vf_groups[number];
    group->words += (bytes + 7) / 8;
    if (group->state == VF_UNDECIDED && group->words > most_words(group->kind)) group->state = VF_OWNED;
}

void vf_group_count(uint32_t number, unsigned size)
{
    vf_group_grow(number, (uint64_t)size * (MOST_HEAP_WORDS / MOST_ARENA_WORDS));
}

bool vf_group_is_counted(enum vf_object_kind kind, uint64_t bytes)
{
    return kind != VF_FRAME && kind != VF_UNKNOWN && (bytes + 7) / 8 >= ARENA * most_words(kind);
}

void vf_group_is_workspace(uint32_t group)
{
    if (vf_groups[group].state == VF_UNDECIDED) vf_groups[group].state = VF_WORKSPACE;
}
