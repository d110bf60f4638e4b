/*
 * What other tools, and people who come from them, call the things of this one: one
 * table for keys of space files, types, fills, strategies and options. Nothing of it
 * is taken; messages suggest what was meant.
 *
 * Threads: pure.
 */
#ifndef AT_BASE_SYNONYMS_H
#define AT_BASE_SYNONYMS_H

#include <stddef.h>

/*
 * What `wrong` is called here, if that is one of names[0..count): "constraints" for
 * "restrictions". Letter case counts nothing, and a module in front ("np.float32")
 * neither. Of "constant(0)" the name is "constant", and what is returned all of it.
 * NULL: it is none that is known. Static storage.
 */
const char *at_synonym(const char *wrong, const char *const *names, size_t count);

#endif
