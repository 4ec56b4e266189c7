/* Events become tokens: numbers of what they say. Saying it once is enough until the dictionary is full. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "trace/duration.h"

enum {
    SLOTS = 16384,
    TOKENS = SLOTS / 2,
    ARENA_WORDS = 1 << 16,
    LONGEST_KEPT = ARENA_WORDS / 16, /* longer ones are said each time */
    DRAFT_WORDS = 4096,
    NAME_WORDS = 8,
    PATH_WORDS = RAW_MODULE_PATH / 8 + 1,
};

struct slot {
    uint32_t hash;
    uint16_t token; /* 0: free */
    uint16_t n;     /* words */
};

static struct slot slots[SLOTS];
static uint64_t arena[ARENA_WORDS];
static uint32_t places[TOKENS + 1]; /* [token] in the arena */
static uint16_t lengths[TOKENS + 1],
    follows[TOKENS + 1]; /* [token] in words; which one came behind it last */
static uint16_t last_token;
static unsigned n_tokens, arena_used;

static uint64_t fixed_words[DRAFT_WORDS];
static uint64_t *draft_words = fixed_words;
static size_t draft_capacity = DRAFT_WORDS;

static uint64_t named[(N_FUNCTIONS + 63) / 64], placed[RAW_SITES / 64];
static unsigned n_threads;
static _Thread_local unsigned own_thread __attribute__((tls_model("initial-exec"))); /* number + 1 */
static int64_t carry_gap, carry_call, carry_cpu;

/* -------- the dictionary -------- */

/* Products are independent of each other, so the processor computes them at once. */
static uint64_t hash_words(const uint64_t *words, unsigned n)
{
    uint64_t sum = n, factor = 0x9e3779b97f4a7c15U;
    for (unsigned i = 0; i < n; i++) {
        sum += (words[i] ^ words[i] >> 29) * factor;
        factor += 0xbf58476d1ce4e5b8U;
    }
    return (sum ^ sum >> 32) * 0x94d049bb133111ebU;
}

static inline bool same_words(const uint64_t *a, const uint64_t *b, unsigned n)
{
    uint64_t differences = 0;
    for (unsigned i = 0; i < n; i++) differences |= a[i] ^ b[i];
    return differences == 0;
}

static void forget_all(void)
{
    spool_put(SPOOL_FORGET, 0, NULL, 0);
    memset(slots, 0, sizeof slots);
    memset(follows, 0, sizeof follows);
    n_tokens = arena_used = last_token = 0;
}

static uint16_t define(struct slot *slot, uint32_t hash, const uint64_t *words, unsigned n)
{
    uint16_t token = (uint16_t)++n_tokens;
    *slot = (struct slot){hash, token, (uint16_t)n};
    places[token] = arena_used;
    lengths[token] = (uint16_t)n;
    memcpy(arena + arena_used, words, n * sizeof *words);
    arena_used += n;
    spool_put(SPOOL_DEFINE, token, words, n);
    return token;
}

/* The last token is not in the dictionary: what it stands for is said each time. */
static uint16_t say_once(const uint64_t *words, unsigned n)
{
    spool_put(SPOOL_DEFINE, TOKENS, words, n);
    return TOKENS;
}

static uint16_t search_token(const uint64_t *words, unsigned n)
{
    uint64_t hash = hash_words(words, n);
    uint32_t mark = (uint32_t)hash;
    for (size_t i = hash >> 50;; i = (i + 1) % SLOTS) {
        struct slot *s = &slots[i];
        if (s->token == 0) {
            if (n_tokens == TOKENS - 1 || arena_used + n > ARENA_WORDS) {
                forget_all();
                s = &slots[hash >> 50];
            }
            return define(s, mark, words, n);
        }
        if (s->hash == mark && s->n == n && same_words(arena + places[s->token], words, n)) return s->token;
    }
}

/* What came behind the last event before comes behind it again, mostly: then nothing needs to be searched. */
static inline uint16_t token_of(const uint64_t *words, unsigned n)
{
    uint16_t guess = follows[last_token];
    if (__builtin_expect(guess && lengths[guess] == n && same_words(arena + places[guess], words, n), 1))
        return last_token = guess;
    if (n > LONGEST_KEPT) return say_once(words, n);
    uint16_t token = search_token(words, n);
    follows[last_token] = token;
    return last_token = token;
}

/* -------- what events refer to -------- */

static void name_function(unsigned id)
{
    uint64_t text[NAME_WORDS] = {0};
    named[id / 64] |= (uint64_t)1 << id % 64;
    memcpy(text, "MPI_", 4);
    strncpy((char *)text + 4, functions[id].name, sizeof text - 5);
    spool_put(SPOOL_NAME, id, text, NAME_WORDS);
}

static void place_site(unsigned number, const struct raw_site *site)
{
    uint64_t words[1 + PATH_WORDS] = {site->offset};
    placed[number / 64] |= (uint64_t)1 << number % 64;
    if (site->module < RAW_MODULES)
        memcpy(words + 1, recorder.modules[site->module].path, RAW_MODULE_PATH - 1);
    spool_put(SPOOL_SITE, number, words, 2 + strlen((char *)(words + 1)) / 8);
}

/* Number + 1 of the site of the last call, 0 if it has none. */
static inline unsigned site_of_call(void)
{
    const struct raw_site *site = recorder.noted.site;
    if (!site) return 0;
    unsigned number = (unsigned)(site - recorder.sites);
    if (__builtin_expect(!(placed[number / 64] >> number % 64 & 1), 0)) place_site(number, site);
    return number + 1;
}

static void meet_thread(const struct call *c)
{
    own_thread = 1 + (n_threads < 255 ? n_threads++ : 255);
    if (own_thread == 1) return;
    const uint64_t ticks = c->t0 - c->gap_wall - recorder.header->start.ticks;
    spool_put(SPOOL_THREAD, own_thread - 1, &ticks, 1);
}

/* -------- drafts -------- */

struct draft draft_begin(const struct call *c, unsigned op, unsigned start, unsigned mode)
{
    unsigned id = c->id;
    if (__builtin_expect(own_thread == 0, 0)) meet_thread(c);
    if (__builtin_expect(!(named[id / 64] >> id % 64 & 1), 0)) name_function(id);
    draft_words[0] = op | start << 8 | mode << 10 | (uint64_t)(own_thread - 1) << 16 | (uint64_t)id << 24 |
                     (uint64_t)site_of_call() << 40;
    draft_words[1] = 0;
    return (struct draft){.words = draft_words, .n = 2};
}

uint64_t *draft_vector(struct draft *d, enum spool_member member, size_t n)
{
    if (n == 0) return NULL;
    size_t needed = d->n + 1 + n + DRAFT_FIXED;
    if (needed > draft_capacity) {
        uint64_t *more = malloc(2 * needed * sizeof *more);
        if (!more) return NULL;
        memcpy(more, draft_words, d->n * sizeof *more);
        if (draft_words != fixed_words) free(draft_words);
        draft_words = d->words = more;
        draft_capacity = 2 * needed;
    }
    d->words[1] |= (uint64_t)1 << member;
    d->words[d->n++] = n;
    uint64_t *numbers = d->words + d->n;
    d->n += (unsigned)n;
    return numbers;
}

uint64_t draft_write(struct draft *d, const struct trace_times *times)
{
    bool cpu = recorder.precise;
    if (d->matches) d->words[0] |= 1 << 13;
    uint16_t token = token_of(d->words, d->n);
    size_t n = 6 + (cpu ? 2 : 0) + (d->matches ? 8 : 0);
    unsigned char *room = spool_room(n);
    if (!room) return 0;
    uint16_t codes[3] = {duration_encode_carried(times->gap, &carry_gap),
                         duration_encode_carried(times->in_call, &carry_call), 0};
    if (cpu) codes[2] = duration_encode_carried(times->cpu, &carry_cpu);
    memcpy(room + 2, codes, cpu ? 6 : 4);
    uint64_t place = 0;
    if (d->matches) {
        const int32_t match[2] = {d->matched_peer, d->matched_tag};
        memcpy(room + n - sizeof match, match, sizeof match);
        place = spool_place() + n - sizeof match;
    }
    spool_commit(room, token, n);
    return place;
}

/* -------- start and end -------- */

static void put_plain(unsigned op, unsigned id, uint64_t gap)
{
    const struct call c = {.id = id, .f = &functions[id], .t0 = clock_ticks(), .gap_wall = gap};
    struct draft d = draft_begin(&c, op, 0, 0);
    draft_write(&d, &(struct trace_times){.gap = gap, .cpu = gap});
}

void trace_start(void)
{
    struct spool_header *h = spool.header;
    h->load = recorder.header->load;
    h->start = h->latest = recorder.header->start;
    h->start_unix_ns = recorder.header->start_unix_ns;
    h->flags = recorder.precise ? SPOOL_CPU : 0;
    h->end = RAW_END_LOST;
    recorder.traced = true;
    recorder.noted.site = NULL;
    own_thread = n_threads = 1;
    put_plain(PARCAST_TRACE_INIT, ID_Init, 0);
    /* These two have the first numbers on every rank. */
    comms_find(abi.comm_world);
    comms_find(abi.comm_self);
}

void trace_last(unsigned op, uint64_t gap)
{
    recorder.noted.site = NULL;
    put_plain(op, op == PARCAST_TRACE_ABORT ? ID_Abort : ID_Finalize, gap);
}
