// SPDX-License-Identifier: MIT
// Words from outside in reports: names of tests, goals and entities, reasons and notes, which may
// hold any bytes. What is no UTF-8, and what a terminal or XML would stumble over, becomes U+FFFD.
#ifndef OCTANT_WORDS_H
#define OCTANT_WORDS_H

#include "base/sink.h"

// The character at *at, which is not the end, and moves on behind it.
uint32_t oct_words_next(const char **at);

// Whether a character is shown as it is.
bool oct_words_is_plain(uint32_t character);

// As UTF-8 on one line, for people.
void oct_words_plain(sink *out, const char *words);
// Escaped for XML and HTML, in elements and between quotation marks.
void oct_words_markup(sink *out, const char *words);
// As a string of JSON, in quotation marks.
void oct_words_json(sink *out, const char *words);

// As plain, into a buffer; cut between characters where it is too long. Returns `out`.
char *oct_words_copy(const char *words, char *out, size_t size);
// In place: every byte of what is no UTF-8, or what plain would not show as it is, becomes `with`.
void oct_words_defuse(char *words, char with);
// Characters that plain shows.
size_t oct_words_length(const char *words);

// Bytes of the longest word that is compared, and one.
#define OCT_WORDS_DISTANCE_MAX 64
// How many typing mistakes lie between two words: insertions, deletions, changes, swaps of bytes. A
// word that is longer than that counts as all wrong.
size_t oct_words_distance(const char *a, const char *b);
// So many mistakes at most make another word look as if this one was meant.
size_t oct_words_mistakes(const char *word);

// What snprintf makes of numbers and of our own words; at most 511 bytes.
OCT_FORMAT(2, 3) void oct_words_format(sink *out, const char *format, ...);

#endif
