/* Which functions a name in --region means. C++ names are looked at as they are in the source. */
#include "compiler/instrument/unit/named_region.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/unit/source_name.h"

/* Flang: _QPname, _QMmodulePname and, from outside, name_. */
static bool fortran_name(const char *symbol, const char *region)
{
    size_t length = strlen(region);
    const char *last = name_begins(symbol, "_Q") ? strrchr(symbol, 'P') : NULL;
    if (last && strcmp(last + 1, region) == 0) return true;
    return strncmp(symbol, region, length) == 0 && strcmp(symbol + length, "_") == 0;
}

static bool is_operator(const char *p)
{
    return name_begins(p, "operator") && !isalnum((unsigned char)p[8]) && p[8] != '_';
}

static const char *behind_group(const char *p);

/* operator+=, operator(), operator new[], operator double. Where a template's arguments follow, there is a
 * blank before them if the operator ends in <. */
static const char *behind_operator(const char *p)
{
    const char *sign = p += strlen("operator");
    if (name_begins(p, "()") || name_begins(p, "[]")) return p + 2;
    if (*p == ' ' || *p == '"') {
        while (p && *p && *p != '(') p = *p == '<' ? behind_group(p) : p + 1;
        return p;
    }
    while (*p && strchr("+-*/%^&|~!=<>,", *p) && !(*p == '<' && p > sign && p[-1] != '<')) p++;
    return p;
}

/* Parentheses are whole even around a comparison. */
static const char *behind_parentheses(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (!depth) return p + 1;
    }
    return NULL;
}

/* What opens here, with all that is in it; NULL where it does not close. */
static const char *behind_group(const char *p)
{
    static const char opening[] = "<[{", closing[] = ">]}";
    if (*p == '(') return behind_parentheses(p);
    char end = closing[strchr(opening, *p) - opening];
    for (p++; p && *p && *p != end;) {
        if (is_operator(p) && !isalnum((unsigned char)p[-1]) && p[-1] != '_')
            p = behind_operator(p);
        else if (*p == '(' || strchr(opening, *p))
            p = behind_group(p);
        else
            p += name_begins(p, "->") ? 2 : 1;
    }
    return p && *p ? p + 1 : NULL;
}

/* "f(int) const::place::step": the function that something is in. NULL: what comes there is no name. */
static const char *behind_parameters(const char *p)
{
    p = behind_group(p);
    while (p && *p && *p != ':' && (isalpha((unsigned char)*p) || strchr(" &", *p))) p++;
    return p && name_begins(p, "::") ? p : NULL;
}

struct name {
    const char *first, *base_end, *end; /* a::b<int>::f and its <double> */
    char *plain;                        /* without arguments: a::b::f */
    size_t n;
};

static const char *take_name(struct name *name, const char *p, const char *end)
{
    if (!end) return NULL;
    memcpy(name->plain + name->n, p, (size_t)(end - p));
    name->n += (size_t)(end - p);
    name->base_end = end;
    return end;
}

static const char *next_part(struct name *name, const char *p, bool is_new)
{
    if (is_new && is_operator(p)) return take_name(name, p, behind_operator(p));
    if (name_begins(p, "(anonymous namespace)::")) return p + strlen("(anonymous namespace)::");
    if (is_new && (name_begins(p, "decltype(") || name_begins(p, "decltype (")))
        return behind_group(strchr(p, '('));
    if (*p == '(') return behind_parameters(p);
    if (strchr("<[{", *p)) return behind_group(p);
    if (*p != ' ') return take_name(name, p, p + 1);
    if (p[1] == '<') return p + 1;
    p += name_begins(p, " (*") || name_begins(p, " (&") ? 3 : 1;
    name->first = p; /* that was the type of the result */
    name->n = 0;
    return p;
}

/* In "double a::b<int>::f<double>(int) const" everything but the type and the parameters. */
static bool find_name(const char *text, struct name *name)
{
    const char *p = name->first = name->base_end = text;
    while (*p) {
        bool is_new = p == name->first || (p - text >= 2 && name_begins(p - 2, "::"));
        const char *next = next_part(name, p, is_new);
        if (!next && *p != '(') return false;
        if (!next) break;
        p = next;
    }
    name->end = p;
    name->plain[name->n] = '\0';
    return name->n > 0;
}

/* Is it the region's name, or does it end in ::name? Demanglers disagree about blanks. */
static bool ends_in(const char *first, const char *end, const char *region)
{
    const char *r = region + strlen(region);
    while (r > region && end > first) {
        if (r[-1] == ' ')
            r--;
        else if (end[-1] == ' ')
            end--;
        else if (*--r != *--end)
            return false;
    }
    return r == region && (end == first || (end - first >= 2 && name_begins(end - 2, "::")));
}

/* A name without its namespace is not of the library: that has a step, a solve and a lot of operators, too.
 */
static bool is_meant(const char *first, const char *region)
{
    static const char *const libraries[] = {"std::", "__gnu_cxx::"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (name_begins(first, libraries[i])) return name_begins(region, libraries[i]);
    return true;
}

/* Tables, and functions that only lead to another. */
static bool is_special(const char *symbol)
{
    return name_begins(symbol, "_ZT") || name_begins(symbol, "_ZG");
}

bool region_matches(const char *symbol, const char *region)
{
    if (strcmp(symbol, region) == 0 || fortran_name(symbol, region)) return true;
    char *text = *region && !is_special(symbol) ? demangled(symbol) : NULL;
    struct name name = {.plain = text ? malloc(strlen(text) + 1) : NULL};
    bool matches = name.plain && find_name(text, &name) && is_meant(name.first, region) &&
                   (ends_in(name.plain, name.plain + name.n, region) ||
                    ends_in(name.first, name.end, region) || ends_in(name.first, name.base_end, region));
    free(name.plain);
    free(text);
    return matches;
}
