/*
 * What can be said of a space without compiling or running anything: which names
 * its constraints need, whether its files are there, whether its defaults make
 * sense. Threads: safe.
 */
#ifndef AT_CLI_INSPECT_H
#define AT_CLI_INSPECT_H

#include "space/spec.h"

struct at_needs {
	bool sizes; /* some problem's sizes */
	bool properties; /* device.NAME */
	bool property[AT_PROPERTY_COUNT]; /* which of them */
};

/* Of the constraints alone; how often the space must be counted. */
struct at_needs at_inspect_constraints(const struct at_spec *spec);
/* Of everything that is evaluated for a configuration. */
struct at_needs at_inspect_all(const struct at_spec *spec);

/* The template with what it includes, the files of the reference and the fills. */
enum at_status at_inspect_files(const struct at_spec *spec, struct at_error *err);

/*
 * The defaults on one problem: the constraints admit them, and launch, arguments,
 * options and metrics have sensible values for them, on the problems under verify
 * too. A file without defaults is only held to the latter, and only where its
 * first values are a configuration. properties may be NULL.
 */
enum at_status at_inspect_defaults(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *properties,
	struct at_error *err);

#endif
