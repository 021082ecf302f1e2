// SPDX-License-Identifier: MIT
// Commands as words, without a shell.
#include "link/link_process.h"

typedef struct splitter {
    const char *at;
    char *out; // where bytes go; NULL = they are counted only
    size_t used;
} splitter;

static void put(splitter *s, char c)
{
    if (s->out) {
        s->out[s->used] = c;
    }
    s->used++;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Within "..." a backslash is for these alone.
static bool is_escaped(char c)
{
    return c == '"' || c == '\\' || c == '$' || c == '`';
}

// What stands behind an opening quotation mark; false where it is not closed.
static bool take_quoted(splitter *s, char mark)
{
    for (; *s->at != mark; s->at++) {
        if (*s->at == '\0') {
            return false;
        }
        if (mark == '"' && *s->at == '\\' && s->at[1] == '\n') {
            s->at++;
            continue;
        }
        if (mark == '"' && *s->at == '\\' && is_escaped(s->at[1])) {
            s->at++;
        }
        put(s, *s->at);
    }
    s->at++;
    return true;
}

// One word and its end; false where a quotation mark is not closed.
static bool take_word(splitter *s)
{
    while (*s->at && !is_space(*s->at)) {
        const char c = *s->at++;
        if (c == '\'' || c == '"') {
            if (!take_quoted(s, c)) {
                return false;
            }
        } else if (c == '\\' && *s->at == '\n') {
            s->at++;
        } else if (c == '\\' && *s->at) {
            put(s, *s->at++);
        } else {
            put(s, c);
        }
    }
    put(s, '\0');
    return true;
}

// All words; counts them, and their bytes. Into `words` go where they begin, unless it is NULL.
static bool take_all(splitter *s, char **words, size_t *count)
{
    for (*count = 0;; ++*count) {
        while (is_space(*s->at)) {
            s->at++;
        }
        if (!*s->at) {
            return true;
        }
        if (words) {
            words[*count] = s->out + s->used;
        }
        if (!take_word(s)) {
            return false;
        }
    }
}

// The words, their ends, and a NULL behind the last lie in one block, before which its size stands.
typedef struct block {
    size_t size;
    char *words[];
} block;

oct_result oct_link_words(const char *command, const oct_allocator *allocator, char ***words,
                          size_t *count, oct_error *error)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    splitter s = {command, NULL, 0};
    *words = NULL;
    if (!take_all(&s, NULL, count)) {
        return OCT_REFUSE(error, 0, "a quotation mark is not closed in: %.100s", command);
    }
    if (*count == 0) {
        return OCT_REFUSE(error, 0, "there is no command");
    }
    const size_t size = sizeof(block) + (*count + 1) * sizeof(char *) + s.used;
    block *const b = oct_alloc(&own, size, _Alignof(block));
    if (!b) {
        return OCT_ERROR_MEMORY;
    }
    b->size = size;
    s = (splitter){command, (char *)(b->words + *count + 1), 0};
    (void)take_all(&s, b->words, count);
    b->words[*count] = NULL;
    *words = b->words;
    return OCT_OK;
}

void oct_link_words_free(const oct_allocator *allocator, char **words)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    if (words) {
        block *const b = (block *)(void *)((char *)words - offsetof(block, words));
        oct_free(&own, b, b->size);
    }
}
