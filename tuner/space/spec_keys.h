/*
 * Which keys each group of a space file has. One list serves for reading them and for
 * messages that say to which other group a misplaced key belongs. Only spec_*.c include
 * this. Threads: pure functions.
 */
#ifndef AT_SPACE_SPEC_KEYS_H
#define AT_SPACE_SPEC_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* In the order in which a message names them. */
enum at_spec_group {
	AT_GROUP_NONE = 0,
	AT_GROUP_FILE,
	AT_GROUP_KERNEL,
	AT_GROUP_PROBLEM, /* names of sizes are allowed beside these keys */
	AT_GROUP_LAUNCH,
	AT_GROUP_CALL, /* prepare and finish */
	AT_GROUP_REFERENCE, /* the keys of all three kinds together */
	AT_GROUP_REFERENCE_KERNEL,
	AT_GROUP_REFERENCE_LIBRARY,
	AT_GROUP_REFERENCE_FILES,
	AT_GROUP_REFERENCE_FILE,
	AT_GROUP_ARGUMENT,
	AT_GROUP_STRUCTURE,
	AT_GROUP_RANGE,
	AT_GROUP_OPTION,
	AT_GROUP_VERIFY,
	AT_GROUP_METRICS,
	AT_GROUP_SEARCH,
	AT_GROUP_COUNT
};

/* The keys of a group, static; *count gets their number. */
const char *const *at_spec_keys(enum at_spec_group group, size_t *count);

/* Whether the group has this key. */
bool at_spec_has_key(enum at_spec_group group, const char *key);

/*
 * The end of a message that says where a misplaced key belongs: ": it belongs to
 * launch, or to prepare and finish". "" where no other group has the key. Writes to and
 * returns buffer.
 */
const char *at_spec_key_home(
	enum at_spec_group group, const char *key, char *buffer, size_t size);

/* The same for a key that no group has but that is similar to one of another group. */
const char *at_spec_key_near_home(
	enum at_spec_group group, const char *wrong, char *buffer, size_t size);

#endif
