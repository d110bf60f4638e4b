/*
 * What a template of C++ takes, as its head says it: template <int BLOCK, typename T>.
 * Lexical: macros are not expanded. Threads: pure.
 */
#ifndef AT_KERNEL_TEMPLATE_HEAD_H
#define AT_KERNEL_TEMPLATE_HEAD_H

#include "kernel/scan.h"

/* No kernel has more; of the others nothing is known. */
#define AT_TEMPLATE_PARAMETERS_MAX 32

enum at_template_parameter_kind {
	AT_TEMPLATE_OTHER = 0, /* an enumerator, a pointer, a template, ... */
	AT_TEMPLATE_TYPE, /* typename T, class T */
	AT_TEMPLATE_NUMBER, /* int, bool, unsigned, size_t, ... */
};

struct at_template_parameter {
	struct at_lexeme name; /* length 0: it has none */
	enum at_template_parameter_kind kind;
};

struct at_template_head {
	size_t count;
	size_t required; /* without those that have a default */
	bool is_open; /* it takes more: a pack, or more than there is room for */
	struct at_template_parameter parameters[AT_TEMPLATE_PARAMETERS_MAX];
};

/* text: behind the word "template". False: no head follows, or it has no end. */
bool at_template_head_read(const char *text, struct at_template_head *out);

#endif
