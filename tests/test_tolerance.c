/* Tolerances: the default, those that follow from evidence, and given ones; on the
   processor. */
#include "kept_unit.h"
#include "device/device.h"
#include "kernel/compile.h"
#include "kernel/source.h"
#include "measure/bench_parts.h"
#include "measure/contents.h"
#include "measure/tolerance.h"

#include "suite.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROWS 64

enum { X, W, Y, Z, ROW_COUNT, COLUMN_COUNT, FACTOR, ARGUMENTS };

static struct at_device *device;
static struct at_compile_result support, narrow, wide;
static uint32_t all_arguments[ARGUMENTS] = { X, W, Y, Z, ROW_COUNT, COLUMN_COUNT,
	FACTOR };

static const char *const names[] = { "one_after_the_other", "in_parts", "in_double",
	"terms_as_half", "sum_as_half", "without_the_last", "without_the_last_row",
	"zeros", "roughly", "with_all_the_rest", "bit_by_bit", "magnified",
	"magnified_otherwise", "wrong_beside_it", "wrong_there", "counted",
	"counted_one_more", "counted_sixteen_more", "counted_two_less",
	"counted_all_one_more", "leaves_z", "rarely", "roughly_the_rest",
	"one_slightly_off", "one_far_off", "all_slightly_off" };

/* What a test asks for; zero: the usual. */
struct wanted {
	const char *reference; /* NULL: one after the other */
	bool has_float64;
	bool is_positive;
	bool is_alike; /* one number */
	bool is_fixed; /* x, so that no pattern changes it */
	bool is_whole; /* y and z are whole numbers */
	bool is_without_y; /* y is no output */
	enum at_fill_kind z_fill; /* 0: constant, 0 */
	int columns; /* 0: 1000 */
	float factor; /* 0: 1 */
	double rtol; /* 0: by default */
	double atol;
	double outliers; /* of y */
};

struct fixture {
	struct at_measure_argument arguments[ARGUMENTS];
	struct at_measure_binding bindings[ARGUMENTS];
	struct at_measure_setup setup;
	struct at_measure_context *context;
	struct at_measure_request request;
	struct at_measure_result result;
};

static struct at_measure_call call_of(const char *symbol)
{
	return (struct at_measure_call){
		.symbol = (char *)symbol,
		.geometry = { .grid = { 1, 1, 1 },
			.block = { 256, 1, 1 },
			.shared_bytes = 1024 },
		.argument_count = symbol[0] ? ARGUMENTS : 0,
		.arguments = all_arguments,
	};
}

static void fill_setup(struct fixture *self, const struct wanted *wanted)
{
	int32_t columns = wanted->columns ? wanted->columns : 1000, rows = ROWS;
	float factor = wanted->factor != 0 ? wanted->factor : 1;
	const char *reference =
		wanted->reference ? wanted->reference : "one_after_the_other";
	double unsaid = wanted->is_whole ? 0 : NAN;
	double rtol = wanted->rtol > 0 ? wanted->rtol : unsaid;
	double atol = wanted->atol > 0 ? wanted->atol : unsaid;

	memset(self, 0, sizeof(*self));
	self->arguments[X] = (struct at_measure_argument){ .name = (char *)"x",
		.symbol = (char *)"",
		.element = AT_ELEMENT_F32,
		.lanes = 1,
		.access = AT_ACCESS_IN,
		.fill = wanted->is_alike ? AT_FILL_CONSTANT : AT_FILL_UNIFORM,
		.is_fixed = wanted->is_fixed,
		.fill_a = wanted->is_alike || wanted->is_positive ? 0 : -1,
		.fill_b = 1,
		.rtol = NAN,
		.atol = NAN };
	self->arguments[Y] = self->arguments[Z] = self->arguments[X];
	self->arguments[W] = self->arguments[X];
	self->arguments[W].name = (char *)"w";
	self->arguments[W].symbol = (char *)"weight";
	self->arguments[W].fill = AT_FILL_CONSTANT;
	self->arguments[W].fill_a = 1;
	self->arguments[Y].name = (char *)"y";
	self->arguments[Y].access = AT_ACCESS_OUT;
	self->arguments[Y].rtol = rtol;
	self->arguments[Y].atol = atol;
	self->arguments[Y].outliers = wanted->outliers;
	self->arguments[Z].name = (char *)"z";
	self->arguments[Z].access = AT_ACCESS_INOUT;
	self->arguments[Z].fill = wanted->z_fill ? wanted->z_fill : AT_FILL_CONSTANT;
	self->arguments[Z].fill_a = 0;
	if (wanted->is_without_y)
		self->arguments[Y].access = AT_ACCESS_SCRATCH;
	self->arguments[Z].rtol = rtol;
	self->arguments[Z].atol = atol;
	if (wanted->is_whole)
		self->arguments[Y].element = self->arguments[Z].element =
			AT_ELEMENT_I32;
	self->arguments[ROW_COUNT] = (struct at_measure_argument){
		.name = (char *)"rows", .element = AT_ELEMENT_I32, .lanes = 1
	};
	self->arguments[COLUMN_COUNT] = self->arguments[ROW_COUNT];
	self->arguments[FACTOR] = self->arguments[ROW_COUNT];
	self->arguments[FACTOR].element = AT_ELEMENT_F32;
	self->bindings[X].count = (uint64_t)columns * ROWS;
	self->bindings[W].count = 2;
	self->bindings[Y].count = self->bindings[Z].count = ROWS;
	memcpy(self->bindings[ROW_COUNT].value, &rows, sizeof(rows));
	memcpy(self->bindings[COLUMN_COUNT].value, &columns, sizeof(columns));
	memcpy(self->bindings[FACTOR].value, &factor, sizeof(factor));
	self->setup = (struct at_measure_setup){
		.argument_count = ARGUMENTS,
		.arguments = self->arguments,
		.bindings = self->bindings,
		.support_image = support.image,
		.support_bytes = support.image_bytes,
		.reference = AT_REFERENCE_KERNEL,
		.reference_image = narrow.image,
		.reference_bytes = narrow.image_bytes,
		.reference_call = call_of(reference),
		.wide_image = wanted->has_float64 ? wide.image : NULL,
		.wide_bytes = wanted->has_float64 ? wide.image_bytes : 0,
		.float64_symbol = (char *)reference,
		.seed = 3,
		.cache = AT_CACHE_COLD,
	};
}

static void open_bench(struct fixture *self, const struct wanted *wanted)
{
	fill_setup(self, wanted);
	assert_ok(at_measure_context_new(
		device, &self->setup, NULL, &self->context, &failure));
	self->request = (struct at_measure_request){
		.image = narrow.image,
		.image_bytes = narrow.image_bytes,
		.prepare = call_of(""),
		.finish = call_of(""),
		.bindings = self->bindings,
		.binding_count = ARGUMENTS,
		.verify_only = true,
		.seed = 5,
	};
}

static void close_bench(struct fixture *self)
{
	at_measure_result_release(&self->result);
	at_measure_context_free(self->context);
}

static void expect(struct fixture *self, const char *kernel, enum at_outcome outcome)
{
	at_measure_result_release(&self->result);
	self->request.kernel = call_of(kernel);
	assert_ok(at_measure_context_evaluate(
		self->context, &self->request, &self->result, &failure));
	if (self->result.outcome != outcome)
		fail_msg("%s is %s, expected %s: %s (error %g)", kernel,
			at_outcome_name(self->result.outcome), at_outcome_name(outcome),
			self->result.detail, self->result.max_relative_error);
}

/* ---- the scale ------------------------------------------------------------- */

TEST(zeros_pass_for_no_value_however_small)
{
	static const float factors[] = { 1e-3f, 1e-9f, 1e-30f };

	for (size_t i = 0; i < COUNT(factors); i++) {
		RELEASED(close_bench) struct fixture self;

		open_bench(&self, &(struct wanted){ .factor = factors[i] });
		expect(&self, "zeros", AT_OUTCOME_WRONG_RESULT);
		expect(&self, "sum_as_half", AT_OUTCOME_WRONG_RESULT);
		expect(&self, "in_parts", AT_OUTCOME_OK);
	}
}

/* a sum of terms of both signs is near 0 now and then, and off by what its terms are */
LONG_TEST(sums_that_come_to_nothing_may_be_off_as_others_are)
{
	for (int has_float64 = 0; has_float64 < 2; has_float64++) {
		RELEASED(close_bench) struct fixture self;

		open_bench(&self, &(struct wanted){ .columns = 20000,
					  .has_float64 = has_float64 });
		expect(&self, "one_after_the_other", AT_OUTCOME_OK);
		expect(&self, "in_parts", AT_OUTCOME_OK);
		expect(&self, "in_double", AT_OUTCOME_OK);
	}
}

/* 6 deviations out, one rounding of a product is large beside 1 */
TEST(spikes_without_an_end_get_room)
{
	RELEASED(close_bench) struct fixture self;
	double near, far;

	open_bench(&self, &(struct wanted){ .has_float64 = true });
	self.context->data[0].pattern = AT_DATA_SPIKES;
	self.arguments[X].fill = AT_FILL_UNIFORM;
	near = tolerance_of(self.context, Y, 0).rtol;
	self.arguments[X].fill = AT_FILL_NORMAL;
	far = tolerance_of(self.context, Y, 0).rtol;
	assert_true(near < 1e-4 && far == 1e-3);
	/* what says where it ends does not lie far out */
	self.arguments[X].has_domain = true;
	assert_true(tolerance_of(self.context, Y, 0).rtol == near);
}

/* a sum of equal terms in float is off by more than a sum of random ones */
TEST(zeroed_data_get_room_from_a_reference_in_float_alone)
{
	for (int has_float64 = 0; has_float64 < 2; has_float64++) {
		RELEASED(close_bench) struct fixture self;
		double rtol;

		open_bench(&self, &(struct wanted){ .has_float64 = has_float64 });
		self.context->data[0].pattern = AT_DATA_ZEROED;
		rtol = tolerance_of(self.context, Y, 0).rtol;
		assert_true(has_float64 ? rtol < 1e-4 : rtol == 1e-2);
	}
}

/* what is left of terms that cancel out is rounding, and not a result to be met */
TEST(other_data_may_come_to_nothing)
{
	const struct at_data data = { .pattern = AT_DATA_ALTERNATING, .seed = 7 };

	for (int has_float64 = 0; has_float64 < 2; has_float64++) {
		RELEASED(close_bench) struct fixture self;

		open_bench(&self, &(struct wanted){ .has_float64 = has_float64 });
		for (unsigned set = 0; set < self.context->set_count; set++)
			assert_ok(bench_use_data(self.context, set, &data, &failure));
		assert_true(self.context->buffers[Y].expectations[0].scale <
			    0.3 * self.context->buffers[Y].declared.scale);
		expect(&self, "in_parts", AT_OUTCOME_OK);
		expect(&self, "in_double", AT_OUTCOME_OK);
	}
}

TEST(what_is_given_holds_each_for_itself)
{
	static const struct {
		double rtol, atol;
		enum at_outcome zeros, roughly;
	} rows[] = {
		{ 0, 10, AT_OUTCOME_WRONG_RESULT, AT_OUTCOME_OK },
		{ 1e-3, 0, AT_OUTCOME_WRONG_RESULT, AT_OUTCOME_OK },
		{ 1e-5, 1e-9, AT_OUTCOME_WRONG_RESULT, AT_OUTCOME_WRONG_RESULT },
		{ 1e-5, 10, AT_OUTCOME_WRONG_RESULT, AT_OUTCOME_OK },
		{ 2, 1e-9, AT_OUTCOME_OK, AT_OUTCOME_OK },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		RELEASED(close_bench) struct fixture self;

		open_bench(&self,
			&(struct wanted){ .rtol = rows[i].rtol, .atol = rows[i].atol });
		expect(&self, "zeros", rows[i].zeros);
		expect(&self, "roughly", rows[i].roughly);
	}
}

TEST(few_that_are_off_by_one_may_be_allowed_to)
{
	static const struct {
		const char *kernel;
		const char *told; /* NULL: no remedy */
	} rows[] = {
		{ "counted_one_more", "give \"y\" an atol of 1" },
		{ "counted_sixteen_more", "give \"y\" an atol of 1" },
		{ "counted_two_less",
			"differ; if rounding may decide them, \"outliers\" of " },
		{ "counted_all_one_more", NULL },
	};
	struct wanted wanted = { .reference = "counted", .is_whole = true };
	struct fixture self;

	open_bench(&self, &wanted);
	expect(&self, "counted", AT_OUTCOME_OK);
	for (size_t i = 0; i < COUNT(rows); i++) {
		expect(&self, rows[i].kernel, AT_OUTCOME_WRONG_RESULT);
		if (!strstr(self.result.detail,
			    rows[i].told ? rows[i].told : "values differ") ||
			(!rows[i].told && strstr(self.result.detail, "rounding")))
			fail_msg("%s: %s", rows[i].kernel, self.result.detail);
	}
	close_bench(&self);
	wanted.atol = 1;
	open_bench(&self, &wanted);
	expect(&self, "counted_one_more", AT_OUTCOME_OK);
	expect(&self, "counted_two_less", AT_OUTCOME_WRONG_RESULT);
	assert_null(strstr(self.result.detail, "each by 1"));
	close_bench(&self);
	/* of what is 0 or 1 that would allow anything */
	wanted.atol = 0;
	wanted.columns = 1;
	open_bench(&self, &wanted);
	expect(&self, "counted_one_more", AT_OUTCOME_WRONG_RESULT);
	assert_null(strstr(self.result.detail, "atol"));
	close_bench(&self);
}

TEST(proposes_only_what_rounding_may_explain)
{
	static const struct {
		const char *kernel;
		const char *told, *never;
	} rows[] = {
		{ "one_slightly_off", "\"outliers\" of ", "rtol" },
		{ "one_far_off", "1 of 64 values differ", "would pass" },
		{ "all_slightly_off", "an \"rtol\" of ", "outliers" },
	};
	const struct wanted wanted = { .is_positive = true };
	RELEASED(close_bench) struct fixture self;

	open_bench(&self, &wanted);
	for (size_t i = 0; i < COUNT(rows); i++) {
		expect(&self, rows[i].kernel, AT_OUTCOME_WRONG_RESULT);
		if (!strstr(self.result.detail, rows[i].told) ||
			strstr(self.result.detail, rows[i].never))
			fail_msg("%s: %s", rows[i].kernel, self.result.detail);
	}
}

TEST(a_part_of_the_values_may_be_outliers)
{
	/* 3.2 of 64 values, rounded up; one is off */
	const struct wanted wanted = {
		.reference = "counted", .is_whole = true, .outliers = 0.05
	};
	RELEASED(close_bench) struct fixture self;

	open_bench(&self, &wanted);
	expect(&self, "counted_two_less", AT_OUTCOME_OK);
	expect(&self, "counted_sixteen_more", AT_OUTCOME_WRONG_RESULT);
}

/* ---- the reference in double ----------------------------------------------- */

TEST(what_is_expected_is_the_rounding_of_the_reference_in_double)
{
	static const char *const references[] = { "one_after_the_other",
		"with_all_the_rest" };

	for (size_t i = 0; i < COUNT(references); i++) {
		struct wanted wanted = { .reference = references[i],
			.columns = 10000,
			.is_positive = true };
		struct fixture self;
		double in_float;

		open_bench(&self, &wanted);
		assert_true(isnan(self.context->buffers[Y].expectations[0].error));
		/* a verification goes on to other data */
		self.request.verify_only = false;
		self.request.samples_min = self.request.samples_max = 1;
		expect(&self, "in_double", AT_OUTCOME_OK);
		in_float = self.result.max_relative_error;
		close_bench(&self);
		wanted.has_float64 = true;
		open_bench(&self, &wanted);
		self.request.verify_only = false;
		self.request.samples_min = self.request.samples_max = 1;
		expect(&self, "in_double", AT_OUTCOME_OK);
		assert_true(self.result.max_relative_error < 1e-7);
		assert_true(in_float > 5e-7);
		/* y and z are the same, and rounded once */
		for (int j = Y; j <= Z; j++) {
			const struct buffer *buffer = &self.context->buffers[j];
			double error = fmax(buffer->expectations[0].error,
				buffer->expectations[1].error);

			assert_true(error > 0.5 * in_float && error < 2 * in_float);
		}
		close_bench(&self);
	}
}

/* each is within 3e-5 of the reference in float, and much of it is that one's own error
 */
TEST(mistakes_that_rounding_hides_show_beside_a_double)
{
	struct fixture self;

	open_bench(&self, &(struct wanted){ .is_positive = true });
	expect(&self, "terms_as_half", AT_OUTCOME_OK);
	close_bench(&self);
	open_bench(&self, &(struct wanted){ .is_positive = true, .has_float64 = true });
	expect(&self, "terms_as_half", AT_OUTCOME_WRONG_RESULT);
	assert_non_null(strstr(self.result.detail, " values differ, by up to "));
	/* the others' rounding does not explain NaN */
	expect(&self, "without_the_last_row", AT_OUTCOME_WRONG_RESULT);
	assert_null(strstr(self.result.detail, "by up to"));
	expect(&self, "sum_as_half", AT_OUTCOME_WRONG_RESULT);
	expect(&self, "without_the_last", AT_OUTCOME_WRONG_RESULT);
	expect(&self, "one_after_the_other", AT_OUTCOME_OK);
	expect(&self, "in_parts", AT_OUTCOME_OK);
	close_bench(&self);
	/* the tail of many: one of 30,000 */
	open_bench(&self,
		&(struct wanted){
			.is_positive = true, .has_float64 = true, .columns = 30000 });
	expect(&self, "without_the_last", AT_OUTCOME_WRONG_RESULT);
	expect(&self, "one_after_the_other", AT_OUTCOME_OK);
	expect(&self, "in_parts", AT_OUTCOME_OK);
	close_bench(&self);
}

/* all values have the room that rounding takes at one of them, up to a hundredth */
TEST(where_rounding_is_magnified_all_have_room)
{
	RELEASED(close_bench) struct fixture self;
	double own;

	open_bench(&self,
		&(struct wanted){
			.reference = "magnified", .has_float64 = true, .columns = 2 });
	expect(&self, "magnified", AT_OUTCOME_OK);
	expect(&self, "magnified_otherwise", AT_OUTCOME_OK);
	expect(&self, "wrong_there", AT_OUTCOME_WRONG_RESULT);
	assert_true(self.context->buffers[Y].expectations[0].error > 4e-5);
	own = tolerance_of(self.context, Y, 0).rtol;
	assert_true(own > 1e-4 && own <= 1e-2);
	/* a space's narrower tolerance holds for the data of the space only */
	self.arguments[Y].rtol = 1e-5;
	assert_true(tolerance_of(self.context, Y, 0).rtol == 1e-5);
	self.context->data[0].seed++;
	assert_true(tolerance_of(self.context, Y, 0).rtol == own);
	self.context->data[0].pattern = AT_DATA_SPIKES;
	assert_true(tolerance_of(self.context, Y, 0).rtol == own);
}

TEST(one_that_takes_floats_apart_is_done_without)
{
	RELEASED(close_bench) struct fixture self;

	open_bench(&self,
		&(struct wanted){ .reference = "bit_by_bit", .has_float64 = true });
	assert_true(isnan(self.context->buffers[Y].expectations[0].error));
	expect(&self, "one_after_the_other", AT_OUTCOME_OK);
	expect(&self, "sum_as_half", AT_OUTCOME_WRONG_RESULT);
}

TEST(one_that_cannot_be_loaded_is_done_without)
{
	const size_t bytes = wide.image_bytes;
	RELEASED(close_bench) struct fixture self;

	wide.image_bytes = bytes / 2;
	open_bench(&self, &(struct wanted){ .has_float64 = true });
	wide.image_bytes = bytes;
	assert_true(isnan(self.context->buffers[Y].expectations[0].error));
	expect(&self, "in_parts", AT_OUTCOME_OK);
}

/* ---- the baseline ---------------------------------------------------------- */

TEST(the_baseline_is_judged_as_others_are)
{
	RELEASED(close_bench) struct fixture self;

	open_bench(&self, &(struct wanted){ .has_float64 = true });
	for (int is_baseline = 0; is_baseline < 2; is_baseline++) {
		self.request.is_baseline = is_baseline;
		expect(&self, "roughly", AT_OUTCOME_WRONG_RESULT);
		assert_non_null(strstr(
			self.result.detail, "); if that is rounding, an \"rtol\" of "));
		expect(&self, "roughly_the_rest", AT_OUTCOME_WRONG_RESULT);
		/* which a tolerance does not allow */
		assert_null(strstr(self.result.detail, "rtol"));
		expect(&self, "zeros", AT_OUTCOME_WRONG_RESULT);
		/* which is too much for rounding */
		assert_null(strstr(self.result.detail, "rtol"));
		assert_string_equal(self.result.judged, "");
		expect(&self, "in_parts", AT_OUTCOME_OK);
	}
	assert_non_null(strstr(self.result.judged, "tolerance of \"y\": "));
	assert_non_null(strstr(self.result.judged, "the reference is in double"));
	assert_string_equal(self.result.warnings, "");
}

/* ---- what is printed of it ----------------------------------------------------- */

TEST(odd_tolerances_are_told_with_the_baseline)
{
	static const struct {
		double rtol, atol;
		const char *kernel, *warning; /* NULL: none */
	} rows[] = {
		{ 0, 0, "in_parts", NULL },
		{ 1e-4, 0, "in_parts", NULL },
		{ 2, 0, "in_parts",
			"a result of zeros would pass for 100 % of \"z\": lower its rtol" },
		{ 1e-5, 1e3, "in_parts",
			"a result of zeros would pass for 100 % of \"y\": lower its atol" },
		{ 1.2e-4, 0, "roughly", " % of the tolerance of \"y\"" },
		{ 1e-3, 0, "roughly", NULL },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		RELEASED(close_bench) struct fixture self;

		open_bench(&self,
			&(struct wanted){ .rtol = rows[i].rtol, .atol = rows[i].atol });
		self.request.is_baseline = true;
		expect(&self, rows[i].kernel, AT_OUTCOME_OK);
		if (rows[i].warning ? !strstr(self.result.warnings, rows[i].warning)
				    : self.result.warnings[0] != 0)
			fail_msg("row %d: \"%s\"", (int)i, self.result.warnings);
	}
}

/* whoever writes that number is right */
TEST(outputs_of_one_number_are_told_with_the_baseline)
{
	RELEASED(close_bench) struct fixture self;

	open_bench(&self, &(struct wanted){ .is_alike = true });
	self.request.is_baseline = true;
	expect(&self, "in_parts", AT_OUTCOME_OK);
	assert_non_null(strstr(self.result.warnings, "all of \"y\" is one number"));
}

TEST(a_case_whose_outputs_are_vacuous_does_not_count)
{
	static const struct {
		const char *kernel;
		struct wanted wanted;
		bool is_vacuous;
	} rows[] = {
		{ "in_parts", { .z_fill = AT_FILL_CONSTANT }, false },
		{ "in_parts", { .is_alike = true }, true },
		{ "leaves_z", { .z_fill = AT_FILL_UNIFORM, .is_without_y = true },
			true },
		/* only of the third contents that are drawn there is anything to see */
		{ "rarely", { .is_fixed = true }, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wanted wanted = rows[i].wanted;
		RELEASED(close_bench) struct fixture self;

		wanted.reference = rows[i].kernel;
		open_bench(&self, &wanted);
		expect(&self, rows[i].kernel, AT_OUTCOME_OK);
		if (self.result.verified.is_vacuous != rows[i].is_vacuous ||
			(self.result.verified.patterns == 0) != rows[i].is_vacuous)
			fail_msg("row %zu: %u patterns", i,
				self.result.verified.patterns);
	}
}

/* whoever does nothing there is right */
TEST(what_the_reference_leaves_is_told_with_the_baseline)
{
	static const char told[] =
		"the reference leaves all of \"z\" as it finds it, so a kernel that writes nothing there is right";
	static const struct {
		const char *reference;
		enum at_fill_kind fill;
		bool is_alone, is_told;
	} rows[] = {
		{ "leaves_z", AT_FILL_UNIFORM, false, true },
		{ "leaves_z", AT_FILL_UNIFORM, true, true },
		/* a counter that is put back to 0 is sound beside another output */
		{ "leaves_z", AT_FILL_CONSTANT, false, false },
		{ "leaves_z", AT_FILL_CONSTANT, true, true },
		{ "in_parts", AT_FILL_UNIFORM, false, false },
		{ "in_parts", AT_FILL_UNIFORM, true, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		RELEASED(close_bench) struct fixture self;

		open_bench(&self, &(struct wanted){ .reference = rows[i].reference,
					  .z_fill = rows[i].fill,
					  .is_without_y = rows[i].is_alone });
		self.request.is_baseline = true;
		expect(&self, rows[i].reference, AT_OUTCOME_OK);
		if (!!strstr(self.result.warnings, told) != rows[i].is_told)
			fail_msg("row %d: %s", (int)i, self.result.warnings);
	}
}

/* ---- once for all ---------------------------------------------------------- */

static void compile(const char *name, const char *source, const char *const *kernels,
	size_t count, const char *const *options, size_t option_count,
	struct at_compile_result *out)
{
	struct at_compile_request request = {
		.toolchain = (char *)"c++",
		.architecture = (char *)"",
		.name = (char *)name,
		.directory = (char *)"",
		.source = (char *)source,
		.option_count = option_count,
		.options = (char **)options,
		.kernel_count = count,
		.kernels = (char **)kernels,
	};

	assert_ok(compile_kept(&request, out, &failure));
	if (out->outcome != AT_OUTCOME_OK)
		fail_msg("%s", out->log);
}

static int open_host(void **unused)
{
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };
	char *text = file_text(AT_TEST_DIR "/kernels/tolerance.cu");
	compile("tolerance.cu", text, names, COUNT(names), NULL, 0, &narrow);
	at_source_write_float64(text, AT_FLOAT64_FLOATS, &source);
	at_strbuf_add(&source, text);
	compile("tolerance.cu", at_strbuf_text(&source), names, COUNT(names), NULL, 0,
		&wide);
	at_strbuf_clear(&source);
	at_strbuf_add_bytes(
		&source, (const char *)at_embedded_support, at_embedded_support_size);
	compile("support.cu", at_strbuf_text(&source), at_measure_support_kernels,
		at_measure_support_kernel_count, at_measure_support_options,
		at_measure_support_option_count, &support);
	free(text);
	assert_ok(at_device_kind_host.open(0, &device, &failure));
	/* how much is emptied is no claim here, and a server's is half a gigabyte */
	device->info.properties.known[AT_PROPERTY_L2_BYTES] = true;
	device->info.properties.value[AT_PROPERTY_L2_BYTES] = 1 << 20;
	return 0;
}

static int close_host(void **unused)
{
	device->ops->close(device);
	at_compile_result_release(&support);
	at_compile_result_release(&narrow);
	at_compile_result_release(&wide);
	return 0;
}

RUN_SUITE(open_host, close_host)
