/*
 * Stack switching: in assembler for x86-64 and AArch64, by swapcontext() elsewhere.
 */
#include "device/host/fiber.h"

#include <stdint.h>
#include <string.h>

/* AT_FIBER_PORTABLE selects swapcontext(), which every POSIX system has. */
#if !defined(AT_FIBER_PORTABLE) && !defined(__x86_64__) && !defined(__aarch64__)
#define AT_FIBER_PORTABLE 1
#endif

/* ---- AddressSanitizer needs to know the stack in use ----------------- */

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif

#ifdef WATCHED
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

static _Thread_local struct at_fiber *left_last;

static void announce_switch(
	void **fake_frames, struct at_fiber *from, const struct at_fiber *to)
{
	left_last = from;
	__sanitizer_start_switch_fiber(fake_frames, to->stack, to->stack_bytes);
}

/* An abandoned fiber leaves poisoned memory on its stack. */
static void forget_frames(void *stack, size_t bytes)
{
	__asan_unpoison_memory_region(stack, bytes);
}

/* Also records the stack that was left, if it is a thread's own. */
static void announce_arrival(void *fake_frames)
{
	const void *stack;
	size_t bytes;

	__sanitizer_finish_switch_fiber(fake_frames, &stack, &bytes);
	left_last->stack = (void *)(uintptr_t)stack;
	left_last->stack_bytes = bytes;
}
#else
static void announce_switch(
	void **fake_frames, struct at_fiber *from, const struct at_fiber *to)
{
	(void)fake_frames;
	(void)from;
	(void)to;
}

static void announce_arrival(void *fake_frames)
{
	(void)fake_frames;
}

static void forget_frames(void *stack, size_t bytes)
{
	(void)stack;
	(void)bytes;
}
#endif

static void enter(void (*entry)(void *), void *argument)
{
	announce_arrival(NULL);
	entry(argument);
}

/* ---- the switch ---------------------------------------------------------- */

#ifdef AT_FIBER_PORTABLE
#include <ucontext.h>

static void enter_halves(unsigned high, unsigned low)
{
	void **start = (void **)((uintptr_t)high << 16 << 16 | low);
	void (*entry)(void *);

	memcpy(&entry, &start[0], sizeof(entry));
	enter(entry, start[1]);
}

/* The context lies at the top of the stack; entry and argument lie above it. */
void at_fiber_start(struct at_fiber *self, void *stack, size_t bytes,
	void (*entry)(void *), void *argument)
{
	uintptr_t top =
		((uintptr_t)stack + bytes - 2 * sizeof(void *)) & ~(uintptr_t)63;
	void **start = (void **)top;
	ucontext_t *context = (ucontext_t *)((top - sizeof(*context)) & ~(uintptr_t)63);

	memcpy(&start[0], &entry, sizeof(entry));
	start[1] = argument;
	getcontext(context);
	context->uc_stack.ss_sp = stack;
	context->uc_stack.ss_size = (size_t)((uintptr_t)context - (uintptr_t)stack);
	context->uc_link = NULL;
	/* makecontext passes only integers */
	makecontext(context, (void (*)(void))enter_halves, 2,
		(unsigned)((uintptr_t)start >> 16 >> 16), (unsigned)(uintptr_t)start);
	forget_frames(stack, bytes);
	*self = (struct at_fiber){ context, stack, bytes };
}

static void swap(void **save, void *load)
{
	ucontext_t here;

	*save = &here;
	swapcontext(&here, load);
}
#else
/*
 * Pushes the registers that a function must preserve, stores the stack pointer in
 * *save, loads the other one, and pops. A new fiber has the address of at_fiber_begin
 * as its return address.
 */
void at_fiber_swap(void **save, void *load);
void at_fiber_begin(void);

#if defined(__x86_64__)
enum {
	SAVED_WORDS = 7,
	SAVED_ENTER = 3,
	SAVED_ENTRY = 2,
	SAVED_ARGUMENT = 1,
	SAVED_RETURN = 6
};

__asm__(".text\n"
	".p2align 4\n"
	".globl at_fiber_swap\n"
	".hidden at_fiber_swap\n"
	".type at_fiber_swap, @function\n"
	"at_fiber_swap:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size at_fiber_swap, . - at_fiber_swap\n"
	".p2align 4\n"
	".globl at_fiber_begin\n"
	".hidden at_fiber_begin\n"
	".type at_fiber_begin, @function\n"
	"at_fiber_begin:\n"
	"	movq %r13, %rdi\n"
	"	movq %r14, %rsi\n"
	"	call *%r12\n"
	"	ud2\n"
	".size at_fiber_begin, . - at_fiber_begin\n");
#else
enum {
	SAVED_WORDS = 20,
	SAVED_ENTER = 0,
	SAVED_ENTRY = 1,
	SAVED_ARGUMENT = 2,
	SAVED_RETURN = 11
};

__asm__(".text\n"
	".p2align 4\n"
	".globl at_fiber_swap\n"
	".hidden at_fiber_swap\n"
	".type at_fiber_swap, %function\n"
	"at_fiber_swap:\n"
	"	sub sp, sp, #160\n"
	"	stp x19, x20, [sp, #0]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #160\n"
	"	ret\n"
	".size at_fiber_swap, . - at_fiber_swap\n"
	".p2align 4\n"
	".globl at_fiber_begin\n"
	".hidden at_fiber_begin\n"
	".type at_fiber_begin, %function\n"
	"at_fiber_begin:\n"
	"	mov x0, x20\n"
	"	mov x1, x21\n"
	"	blr x19\n"
	"	brk #0\n"
	".size at_fiber_begin, . - at_fiber_begin\n");
#endif

void at_fiber_start(struct at_fiber *self, void *stack, size_t bytes,
	void (*entry)(void *), void *argument)
{
	uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
	uintptr_t *saved = (uintptr_t *)top - SAVED_WORDS;

	memset(saved, 0, SAVED_WORDS * sizeof(*saved));
	saved[SAVED_ENTER] = (uintptr_t)enter;
	saved[SAVED_ENTRY] = (uintptr_t)entry;
	saved[SAVED_ARGUMENT] = (uintptr_t)argument;
	saved[SAVED_RETURN] = (uintptr_t)at_fiber_begin;
	forget_frames(stack, bytes);
	*self = (struct at_fiber){ saved, stack, bytes };
}

static void swap(void **save, void *load)
{
	at_fiber_swap(save, load);
}
#endif

void at_fiber_forget(void *stack, size_t bytes)
{
	forget_frames(stack, bytes);
}

void at_fiber_switch(struct at_fiber *from, struct at_fiber *to)
{
	void *fake_frames = NULL;

	announce_switch(&fake_frames, from, to);
	swap(&from->stack_pointer, to->stack_pointer);
	announce_arrival(fake_frames);
}
