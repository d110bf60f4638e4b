/*
 * Reads the head of a C++ template: what it takes, as in template <int BLOCK, typename
 * T>. Only lexemes are looked at; macros are not expanded.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_TEMPLATE_HEAD_H
#define AT_KERNEL_TEMPLATE_HEAD_H

#include "kernel/scan.h"

/* No kernel has more; of parameters beyond it nothing is known. */
#define AT_TEMPLATE_PARAMETERS_MAX 32

enum at_template_parameter_kind {
	AT_TEMPLATE_OTHER = 0, /* an enumerator, a pointer, a template, ... */
	AT_TEMPLATE_TYPE, /* typename T, class T */
	AT_TEMPLATE_NUMBER, /* int, bool, unsigned, size_t, ... */
};

struct at_template_parameter {
	struct at_lexeme name; /* length 0: it has no name */
	enum at_template_parameter_kind kind;
};

struct at_template_head {
	size_t count;
	size_t required; /* how many have no default */
	/* it takes more than `count`: a pack, or more than there is room for */
	bool is_open;
	struct at_template_parameter parameters[AT_TEMPLATE_PARAMETERS_MAX];
};

/*
 * Reads the head. text: what follows the word "template". False: no head follows, or it
 * does not end.
 */
bool at_template_head_read(const char *text, struct at_template_head *out);

#endif
