/*
 * The interface between "autotune capture" and the library that it injects into a
 * program (inject.c): environment variables, and files in a folder.
 *
 *   STARTED           exists if the driver loaded the library
 *   TROUBLE           lines that say why nothing is recorded
 *   KERNELS           the names of the kernels that the program launched, one a line;
 *                     each process adds a name once
 *   launch-PID-N/     a complete recording; "part-..." while it is written:
 *     launch.json     kernel, grid, block, parameters, pointers, blocks of memory
 *     kernel.cubin    the kernel's module
 *     before-I        contents of block I before the launch
 *     after-I         contents after the launch; only if they changed
 *
 * Threads: constants only.
 */
#ifndef AT_CAPTURE_INJECT_H
#define AT_CAPTURE_INJECT_H

/* environment */
#define AT_CAPTURE_FOLDER "AUTOTUNE_CAPTURE_FOLDER"
#define AT_CAPTURE_KERNEL \
	"AUTOTUNE_CAPTURE_KERNEL" /* glob of mangled or plain names \
				   */
#define AT_CAPTURE_SKIP "AUTOTUNE_CAPTURE_SKIP" /* launches of each kernel */
#define AT_CAPTURE_LIMIT "AUTOTUNE_CAPTURE_LIMIT" /* of each kernel; 0: no limit */
#define AT_CAPTURE_BYTES "AUTOTUNE_CAPTURE_BYTES" /* the most of one allocation */
/* paths of libcupti, separated by ":"; the user may have set it */
#define AT_CAPTURE_CUPTI "AUTOTUNE_CUPTI"

/* files */
#define AT_CAPTURE_STARTED "started"
#define AT_CAPTURE_TROUBLE "trouble"
#define AT_CAPTURE_KERNELS "kernels"

/* Room for the name of a kernel or variable; PyTorch's have up to 2,000 characters. */
#define AT_CAPTURE_NAME_BYTES 8192

#endif
