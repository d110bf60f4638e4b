/*
 * What C++'s mangled names tell (Itanium C++ ABI, 5.1): the types of a kernel's
 * parameters, those of instances of templates included, and the name and namespace of
 * a variable. The compilers that make cubins tell types nowhere else.
 *
 * Kernels are refused because of what is reported here, so a name that is not
 * understood tells nothing: neither do names without types (extern "C"), nor types
 * that a template computes from its arguments.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_MANGLED_H
#define AT_KERNEL_MANGLED_H

#include "kernel/compile.h"

/*
 * Completes facts->parameters by the types in facts->symbol: whether eight bytes are a
 * pointer or an integer, whether what it points to is const, and which numbers those
 * are. Facts without parameters, and with as many others as the name has, stay as they
 * are.
 */
void at_mangled_read_parameters(struct at_kernel_facts *facts);

/* How well a symbol fits the name of a variable. */
enum at_mangled_fit {
	AT_MANGLED_OTHER = 0,
	AT_MANGLED_INNER, /* "weights" for blur::weights */
	AT_MANGLED_WHOLE, /* "blur::weights"; namespaces without a name do not count */
};

/* Compares the symbol of a variable with its name, as "weights" or "blur::weights". */
enum at_mangled_fit at_mangled_compare(const char *symbol, const char *name);

#endif
