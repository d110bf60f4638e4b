/* The table of synonyms and its search. */
#include "base/synonyms.h"
#include "base/memory.h"

#include <string.h>
#include <strings.h>

/* Words have blanks in between and at both ends, so that each is found as " word ". */
static const struct {
	const char *here;
	const char *elsewhere;
} synonyms[] = {
	/* keys of a space file */
	{ "parameters", " tune_params tuning_params tuning_parameters params tunables "
			"search_space configs " },
	{ "constraints",
		" restrictions restriction conditions requires filter prune " },
	{ "problems", " problem_size problem_sizes sizes inputs shapes " },
	{ "arguments", " args argument_list kernel_args kernel_arguments " },
	{ "options", " compiler_options compile_options compiler_flags compile_flags "
		     "flags cflags nvcc_flags build_options defines macros " },
	{ "toolchain", " compiler lang language " },
	{ "types", " structs structures typedefs " },
	{ "verify", " verification check correctness validate " },
	{ "search", " tuning tuner tune settings " },
	{ "defaults", " default_configuration default_config " },
	/* of a reference, of prepare and of finish, which have no name of their own */
	{ "kernel", " name " },
	{ "name", " kernel_name id label " },
	{ "template",
		" kernel_source source source_file file kernel_file kernel_string "
		"src code cuda_file filename " },
	{ "function", " entry entry_point kernel_function symbol_name " },
	{ "reference", " answer golden expected ref reference_kernel "
		       "reference_function gold cpu_reference " },
	{ "block", " block_size block_dim blockdim local local_size threads "
		   "threads_per_block thread_block num_threads workgroup " },
	{ "grid", " grid_size grid_dim griddim global global_size num_blocks "
		  "grid_div grid_div_x grid_div_y grid_div_z " },
	{ "shared_bytes", " shared smem shared_memory shared_mem sharedmem smem_bytes "
			  "smem_size smem_args dynamic_shared dynamic_shared_bytes "
			  "dynamic_shared_memory " },
	{ "count", " size length len elements num_elements n_elements shape extent "
		   "nelem items bytes nbytes " },
	{ "value", " val constant scalar " },
	{ "fill", " init initial initializer init_value fill_value generator "
		  "distribution contents random " },
	{ "type", " dtype data_type datatype ctype element_type " },
	{ "access", " mode intent direction io memory_type usage inout " },
	{ "symbol", " cmem cmem_args constant_memory constant " },
	{ "domain", " range bounds limits " },
	{ "rtol", " tolerance tol rel_tol relative_tolerance relative epsilon eps "
		  "error_tolerance " },
	{ "atol", " abs_tol absolute_tolerance absolute " },
	{ "from", " min begin start low first lower " },
	{ "to", " max end stop high last upper " },
	{ "step", " increment stride by inc " },
	{ "times", " factor multiplier mul multiply ratio " },
	{ "flops", " flop gflops gflop tflops operations ops " },
	{ "bytes", " memory_bytes bandwidth bytes_moved traffic gbytes " },
	{ "when", " if condition " },
	{ "option", " flag " },
	{ "on", " device devices target " },
	{ "deadline", " timeout time_out " },
	{ "samples", " iterations repeats repetitions runs reps num_iterations " },
	{ "budget", " max_fevals fevals time_limit limit max_evaluations evaluations "
		    "time timeout duration time-limit max-fevals max-time "
		    "iterations evals max-evals trials n-trials reps " },
	{ "strategy", " algorithm optimizer search_strategy method search " },
	/* types */
	{ "float", " f32 fp32 float32 single float_t " },
	{ "double", " f64 fp64 float64 real " },
	{ "half", " f16 fp16 float16 _float16 __fp16 " },
	{ "__nv_bfloat16", " bf16 bfloat16 bfloat __bfloat16 " },
	{ "__nv_fp8_e4m3", " e4m3 fp8 fp8_e4m3 float8_e4m3 float8_e4m3fn float8 " },
	{ "__nv_fp8_e5m2", " e5m2 fp8_e5m2 float8_e5m2 " },
	{ "int8_t", " int8 i8 s8 " },
	{ "uint8_t", " uint8 u8 byte " },
	{ "int16_t", " int16 i16 s16 " },
	{ "uint16_t", " uint16 u16 " },
	{ "int32_t", " int32 i32 s32 intc integer " },
	{ "uint32_t", " uint32 u32 uintc " },
	{ "int64_t", " int64 i64 s64 ptrdiff_t ssize_t " },
	{ "uint64_t", " uint64 u64 uintptr_t " },
	{ "bool", " boolean bool_ " },
	{ "cuComplex", " complex64 complex float_complex " },
	{ "cuDoubleComplex", " complex128 double_complex " },
	/* access */
	{ "in", " r read readonly read_only read-only input const ro " },
	{ "out", " w write writeonly write_only write-only output wo result " },
	{ "inout", " rw readwrite read_write read-write input_output in_out in/out "
		   "update " },
	{ "scratch", " temp tmp temporary workspace work " },
	/* fills */
	{ "constant(0)", " 0 0.0 zero zeros zeros_like empty none " },
	{ "constant(1)", " 1 1.0 one ones " },
	{ "constant(value)", " const full value " },
	{ "uniform(-1, 1)", " random rand rnd random_uniform uniform_real " },
	{ "uniform(0, 100)", " randint random_integers integers " },
	{ "normal(0, 1)", " randn gaussian gauss standard_normal random_normal " },
	{ "sequence(0, 1)", " arange iota range linspace ramp linear index " },
	/* kinds of caches */
	{ "warm", " hot reuse " },
	{ "cold", " flush flushed none " },
	/* strategies */
	{ "exhaustive", " brute_force bruteforce brute-force grid full all "
			"full_search " },
	{ "surrogate", " bayes_opt bayesian bayes bo gp gaussian_process "
		       "bayesian_optimization " },
	{ "random", " random_sample random_search sample rs " },
	{ "annealing", " simulated_annealing sa dual_annealing " },
	{ "swarm", " pso particle_swarm firefly_algorithm " },
	{ "local", " mls greedy_mls ordered_greedy_mls greedy_ils ils hill_climbing "
		   "hillclimb basinhopping greedy " },
	{ "genetic", " genetic_algorithm ga evolutionary " },
	{ "differential", " diff_evo de differential_evolution " },
	/* functions of expressions */
	{ "ceil_div", " cdiv div_up divup div_ceil ceildiv idivup divide_up updiv "
		      "ceil_divide " },
	{ "round_up", " align_up align ceil_to next_multiple roundup " },
	{ "round_down", " align_down floor_to rounddown " },
	{ "is_pow2", " ispow2 is_power_of_two is_power_of_2 ispower2 " },
	{ "real", " float double " },
	{ "min", " fmin fminf umin imin minimum " },
	{ "max", " fmax fmaxf umax imax maximum " },
	{ "abs", " fabs fabsf labs llabs " },
	/* properties of devices */
	{ "device.multiprocessor_count",
		" num_sms numsms num_sm sm_count sms multiprocessors cus compute_units " },
	{ "device.compute_capability",
		" arch cuda_arch sm sm_arch cc capability major compute " },
	{ "device.warp_size", " warpsize wavefront warp " },
	{ "device.max_threads_per_block",
		" max_threads max_block_size max_block max_threads_block "
		"max_work_group_size " },
	{ "device.max_dynamic_shared_bytes_per_block",
		" shared_memory max_shared_memory max_shared max_smem smem "
		"max_shared_memory_per_block shared_memory_per_block shared_mem "
		"sharedmemperblock sharedmemperblockoptin local_memory " },
	{ "device.max_registers_per_block", " regsperblock max_registers registers " },
	{ "device.l2_bytes", " l2 l2_size l2cachesize l2_cache l2_cache_size " },
	{ "device.clock_hz", " clockrate clock_rate clock frequency " },
	{ "device.memory_bytes", " totalglobalmem global_memory total_memory memory " },
	/* options of the command line */
	{ "device", " gpu gpus gpu-id gpu_id dev cuda platform " },
	{ "set", " param params parameter define with fix " },
	{ "results",
		" o output out-dir outdir output-dir results-dir dir folder database db " },
	{ "fresh", " force no-cache rerun clean restart ignore-cache " },
	{ "jobs", " threads workers parallel cores " },
	{ "quiet", " silent " },
	{ "wide", " verbose full long " },
	{ "problem", " size problem-size " },
	{ "seed", " random-seed rng " },
	{ "evaluations", " evals max-evals max_evals fevals max_fevals trials budget "
			 "iterations " },
	{ "space", " kernel kernel-name " },
	/* commands */
	{ "tune", " run autotune bench benchmark optimize optimise start search " },
	{ "results", " list ls show print status best winner winners " },
	{ "check", " validate verify lint count inspect " },
	{ "devices", " gpu gpus info device nvidia-smi " },
	{ "forget", " delete remove rm clean clear reset purge " },
	{ "import", " merge load add read " },
	{ "export", " save dump convert write " },
	{ "compare", " diff cmp versus " },
	{ "simulate", " replay sim simulation " },
	{ "report", " plot html summary " },
	{ "history", " log trend " },
	/* devices */
	{ "cuda:0", " gpu 0 gpu:0 nvidia cuda0 " },
	{ "cuda:all", " all gpus gpu:all " },
	{ "cuda", " gpu nvidia " },
	{ "host", " cpu " },
};

/* Whether the word is in the list; letter case does not count. */
static int is_among(const char *word, size_t length, const char *list)
{
	for (const char *at = list + 1; *at;) {
		size_t end = strcspn(at, " ");

		if (end == length && !strncasecmp(at, word, length))
			return 1;
		at += end + (at[end] == ' ');
	}
	return 0;
}

/* Whether one is the plural of the other: "blocks" is "block" with a slip of the
   finger, whatever else other tools call so. */
static int is_plural(const char *word, size_t length, const char *name)
{
	size_t known = strlen(name), shorter = length < known ? length : known;
	const char *longer = length < known ? name : word;

	return shorter && (length > known ? length - known : known - length) == 1 &&
	       (longer[shorter] == 's' || longer[shorter] == 'S') &&
	       !strncasecmp(word, name, shorter);
}

const char *at_synonym(const char *wrong, const char *const *names, size_t count)
{
	const char *module = strrchr(wrong, '.');
	size_t length;

	/* a module as in "np.float32", but not "0.0" */
	if (module && module > wrong && (module[1] < '0' || module[1] > '9'))
		wrong = module + 1;
	length = strlen(wrong);
	for (size_t k = 0; k < count; k++)
		if (is_plural(wrong, length, names[k]))
			return NULL;
	for (size_t i = 0; length && i < AT_COUNT_OF(synonyms); i++) {
		const char *here = synonyms[i].here;
		size_t name = strcspn(here, "(");

		if (!is_among(wrong, length, synonyms[i].elsewhere))
			continue;
		for (size_t k = 0; k < count; k++)
			if (strlen(names[k]) == name && !strncmp(names[k], here, name))
				return here;
	}
	return NULL;
}
