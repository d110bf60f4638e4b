/* The flag of base/interrupt.h. */
#include "base/interrupt.h"

#include <stdatomic.h>

static atomic_bool was_noted;

void at_interrupt_note(void)
{
	atomic_store(&was_noted, true);
}

bool at_interrupt_was_noted(void)
{
	return atomic_load(&was_noted);
}

void at_interrupt_forget(void)
{
	atomic_store(&was_noted, false);
}
