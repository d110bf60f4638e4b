/*
 * Vetting: compiles configurations of a space for an architecture and says what
 * their kernels need of it. Nothing is launched and no device is opened: what is
 * known of the device comes from the caller, and may be the table of an
 * architecture that is not here.
 *
 *   at_vet_open(&options, &vet, &err);
 *   at_vet_space(vet, &request, &err);       as often as one likes
 *   at_vet_close(vet);
 *
 * It prints nothing: a listener is told of one configuration at a time. A signal
 * ends what runs with AT_EINTERRUPTED. Threads: one vet at a time in a process.
 */
#ifndef AT_SESSION_VET_H
#define AT_SESSION_VET_H

#include "base/error.h"
#include "base/outcome.h"
#include "device/device.h"
#include "kernel/compile.h"
#include "kernel/source.h"
#include "measure/measure.h"
#include "space/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_vet; /* compile workers that wait for work */

/* What is known of one configuration on one problem. */
struct at_vetting {
	const struct at_problem *problem;
	const uint16_t *configuration;
	bool is_baseline;
	/*
	 * OK: it compiles and can be launched. NOT_APPLICABLE: launch or arguments
	 * make no sense, it was not compiled. COMPILE_FAILED. LAUNCH_FAILED: its
	 * kernels take other arguments than the space gives them.
	 * TOO_MANY_RESOURCES: it compiles, and needs more than there is.
	 */
	enum at_outcome outcome;
	const char *detail; /* one line why; "" for OK */
	struct at_facts facts;
	bool exact; /* facts.occupancy is the allocator's count; see at_occupancy */
};

struct at_vet_options {
	const char *executable; /* to start workers from; NULL: this executable */
	unsigned jobs; /* compile workers; 0: one a core */
};

struct at_vet_request {
	const struct at_spec *spec; /* with a kernel: at_spec_require_kernel() */
	const struct at_template *template; /* the spec's */
	/* kind, architecture, toolchain and properties count; id is for messages */
	const struct at_device_info *device;
	const struct at_problem *const *problems;
	size_t problem_count; /* at least 1 */
	uint64_t random_count; /* configurations beside the baselines, at most */
	uint64_t seed;
	/* all pointers are borrowed for the length of the call */
	void (*listen)(void *context, const struct at_vetting *vetting);
	void *context;
};

enum at_status at_vet_open(const struct at_vet_options *options, struct at_vet **out,
	struct at_error *err);
void at_vet_close(struct at_vet *self);

/*
 * "NVRTC 13.0": what compiles with this toolchain; borrowed until the next call
 * names another. AT_EUNAVAILABLE with a hint how to get it where there is none.
 */
enum at_status at_vet_toolchain(struct at_vet *self, const char *toolchain,
	const char **version, struct at_error *err);
/* See at_probe_newest_architecture(). */
enum at_status at_vet_newest_architecture(
	struct at_vet *self, char *name, size_t size, struct at_error *err);

/*
 * Vets the baseline (where the space has defaults, and its constraints admit them)
 * on every problem, and random configurations, spread over the problems in turn;
 * none is drawn twice, and a space with fewer is vetted whole. The listener is told
 * in that order, which the seed alone decides, as soon as the next is known.
 *
 * The reference is compiled for every problem first: where it does not compile,
 * nothing is told and it is AT_EINVAL. AT_EINVAL too where the kernels of the reference
 * or of a baseline take other arguments than the space gives them. AT_EUNAVAILABLE: no
 * compiler, or one that does not know the architecture.
 */
enum at_status at_vet_space(struct at_vet *self, const struct at_vet_request *request,
	struct at_error *err);

#endif
