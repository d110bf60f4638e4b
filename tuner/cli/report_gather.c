/* Gathers a report from groups, nights and models. */
#include "cli/report.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/result.h"

#include <stdlib.h>
#include <string.h>

static void release_part(struct at_report_part *part)
{
	at_report_evaluations_release(&part->evaluations);
	for (size_t i = 0; i < part->include_count; i++)
		free(part->includes[i]);
	free(part->includes);
	free(part->boards);
}

void at_report_release(struct at_report *self)
{
	for (size_t i = 0; i < self->count; i++)
		release_part(&self->parts[i]);
	free(self->parts);
	at_nights_release(&self->nights);
	at_groups_release(&self->groups);
	memset(self, 0, sizeof(*self));
}

/* ---- evaluations ------------------------------------------------------------------
 */

static enum at_status read_evaluations(
	struct at_report *self, struct at_report_part *part, struct at_error *err)
{
	const struct at_group *group = part->group;

	/* A result file has only winner and baseline, which are no search. Beside a
	   record their ids are below 0. */
	if (self->is_bundled || !group->row_count || group->rows[0].id < 0)
		return AT_OK;
	return at_report_evaluations_init(&part->evaluations, self->directory,
		group->rows, group->row_count, err);
}

/* ---- the header's lines ------------------------------------------------------------
 */

static void add_include(struct at_report_part *part, struct at_strbuf *line)
{
	char *text = at_strbuf_detach(line);

	part->includes[part->include_count++] = text;
}

/* Lines such as "#define MATMUL_DEVICE NVIDIA_H200"; record/result.h explains them. */
static void write_includes(struct at_report *self, struct at_report_part *part)
{
	const struct at_group *group = part->group;
	char *kernel, *device, *problem, *path;
	struct at_strbuf line = { 0 };

	/* An unverified winner is in no header. */
	if (!group->has_winner || group->best.is_unverified)
		return;
	kernel = at_text_macro(group->space);
	device = at_text_macro(group->device.slug);
	problem = at_text_macro(group->problem);
	path = at_path_of_name(self->directory, group->space, ".h");
	part->includes = at_calloc(3, sizeof(*part->includes));
	at_strbuf_addf(&line, "#define %s_DEVICE %s", kernel, device);
	add_include(part, &line);
	at_strbuf_addf(&line, "#define %s_PROBLEM %s", kernel, problem);
	add_include(part, &line);
	at_strbuf_addf(&line, "#include \"%s\"", path);
	add_include(part, &line);
	free(kernel);
	free(device);
	free(problem);
	free(path);
}

/* ---- nights ------------------------------------------------------------------------
 */

static bool is_night_of(const struct at_revisit *night, const struct at_group *group)
{
	return group->device_id && night->device_id == group->device_id &&
	       !strcmp(night->problem, group->problem) &&
	       !strcmp(night->space, group->space);
}

static void collect_boards(struct at_report *self, struct at_report_part *part)
{
	const struct at_nights *nights = &self->nights;
	size_t capacity = 0;

	for (size_t begin = 0, end; begin < nights->count; begin = end) {
		end = at_nights_end(nights, begin);
		if (!is_night_of(nights->items[begin], part->group))
			continue;
		AT_GROW(part->boards, capacity, part->board_count + 1);
		part->boards[part->board_count++] = (struct at_kernel_nights){
			.device = &part->group->device,
			.count = end - begin,
			.nights = nights->items + begin,
		};
	}
	for (size_t i = 0; i < part->board_count; i++)
		part->boards[i].names_board = part->board_count > 1;
}

/* ---- all of it ----------------------------------------------------------------- */

enum at_status at_report_gather(struct at_report *self, struct at_groups *groups,
	struct at_recorded *recorded, struct at_error *err)
{
	enum at_status status;

	*self = (struct at_report){
		.directory = recorded->directory,
		.is_bundled = recorded->is_bundled,
		.groups = *groups,
	};
	memset(groups, 0, sizeof(*groups));
	self->parts = at_calloc(self->groups.count + 1, sizeof(*self->parts));
	status = at_nights_read(&self->nights, recorded->store, err);
	for (size_t i = 0; i < self->groups.count && !status; i++) {
		struct at_report_part *part = &self->parts[self->count++];

		part->group = self->groups.items[i];
		status = read_evaluations(self, part, err);
		if (!status)
			write_includes(self, part);
		if (!status)
			collect_boards(self, part);
	}
	return status;
}
