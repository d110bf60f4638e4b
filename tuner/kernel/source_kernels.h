/*
 * Finds the kernels in a text; private to source*.c.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_SOURCE_KERNELS_H
#define AT_KERNEL_SOURCE_KERNELS_H

#include "kernel/scan.h"

/*
 * Finds the next __global__ function. *name is its name, and *at is moved behind the
 * "(" that follows it. *head points behind the word "template" ahead of it, NULL where
 * it is no template. False when there is none.
 */
bool at_source_next_kernel(const char **at, struct at_lexeme *name, const char **head);

/*
 * Finds the kernel of that C++ name, and the name of its index-th parameter.
 * *parameters points behind the "(", *body behind the "{". False: the text, which may
 * be NULL, shows no such kernel or parameter.
 */
bool at_source_find_body(const char *text, const char *kernel, size_t index,
	struct at_lexeme *parameter, const char **parameters, const char **body);

/* Reads parameters from behind their "(" on, moves *at behind the ")", and tells the
   name of the index-th one; false where there is none. */
bool at_source_find_parameter(const char **at, size_t index, struct at_lexeme *name);

/* A parameter of a function or kernel of the text, and the place behind the "{" of what
   it does. */
struct at_source_place {
	struct at_lexeme parameter;
	const char *body;
};

#define AT_SOURCE_HANDED_MOST 8
/* Finds functions of the text to which a body hands its parameter as it stands, and the
   parameters that it is there; of more than there is room for the first. */
size_t at_source_handed_on(const char *text, struct at_source_place from,
	struct at_source_place out[AT_SOURCE_HANDED_MOST]);

#endif
