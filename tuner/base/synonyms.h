/*
 * What other tools, and people who know them, call the things of this one: one table
 * for keys of space files, types, fills, strategies and options. These words are not
 * accepted; messages use the table to suggest what was meant.
 *
 * Threads: pure.
 */
#ifndef AT_BASE_SYNONYMS_H
#define AT_BASE_SYNONYMS_H

#include <stddef.h>

/*
 * The name for `wrong` here, if that is one of names[0..count): "constraints" for
 * "restrictions". Ignores letter case and a module in front ("np.float32"). For an
 * entry like "constant(0)" the name to be found is "constant", and all of the entry is
 * returned. NULL: the word is not known, or is a name but for an "s" at its end, which
 * at_text_nearest() finds. Static.
 */
const char *at_synonym(const char *wrong, const char *const *names, size_t count);

#endif
