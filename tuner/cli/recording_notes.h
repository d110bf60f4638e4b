/*
 * What a person should know of a recording that was read, besides its figures: what was
 * left out of it, and what it was tuned for. One line on stderr each. Threads: one.
 */
#ifndef AT_CLI_RECORDING_NOTES_H
#define AT_CLI_RECORDING_NOTES_H

#include "record/recording.h"

/* operand: the recording's name on the command line. */
void at_note_recording(const char *operand, const struct at_recording *recording);

#endif
