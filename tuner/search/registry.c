/* The list of strategies, and finding one by name. */
#include "base/text.h"
#include "search/kinds.h"

#include <stdio.h>
#include <string.h>

static const struct at_strategy_kind *const kinds[] = {
#define LIST(name) &at_strategy_##name,
	AT_STRATEGIES(LIST)
#undef LIST
};

#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

const struct at_strategy_kind *at_strategy_kind_at(size_t index)
{
	return index < KIND_COUNT ? kinds[index] : NULL;
}

enum at_status at_strategy_find(const char *text, const struct at_strategy_kind **kind,
	const char **options, struct at_error *err)
{
	size_t length = strcspn(text, ",");
	const char *names[KIND_COUNT];
	char name[64];
	struct at_strbuf known = { 0 };

	*options = text[length] ? text + length + 1 : "";
	for (size_t i = 0; i < KIND_COUNT; i++) {
		names[i] = kinds[i]->name;
		if (strlen(kinds[i]->name) == length &&
			!strncmp(kinds[i]->name, text, length)) {
			*kind = kinds[i];
			return AT_OK;
		}
	}
	snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), text);
	at_text_add_known(&known, name, names, KIND_COUNT);
	at_fail(err, AT_ENOENT, NULL, 0, "unknown strategy \"%s\"%s", name, known.data);
	at_strbuf_release(&known);
	return AT_ENOENT;
}

/* Only the strategy can read its options, so it is opened for a space of one
   configuration. */
enum at_status at_strategy_check(const char *text, struct at_error *err)
{
	static const struct at_value value = { .type = AT_TYPE_INTEGER };
	static const uint16_t row[] = { 0 };
	const struct at_search_parameter parameter = { "", AT_TYPE_INTEGER, 1, &value };
	const struct at_strategy_kind *kind;
	struct at_search_space *space = NULL;
	struct at_strategy *strategy;
	const char *options;
	enum at_status status = at_strategy_find(text, &kind, &options, err);

	if (!status)
		status = at_search_space_from_rows(&parameter, 1, row, 1, &space, err);
	if (!status)
		status = kind->open(kind, space, options, 0, &strategy, err);
	if (!status)
		strategy->kind->close(strategy);
	at_search_space_free(space);
	return status;
}
