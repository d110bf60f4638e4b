/* The list of words of what a winner met (met.h). */
#include "session/met.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A candidate's word: a hash of its key and of its exact score. */
static const char *word_of(
	const struct at_candidate *candidate, char word[AT_HASH_HEX_SIZE])
{
	char text[80];
	int length = snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64 " %a",
		candidate->key.high, candidate->key.low, candidate->score.value);

	return at_hash_hex(at_hash_bytes(text, (size_t)length), word);
}

char *at_met_list(
	const struct at_candidates *candidates, const size_t *places, size_t count)
{
	struct at_strbuf out = { 0 };
	char word[AT_HASH_HEX_SIZE];

	at_strbuf_add(&out, "");
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(&out, "%s%s", i ? " " : "",
			word_of(&candidates->items[places[i]], word));
	return at_strbuf_detach(&out);
}

/* Whether the list has the candidate's word. A substring is enough: a crafted record
   could claim any word anyway. */
static bool has_word(const char *met, const struct at_candidate *candidate)
{
	char word[AT_HASH_HEX_SIZE];

	return strstr(met, word_of(candidate, word)) != NULL;
}

bool at_met_has(const char *met, const struct at_candidates *candidates, size_t place)
{
	const struct at_candidate *candidate = &candidates->items[place];

	if (!met || !*met)
		return false;
	if (has_word(met, candidate))
		return true;
	for (size_t i = 0; i < candidates->count; i++)
		if (i != place &&
			at_candidate_is_same_kernel(&candidates->items[i], candidate) &&
			has_word(met, &candidates->items[i]))
			return true;
	return false;
}
