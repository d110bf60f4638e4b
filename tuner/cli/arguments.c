/* Access to the parsed command line by option. */
#include "cli/cli.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void at_cli_arguments_release(struct at_cli_arguments *self)
{
	for (size_t i = 0; i < self->operand_count; i++)
		free(self->operands[i]);
	for (size_t i = 0; i < self->value_count; i++)
		free(self->values[i].text);
	free(self->operands);
	free(self->values);
	memset(self, 0, sizeof(*self));
}

/* The last value given for an option. */
static const struct at_cli_value *find_value(
	const struct at_cli_arguments *self, const struct at_cli_option *option)
{
	for (size_t i = self->value_count; i-- > 0;)
		if (self->values[i].option == option)
			return &self->values[i];
	return NULL;
}

bool at_cli_given(
	const struct at_cli_arguments *self, const struct at_cli_option *option)
{
	return find_value(self, option) != NULL;
}

const char *at_cli_text(const struct at_cli_arguments *self,
	const struct at_cli_option *option, const char *fallback)
{
	const struct at_cli_value *value = find_value(self, option);

	return value ? value->text : fallback;
}

int64_t at_cli_whole(const struct at_cli_arguments *self,
	const struct at_cli_option *option, int64_t fallback)
{
	const struct at_cli_value *value = find_value(self, option);

	return value ? value->whole : fallback;
}

void at_cli_each(const struct at_cli_arguments *self,
	const struct at_cli_option *option, const char *const **out, size_t *count)
{
	const char **texts = at_malloc((self->value_count + 1) * sizeof(*texts));

	*count = 0;
	for (size_t i = 0; i < self->value_count; i++)
		if (self->values[i].option == option)
			texts[(*count)++] = self->values[i].text;
	*out = texts;
}
