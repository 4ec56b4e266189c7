/* What functions outside the program do, by name (known.def). */
#ifndef PARCAST_INSTRUMENT_KNOWN_H
#define PARCAST_INSTRUMENT_KNOWN_H

enum known_kind { KNOWN_NOT, KNOWN_PURE, KNOWN_READS, KNOWN_INPUT, KNOWN_WRITES, KNOWN_NAMED, KNOWN_REFUSED };

struct known {
    const char *name; /* with a * at its end: all that begin like it */
    enum known_kind kind;
    const char *what; /* NAMED, REFUSED: for people */
};

/** The entry of a name; of kind KNOWN_NOT when there is none. */
struct known known_of(const char *name);

#endif
