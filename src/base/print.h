// SPDX-License-Identifier: MIT
// Formatting that no locale changes. A program that embeds the library may have called setlocale;
// numbers in reasons, reports and errors have a point all the same.
#ifndef OCTANT_PRINT_H
#define OCTANT_PRINT_H

#include "octant/base.h"

#include <stdarg.h>
#include <stddef.h>

// As snprintf and vsnprintf. Neither "%n" nor long doubles and wide characters are known; a number
// with a point is cut after 399 bytes.
int oct_snprintf(char *out, size_t size, const char *format, ...) OCT_FORMAT(3, 4);
int oct_vsnprintf(char *out, size_t size, const char *format, va_list values) OCT_FORMAT(3, 0);

#endif
