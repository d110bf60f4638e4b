/* autotune header --cubins: compiles the configurations of a header. */
#include "cli/header.h"

#include "cli/output.h"
#include "session/cubins.h"

enum at_status at_header_embed_cubins(const struct at_header_plan *plan,
	const struct at_result_options *options, bool is_to_output, char **written,
	struct at_error *err)
{
	struct at_cubins cubins;
	struct at_strbuf text = { 0 };
	enum at_status status = at_cubins_make(plan, &cubins, err);

	for (size_t i = 0; i < cubins.note_count && !status; i++)
		at_say("note: %s: %s", plan->spec->path, cubins.notes[i]);
	if (!status && is_to_output) {
		status = at_result_cubins(options, plan, &cubins, &text, err);
		if (!status)
			at_print(&text);
	} else if (!status) {
		status = at_result_write_cubins(options, plan, &cubins, written, err);
	}
	at_strbuf_release(&text);
	at_cubins_release(&cubins);
	return status;
}
