// SPDX-License-Identifier: MIT
// Messages between agents.
//
// A message is one letter, however many get it: it is freed when the last has taken it and asked
// for something else. Room in all boxes is made first: so a message reaches all or nobody.
#include "octant/message.h"
#include "agent/message_internal.h"
#include "base/base_internal.h"

#define BOX_MIN 8u

typedef struct letter {
    size_t size;
    uint32_t holders; // boxes that it is in, or was taken from last
    uint64_t tick;
    double number;
    size_t topic, text; // where they begin in the strings
    char strings[];     // from, topic, text
} letter;

// A ring: the oldest is at `first`.
typedef struct letter_box {
    letter **letters;
    uint32_t capacity; // a power of two, or 0
    uint32_t first, count;
    letter *taken; // what came out last
} letter_box;

typedef struct member {
    uint32_t box; // members stand in the order of these
    uint64_t name_hash, role_hash;
    char *name; // and behind its end the role
    size_t name_size, role_size;
    letter_box letters;
} member;

struct oct_post {
    oct_allocator allocator;
    oct_array members;
    uint32_t boxes; // given out so far
};

static member *members_of(const oct_post *post)
{
    return post->members.items;
}

// ---- letters ----

static letter *make_letter(const oct_post *post, const oct_message *message)
{
    const size_t from = strlen(message->from) + 1, topic = strlen(message->topic) + 1;
    const size_t text = strlen(message->text) + 1;
    const size_t size = sizeof(letter) + from + topic + text;
    letter *const made = oct_alloc(&post->allocator, size, _Alignof(letter));
    if (!made) {
        return NULL;
    }
    *made = (letter){.size = size,
                     .tick = message->tick,
                     .number = message->number,
                     .topic = from,
                     .text = from + topic};
    memcpy(made->strings, message->from, from);
    memcpy(made->strings + from, message->topic, topic);
    memcpy(made->strings + from + topic, message->text, text);
    return made;
}

static void let_go(const oct_post *post, letter *held)
{
    if (held && --held->holders == 0) {
        oct_free(&post->allocator, held, held->size);
    }
}

static oct_message read_letter(const letter *held)
{
    return (oct_message){.from = held->strings,
                         .topic = held->strings + held->topic,
                         .text = held->strings + held->text,
                         .number = held->number,
                         .tick = held->tick};
}

// ---- boxes ----

static letter **box_at(const letter_box *box, uint32_t n)
{
    return &box->letters[(box->first + n) & (box->capacity - 1u)];
}

static oct_result box_reserve(const oct_post *post, letter_box *box)
{
    if (box->count < box->capacity) {
        return OCT_OK;
    }
    const uint32_t capacity = box->capacity ? 2 * box->capacity : BOX_MIN;
    letter **const letters =
        oct_alloc(&post->allocator, capacity * sizeof *letters, _Alignof(letter *));
    if (!letters) {
        return OCT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < box->count; i++) {
        letters[i] = *box_at(box, i);
    }
    oct_free(&post->allocator, box->letters, box->capacity * sizeof *letters);
    box->letters = letters;
    box->capacity = capacity;
    box->first = 0;
    return OCT_OK;
}

// Takes out the n-th; those before it move up.
static letter *box_remove(letter_box *box, uint32_t n)
{
    letter *const removed = *box_at(box, n);
    for (; n > 0; n--) {
        *box_at(box, n) = *box_at(box, n - 1);
    }
    box->first = (box->first + 1) & (box->capacity - 1u);
    box->count--;
    return removed;
}

static void box_free(const oct_post *post, letter_box *box)
{
    let_go(post, box->taken);
    for (uint32_t i = 0; i < box->count; i++) {
        let_go(post, *box_at(box, i));
    }
    oct_free(&post->allocator, box->letters, box->capacity * sizeof *box->letters);
}

// ---- members ----

oct_result oct_post_create(const oct_post_def *def, oct_post **out)
{
    if (!out) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def ? def->allocator : NULL);
    *out = oct_alloc(&allocator, sizeof **out, _Alignof(oct_post));
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    **out = (oct_post){.allocator = allocator};
    return OCT_OK;
}

static void member_free(const oct_post *post, member *m)
{
    box_free(post, &m->letters);
    oct_free(&post->allocator, m->name, m->name_size + m->role_size);
}

void oct_post_destroy(oct_post *post)
{
    if (!post) {
        return;
    }
    for (size_t i = 0; i < post->members.count; i++) {
        member_free(post, &members_of(post)[i]);
    }
    const oct_allocator allocator = post->allocator;
    oct_array_free(&post->members, &allocator, sizeof(member));
    oct_free(&allocator, post, sizeof *post);
}

static bool has_name(const member *m, const char *name, uint64_t hash)
{
    return m->name_hash == hash && strcmp(m->name, name) == 0;
}

static bool has_role(const member *m, const char *role, uint64_t hash)
{
    return m->role_hash == hash && strcmp(m->name + m->name_size, role) == 0;
}

static member *find_name(const oct_post *post, const char *name)
{
    const uint64_t hash = oct_hash_bytes(name, strlen(name));
    for (size_t i = 0; i < post->members.count; i++) {
        if (has_name(&members_of(post)[i], name, hash)) {
            return &members_of(post)[i];
        }
    }
    return NULL;
}

static member *find_box(const oct_post *post, uint32_t box)
{
    size_t lo = 0, hi = post->members.count;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (members_of(post)[middle].box < box) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < post->members.count && members_of(post)[lo].box == box ? &members_of(post)[lo]
                                                                       : NULL;
}

static bool is_too_long(const char *string)
{
    return strlen(string) > OCT_POST_TEXT_MAX;
}

oct_result oct_post_join(oct_post *post, const char *name, const char *role, uint32_t *box)
{
    if (!post || !name || !role || !box) {
        return OCT_ERROR_ARGUMENT;
    }
    if (is_too_long(name) || is_too_long(role)) {
        return OCT_ERROR_RANGE;
    }
    if (find_name(post, name)) {
        return OCT_ERROR_EXISTS;
    }
    if (post->members.count == OCT_POST_MEMBERS_MAX || post->boxes == UINT32_MAX) {
        return OCT_ERROR_RANGE;
    }
    member m = {.box = post->boxes,
                .name_size = strlen(name) + 1,
                .role_size = strlen(role) + 1,
                .name_hash = oct_hash_bytes(name, strlen(name)),
                .role_hash = oct_hash_bytes(role, strlen(role))};
    m.name = oct_alloc(&post->allocator, m.name_size + m.role_size, 1);
    if (!m.name) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(m.name, name, m.name_size);
    memcpy(m.name + m.name_size, role, m.role_size);
    const oct_result result = oct_array_push(&post->members, &post->allocator, sizeof m, &m);
    if (result != OCT_OK) {
        member_free(post, &m);
        return result;
    }
    *box = post->boxes++;
    return OCT_OK;
}

oct_result oct_post_leave(oct_post *post, uint32_t box)
{
    member *const m = post ? find_box(post, box) : NULL;
    if (!m) {
        return post ? OCT_ERROR_ABSENT : OCT_ERROR_ARGUMENT;
    }
    member_free(post, m);
    const size_t after = post->members.count - (size_t)(m - members_of(post)) - 1;
    memmove(m, m + 1, after * sizeof *m);
    post->members.count--;
    return OCT_OK;
}

// ---- sending ----

// Who gets a message: of some members all but the sender; where a role is said, those that have it.
typedef struct receivers {
    const member *sender;
    member *first, *end;
    const char *role;
    uint64_t role_hash;
} receivers;

static bool gets(const receivers *to, const member *m)
{
    return m != to->sender && (!to->role || has_role(m, to->role, to->role_hash));
}

static oct_result check_message(const oct_post *post, const oct_message *message, receivers *to)
{
    if (!post || !message || !message->from || !message->topic || !message->text) {
        return OCT_ERROR_ARGUMENT;
    }
    if (is_too_long(message->topic) || is_too_long(message->text)) {
        return OCT_ERROR_RANGE;
    }
    *to = (receivers){.sender = find_name(post, message->from)};
    if (!to->sender) {
        return OCT_ERROR_ABSENT;
    }
    to->first = members_of(post);
    to->end = to->first + post->members.count;
    return OCT_OK;
}

static oct_result deliver(const oct_post *post, const receivers *to, const oct_message *message)
{
    uint32_t count = 0;
    for (const member *m = to->first; m < to->end; m++) {
        if (gets(to, m)) {
            count++;
            if (m->letters.count == OCT_POST_WAITING_MAX) {
                return OCT_ERROR_RANGE;
            }
        }
    }
    if (count == 0) {
        return OCT_OK;
    }
    for (member *m = to->first; m < to->end; m++) {
        if (gets(to, m)) {
            OCT_TRY(box_reserve(post, &m->letters));
        }
    }
    letter *const sent = make_letter(post, message);
    if (!sent) {
        return OCT_ERROR_MEMORY;
    }
    sent->holders = count;
    for (member *m = to->first; m < to->end; m++) {
        if (gets(to, m)) {
            *box_at(&m->letters, m->letters.count) = sent;
            m->letters.count++;
        }
    }
    return OCT_OK;
}

oct_result oct_post_send(oct_post *post, const char *to, const oct_message *message)
{
    receivers all;
    OCT_TRY(check_message(post, message, &all));
    if (!to) {
        return OCT_ERROR_ARGUMENT;
    }
    all.first = find_name(post, to);
    if (!all.first) {
        return OCT_ERROR_ABSENT;
    }
    all.end = all.first + 1;
    return all.first == all.sender ? OCT_ERROR_ARGUMENT : deliver(post, &all, message);
}

oct_result oct_post_send_role(oct_post *post, const char *role, const oct_message *message)
{
    receivers all;
    OCT_TRY(check_message(post, message, &all));
    if (!role) {
        return OCT_ERROR_ARGUMENT;
    }
    all.role = role;
    all.role_hash = oct_hash_bytes(role, strlen(role));
    return deliver(post, &all, message);
}

oct_result oct_post_send_all(oct_post *post, const oct_message *message)
{
    receivers all;
    OCT_TRY(check_message(post, message, &all));
    return deliver(post, &all, message);
}

// ---- receiving ----

size_t oct_post_waiting(const oct_post *post, uint32_t box)
{
    const member *const m = post ? find_box(post, box) : NULL;
    return m ? m->letters.count : 0;
}

bool oct_post_peek(const oct_post *post, uint32_t box, size_t n, oct_message *out)
{
    if (n >= oct_post_waiting(post, box)) {
        return false;
    }
    *out = read_letter(*box_at(&find_box(post, box)->letters, (uint32_t)n));
    return true;
}

bool oct_post_take(oct_post *post, uint32_t box, const char *topic, oct_message *out)
{
    member *const m = post ? find_box(post, box) : NULL;
    if (!m) {
        return false;
    }
    letter_box *const from = &m->letters;
    for (uint32_t n = 0; n < from->count; n++) {
        const letter *const waiting = *box_at(from, n);
        if (!topic || strcmp(waiting->strings + waiting->topic, topic) == 0) {
            // The topic may be of what was taken before.
            let_go(post, from->taken);
            from->taken = box_remove(from, n);
            *out = read_letter(from->taken);
            return true;
        }
    }
    return false;
}
