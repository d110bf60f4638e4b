/* Notes on recordings. */
#include "cli/recording_notes.h"

#include "cli/format.h"
#include "cli/output.h"

#include <string.h>

void at_note_recording(const char *operand, const struct at_recording *recording)
{
	struct at_strbuf objective = { 0 };

	if (recording->older_count)
		at_say("autotune: %s: %zu evaluations of an older source, compiler or driver are left out",
			operand, recording->older_count);
	if (recording->repeated_count)
		at_say("autotune: %s: left out, since a later one has the same configuration: %zu",
			operand, recording->repeated_count);
	if (recording->outside_count)
		at_say("autotune: %s: the samples of its configurations are not used, since %zu times lie outside of their own",
			operand, recording->outside_count);
	if (strcmp(recording->objective, "time") != 0) {
		at_format_plain(&objective, recording->objective);
		at_say("autotune: %s: was tuned for \"%.200s\"; here only its times count",
			operand, at_strbuf_text(&objective));
	}
	at_strbuf_release(&objective);
}
