/*
 * The hardware counters that explain a kernel's time: one list, by NVIDIA's names. A
 * launch has one value of each, NAN if the device lacks the counter.
 *
 * Must not know: how counters are read, or what their values mean. Threads: constants.
 */
#ifndef AT_DEVICE_COUNTERS_H
#define AT_DEVICE_COUNTERS_H

/*
 * X(symbol, name, other name). The other name is that of newer architectures (GB202);
 * "": none. All of them take few passes: a throughput metric of a whole unit alone
 * would take eight.
 */
/* clang-format off */
#define AT_COUNTERS(X) \
	X(TIME, "gpu__time_duration.sum", "") \
	X(DRAM_SHARE, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "") \
	X(DRAM_READ, "dram__bytes_read.sum", "dram__bytes_op_read.sum") \
	X(DRAM_WRITE, "dram__bytes_write.sum", "dram__bytes_op_write.sum") \
	X(L2_READ, "lts__t_sectors_op_read.sum", "") \
	X(L2_WRITE, "lts__t_sectors_op_write.sum", "") \
	X(LOAD_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "") \
	X(LOAD_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "") \
	X(STORE_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "") \
	X(STORE_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "") \
	X(LOAD_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "") \
	X(STORE_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "") \
	X(SHARED_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "") \
	X(SHARED_LOADS, "smsp__inst_executed_op_shared_ld.sum", "") \
	X(LOCAL_LOADS, "smsp__inst_executed_op_local_ld.sum", "") \
	X(INSTRUCTIONS, "smsp__inst_executed.sum", "") \
	X(ISSUE_SHARE, "smsp__issue_active.avg.pct_of_peak_sustained_active", "") \
	X(WARPS_SHARE, "sm__warps_active.avg.pct_of_peak_sustained_active", "") \
	X(FMA_SHARE, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "") \
	X(TENSOR_SHARE, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "") \
	X(LATENCY, "smsp__average_warp_latency_per_inst_issued.ratio", "") \
	X(STALL_LONG_SCOREBOARD, AT_COUNTER_STALL("long_scoreboard"), "") \
	X(STALL_SHORT_SCOREBOARD, AT_COUNTER_STALL("short_scoreboard"), "") \
	X(STALL_MIO_THROTTLE, AT_COUNTER_STALL("mio_throttle"), "") \
	X(STALL_LG_THROTTLE, AT_COUNTER_STALL("lg_throttle"), "") \
	X(STALL_BARRIER, AT_COUNTER_STALL("barrier"), "") \
	X(STALL_MATH_PIPE_THROTTLE, AT_COUNTER_STALL("math_pipe_throttle"), "")
/* clang-format on */
/* the average number of warps that wait for this reason per issued instruction */
#define AT_COUNTER_STALL(reason) \
	"smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio"

enum at_counter {
#define AT_COUNTER_ENUM(symbol, name, other) AT_COUNTER_##symbol,
	AT_COUNTERS(AT_COUNTER_ENUM)
#undef AT_COUNTER_ENUM
		AT_COUNTER_COUNT
};

/* Its name, and the other name, which may be "". */
const char *at_counter_name(enum at_counter counter);
const char *at_counter_other_name(enum at_counter counter);

#endif
