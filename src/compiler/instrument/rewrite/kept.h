/* Stores and loads that the program does not have, for the labels that they have: of places that a loop finds
 * and keeps in memory, `if (d < best) { best = d; nearest[i] = j; }`, and of words that are stored under a
 * condition (detours.h). */
#ifndef PARCAST_INSTRUMENT_KEPT_H
#define PARCAST_INSTRUMENT_KEPT_H

#include "compiler/instrument/function/function.h"

/** Let a register say what the word holds behind the loop, as if it had been written there once. */
void kept_words(struct module_state *module, LLVMValueRef function);
/** Is it a constant, a counter of loops, or computed from such alone? */
bool kept_is_place(LLVMValueRef value);
/** Is it a store in the loop that the one behind the loop stands for? */
bool kept_is_hidden(LLVMValueRef store);
/** Let a store leave the label of the word as it is. */
void kept_hides(LLVMContextRef context, LLVMValueRef store);
/** Let the label of a word be taken from another store, which the program does not have, in the place of its
 * own. */
void kept_instead(LLVMContextRef context, LLVMValueRef hidden_store, LLVMValueRef shown_store);
/** It is a load that the program does not have. */
void kept_shows(LLVMContextRef context, LLVMValueRef load);
/** Is it a load or a store that the program does not have? */
bool kept_is_shown(LLVMValueRef access);
/** The choice has the labels of its condition, whatever its alternatives are. */
void kept_asks(LLVMContextRef context, LLVMValueRef choice);
bool kept_is_asked(LLVMValueRef choice);
/** Likewise, and it is stored wherever data say. */
void kept_asks_anywhere(LLVMContextRef context, LLVMValueRef choice);
bool kept_is_asked_anywhere(LLVMValueRef choice);
/** The value is the same as its operand, without its label. */
void kept_bares(LLVMContextRef context, LLVMValueRef value);
bool kept_is_bare(LLVMValueRef value);
/** Take away what the program does not have, once its labels have been written. */
void kept_forget(LLVMValueRef function);

#endif
