/* What was traced, as a file. */
#include "valueflow/runtime/process/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/name.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/blocks/piece.h"
#include "valueflow/runtime/blocks/unsourced.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/process/dump_format.h"
#include "valueflow/runtime/process/guard.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/steps/tally.h"
#include "valueflow/runtime/tables/sequence.h"
#include "valueflow/runtime/tables/trie.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/chosen.h"
#include "valueflow/runtime/values/value.h"

static char buffer[1 << 16];
static size_t filled;
static int file;
static const char *file_name;

static void put_at_once(const void *bytes, size_t n)
{
    for (const char *p = bytes; n;) {
        ssize_t done = write(file, p, n);
        if (done < 0 && errno != EINTR) vf_stop("cannot write '%s': %s", file_name, strerror(errno));
        if (done <= 0) continue;
        p += done;
        n -= (size_t)done;
    }
}

static void flush(void)
{
    put_at_once(buffer, filled);
    filled = 0;
}

static void put(const void *bytes, size_t n)
{
    for (const char *p = bytes; n;) {
        size_t part = n < sizeof buffer - filled ? n : sizeof buffer - filled;
        memcpy(buffer + filled, p, part);
        filled += part;
        p += part;
        n -= part;
        if (filled == sizeof buffer) flush();
    }
}

/* What is still alive at the end counts like what has died. */
static void finish_values(void)
{
    for (uint32_t id = VF_CONSTANT + 1; id < vf_n_values; id++)
        if (vf_values[id].vertex != VF_BUNDLE && (vf_values[id].state || vf_values[id].chain))
            vf_value_finish(id);
}

static bool has_one_net(uint32_t v)
{
    return vf_vertices[v].net_count && vf_vertices[v].net_state != VF_SEVERAL;
}

/* Some nets that have got a number have no version: numbers are given to what is alive when counts are noted,
 * too, and a run that ends behind that may not have got to finish it. */
static void count_vertices(struct vf_dump_header *header)
{
    header->n_vertices = vf_vertices_size();
    for (uint32_t v = 1; v < header->n_vertices; v++) {
        header->n_work += vf_tally_work(v) > 0;
        header->n_nets += has_one_net(v);
        header->n_chain_nets += vf_vertices[v].chain_count > 0;
    }
    for (uint32_t i = 1; i < vf_nets.n; i++) header->n_nets += vf_nets.net[i].count > 0;
    for (uint32_t i = 1; i < vf_chain_nets.n; i++) header->n_chain_nets += vf_chain_nets.net[i].count > 0;
}

enum { MOST_GONE_BYTES = 1024 };

/* Small blocks that are gone at the end: first vertices of their words, with no word to belong to. */
static uint64_t tell_gone(void (*tell)(uint32_t vertex, uint32_t nobody))
{
    uint64_t n = 0;
    for (uint32_t i = 1; i < vf_objects_size(); i++) {
        const struct vf_object *o = &vf_objects[i];
        if (!o->is_gone || o->kind != VF_HEAP || o->bytes > MOST_GONE_BYTES) continue;
        for (int size = 3; size >= 0; size--) {
            if (!o->words[size].n) continue;
            n++;
            if (tell) tell(o->words[size].first, 0);
        }
    }
    return n;
}

static uint32_t length(const char *name)
{
    return name ? (uint32_t)strlen(name) : 0;
}

static struct vf_dump_header describe(void)
{
    struct vf_dump_header header = {.magic = VF_DUMP_MAGIC, .version = VF_DUMP_VERSION};
    header.flop = vf_tally_flop();
    header.values = vf_tally_values();
    header.entries = vf_region_entries();
    header.table_bytes = vf_mapped_bytes();
    header.n_objects = vf_objects_size();
    count_vertices(&header);
    header.n_states = vf_trie.n;
    header.n_steps = vf_sequences.n;
    header.n_chains = vf_chains_size();
    header.n_reports = vf_reports_size();
    const struct vf_piece *pieces;
    header.n_pieces = vf_pieces(&pieces) - 1;
    header.n_same = vf_owned_instances(NULL) + tell_gone(NULL);
    for (uint32_t i = 0; i < header.n_objects; i++) header.name_bytes += length(vf_objects[i].name);
    for (uint32_t i = 0; i < header.n_reports; i++)
        header.name_bytes += length(vf_report_kind(i)) + length(vf_report_name(i));
    for (uint32_t i = 1; i <= header.n_pieces; i++) header.name_bytes += length(pieces[i].name);
    header.name_bytes = (header.name_bytes + 7) & ~(uint64_t)7;
    return header;
}

static uint32_t put_objects(uint64_t n)
{
    uint32_t name = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct vf_object *o = &vf_objects[i];
        struct vf_dump_object record = {.context = o->context,
                                        .bytes = o->bytes,
                                        .kind = o->kind,
                                        .slot = o->slot,
                                        .name = name,
                                        .name_length = length(o->name),
                                        .record = o->record,
                                        .n_slots = vf_blocks_at_once(o->context, o->kind)};
        for (int size = 0; size < 4; size++)
            record.words[size] = (struct vf_dump_span){o->words[size].first, o->words[size].n};
        name += record.name_length;
        put(&record, sizeof record);
    }
    return name;
}

/* Filled up with zeros, so that the records behind them lie on their boundaries. */
static void put_names(const struct vf_dump_header *header)
{
    static const char zeros[8];
    const struct vf_piece *pieces;
    uint64_t n = 0;
    vf_pieces(&pieces);
    for (uint32_t i = 0; i < header->n_objects; i++) n += length(vf_objects[i].name);
    for (uint32_t i = 0; i < header->n_reports; i++)
        n += length(vf_report_kind(i)) + length(vf_report_name(i));
    for (uint32_t i = 1; i <= header->n_pieces; i++) n += length(pieces[i].name);
    for (uint32_t i = 0; i < header->n_objects; i++) put(vf_objects[i].name, length(vf_objects[i].name));
    for (uint32_t i = 1; i <= header->n_pieces; i++) put(pieces[i].name, length(pieces[i].name));
    for (uint32_t i = 0; i < header->n_reports; i++) {
        put(vf_report_kind(i), length(vf_report_kind(i)));
        put(vf_report_name(i), length(vf_report_name(i)));
    }
    put(zeros, header->name_bytes - n);
}

static void put_vertices(uint32_t n)
{
    for (uint32_t v = 1; v < n; v++) {
        double work = vf_tally_work(v);
        if (!(work > 0)) continue;
        struct vf_dump_work record = {
            .vertex = v, .flags = vf_is_chosen(v) ? VF_DUMP_CHOSEN : 0, .work = work};
        put(&record, sizeof record);
    }
    for (uint32_t v = 1; v < n; v++) {
        struct vf_dump_net net = {v, vf_vertices[v].net_state, vf_vertices[v].net_count};
        if (has_one_net(v)) put(&net, sizeof net);
    }
    for (uint32_t i = 1; i < vf_nets.n; i++) {
        struct vf_dump_net net = {vf_nets.net[i].vertex, vf_nets.net[i].what, vf_nets.net[i].count};
        if (net.count) put(&net, sizeof net);
    }
    for (uint32_t v = 1; v < n; v++) {
        struct vf_dump_net net = {v, vf_vertices[v].chain_key, vf_vertices[v].chain_count};
        if (net.count) put(&net, sizeof net);
    }
    for (uint32_t i = 1; i < vf_chain_nets.n; i++) {
        struct vf_dump_net net = {vf_chain_nets.net[i].vertex, vf_chain_nets.net[i].what,
                                  vf_chain_nets.net[i].count};
        if (net.count) put(&net, sizeof net);
    }
}

static void put_chains(uint32_t n)
{
    for (uint32_t key = 0; key < n; key++) {
        const struct vf_chain *chain = &vf_chains[key];
        struct vf_dump_chain record = {.before = chain->before, .op_and_labels = chain->op_and_labels};
        memcpy(record.streams, chain->streams, sizeof chain->streams);
        put(&record, sizeof record);
    }
}

static void put_reports(uint32_t n, uint32_t name)
{
    for (uint32_t i = 0; i < n; i++) {
        struct vf_dump_report record = {
            .count = (uint32_t)vf_report_count(i), .kind = name, .kind_length = length(vf_report_kind(i))};
        record.name = record.kind + record.kind_length;
        record.name_length = length(vf_report_name(i));
        name = record.name + record.name_length;
        put(&record, sizeof record);
    }
}

static uint32_t put_pieces(uint32_t n, uint32_t name)
{
    const struct vf_piece *pieces;
    vf_pieces(&pieces);
    for (uint32_t i = 1; i <= n; i++) {
        struct vf_dump_piece record = {.offset = pieces[i].offset,
                                       .object = pieces[i].object,
                                       .holder = pieces[i].holder,
                                       .flags = pieces[i].is_many ? VF_DUMP_MANY : 0,
                                       .name = name,
                                       .name_length = length(pieces[i].name)};
        name += record.name_length;
        put(&record, sizeof record);
    }
    return name;
}

static void put_same(uint32_t instance, uint32_t word)
{
    struct vf_dump_same record = {instance, word};
    put(&record, sizeof record);
}

/* As they lie, past the buffer: they are most of the file. */
static void put_tree(const struct vf_tree *tree)
{
    flush();
    put_at_once(tree->labels, tree->n * sizeof *tree->labels);
}

static void open_file(const char *path)
{
    file_name = path;
    signal(SIGXFSZ, SIG_IGN); /* a file that may grow no more is a message */
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) vf_stop("cannot write '%s': %s", path, strerror(errno));
}

static void close_file(struct vf_dump_header *header, uint32_t complete)
{
    flush();
    header->complete = complete;
    if (pwrite(file, header, sizeof *header, 0) != (ssize_t)sizeof *header || close(file))
        vf_stop("cannot write '%s': %s", file_name, strerror(errno));
}

/* Where a virtual machine's pages are backed when they are first touched, those of the file come at once if
 * others were just given back. */
static void close_tables(void)
{
    vf_values_close();
    vf_names_close();
    vf_chains_close();
    vf_sequences_close();
    vf_trie_close();
}

void vf_dump(const char *path, const char *partial)
{
    bool is_partial = partial && *partial;
    if (is_partial) vf_report(VF_REPORT_PARTIAL, partial);
    vf_report_regions();
    vf_ending_writes();
    open_file(path);
    if (!vf_tally_is_finished()) finish_values();
    vf_unsourced_settle();
    struct vf_dump_header header = describe();
    close_tables();
    put(&header, sizeof header);
    uint32_t name = put_objects(header.n_objects);
    put_names(&header);
    name = put_pieces((uint32_t)header.n_pieces, name);
    put_vertices((uint32_t)header.n_vertices);
    put_tree(&vf_trie);
    put_tree(&vf_sequences);
    put_chains((uint32_t)header.n_chains);
    put_reports((uint32_t)header.n_reports, name);
    vf_owned_instances(put_same);
    tell_gone(put_same);
    close_file(&header, is_partial ? VF_DUMP_PARTIAL : VF_DUMP_COMPLETE);
}
