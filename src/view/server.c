// SPDX-License-Identifier: MIT
#include "view/server.h"
#include "view/page.h"

#include <libwebsockets.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#define TOKEN_BYTES 16
#define FRAME 65536u // bytes of an answer that are sent at once
#define HOST_MAX 64
#define TICK_US 500000

typedef struct queued {
    struct queued *next;
    oct_array bytes; // LWS_PRE of them are not sent
    size_t sent;
    bool is_text;
} queued;

typedef struct client {
    bool is_open, is_held;
    uint32_t bad;
    size_t waiting; // bytes
    queued *first, *last;
    oct_array question; // bytes
    time_t progress;    // when something was read last
} client;

// Of one request for a file.
typedef struct download {
    const view_file *file;
    size_t sent;
} download;

struct view_server {
    view_server_def def;
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t tick;
    oct_allocator allocator;
    atomic_uint clients;
    int port;
    char token[2 * TOKEN_BYTES + 1];
    char url[VIEW_URL_MAX];
};

static view_server *server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

// ---- who may ask ----

// In a time that does not tell how much of it is right.
static bool is_token(const view_server *s, const char *path)
{
    unsigned char differ = 0;
    if (strlen(path) < sizeof s->token || path[0] != '/') {
        return false;
    }
    for (size_t i = 0; i + 1 < sizeof s->token; i++) {
        differ |= (unsigned char)(path[1 + i] ^ s->token[i]);
    }
    return differ == 0 && path[sizeof s->token] == '/';
}

static bool is_own_host(const view_server *s, const char *host)
{
    char own[HOST_MAX];
    snprintf(own, sizeof own, "127.0.0.1:%d", s->port);
    if (strcmp(host, own) == 0) {
        return true;
    }
    snprintf(own, sizeof own, "localhost:%d", s->port);
    return strcmp(host, own) == 0;
}

// One that is missing or too long is none.
static bool read_header(struct lws *wsi, enum lws_token_indexes which, char *out, int size)
{
    return lws_hdr_copy(wsi, out, size, which) > 0;
}

static bool has_own_host(struct lws *wsi)
{
    char host[HOST_MAX];
    return read_header(wsi, WSI_TOKEN_HOST, host, sizeof host) && is_own_host(server_of(wsi), host);
}

static bool has_own_origin(struct lws *wsi)
{
    static const char scheme[] = "http://";
    char origin[HOST_MAX];
    return read_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) &&
           strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           is_own_host(server_of(wsi), origin + sizeof scheme - 1);
}

static bool may_connect(struct lws *wsi)
{
    char path[VIEW_URL_MAX];
    const view_server *const s = server_of(wsi);
    return read_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) && is_token(s, path) &&
           strcmp(path + sizeof s->token, "/ws") == 0 && has_own_host(wsi) && has_own_origin(wsi) &&
           s->clients < VIEW_CLIENTS_MAX;
}

// ---- files ----

static const view_file *find_file(const view_server *s, const char *path)
{
    if (!is_token(s, path)) {
        return NULL;
    }
    for (size_t i = 0; i < oct_view_file_count; i++) {
        if (strcmp(oct_view_files[i].name, path + sizeof s->token + 1) == 0) {
            return &oct_view_files[i];
        }
    }
    return NULL;
}

static int refuse(struct lws *wsi, unsigned code)
{
    return lws_return_http_status(wsi, code, NULL) || lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int begin_file(struct lws *wsi, download *d, const char *path)
{
    static const struct {
        const char *name, *value;
    } more[] = {
        {"cache-control:", "no-store"},
        {"x-content-type-options:", "nosniff"},
        {"referrer-policy:", "no-referrer"},
        {"cross-origin-opener-policy:", "same-origin"},
        {"cross-origin-resource-policy:", "same-origin"},
        {"content-security-policy:",
         "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
         "data: blob:; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; base-uri 'none'; "
         "form-action 'none'; frame-ancestors 'none'"},
    };
    unsigned char head[LWS_PRE + 2048], *start = head + LWS_PRE, *p = start,
                                        *end = head + sizeof head - 1;
    d->file = has_own_host(wsi) ? find_file(server_of(wsi), path) : NULL;
    d->sent = 0;
    if (!d->file) {
        return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    }
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, d->file->type, d->file->size, &p, end) ||
        lws_add_http_header_by_name(wsi, (const unsigned char *)"content-encoding:",
                                    (const unsigned char *)"gzip", 4, &p, end)) {
        return -1;
    }
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (lws_add_http_header_by_name(wsi, (const unsigned char *)more[i].name,
                                        (const unsigned char *)more[i].value,
                                        (int)strlen(more[i].value), &p, end)) {
            return -1;
        }
    }
    if (lws_finalize_write_http_header(wsi, start, &p, end)) {
        return -1;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_file(struct lws *wsi, download *d)
{
    unsigned char buffer[LWS_PRE + 16384];
    if (!d->file) {
        return 0;
    }
    const size_t left = d->file->size - d->sent;
    const size_t size = left < sizeof buffer - LWS_PRE ? left : sizeof buffer - LWS_PRE;
    const bool is_last = size == left;
    memcpy(buffer + LWS_PRE, d->file->data + d->sent, size);
    if (lws_write(wsi, buffer + LWS_PRE, size, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
        (int)size) {
        return -1;
    }
    d->sent += size;
    if (!is_last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return begin_file(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_file(wsi, user);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1; // a WebSocket without our protocol
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, size);
    }
}

// ---- questions and answers ----

static void free_first(const view_server *s, client *c)
{
    queued *const first = c->first;
    c->first = first->next;
    c->last = c->first ? c->last : NULL;
    c->waiting -= first->bytes.count;
    oct_array_free(&first->bytes, &s->allocator, 1);
    oct_free(&s->allocator, first, sizeof *first);
}

static bool enqueue(const view_server *s, client *c, const view_answer *answer)
{
    static const uint8_t before[LWS_PRE];
    queued *const q = oct_alloc(&s->allocator, sizeof *q, _Alignof(queued));
    if (!q) {
        return false;
    }
    *q = (queued){.sent = LWS_PRE, .is_text = answer->is_text};
    if (oct_array_reserve(&q->bytes, &s->allocator, 1, LWS_PRE + answer->bytes.count) != OCT_OK) {
        oct_free(&s->allocator, q, sizeof *q);
        return false;
    }
    memcpy(q->bytes.items, before, LWS_PRE);
    if (answer->bytes.count > 0) {
        memcpy((uint8_t *)q->bytes.items + LWS_PRE, answer->bytes.items, answer->bytes.count);
    }
    q->bytes.count = LWS_PRE + answer->bytes.count;
    if (!c->first) {
        c->progress = time(NULL);
    }
    c->waiting += q->bytes.count;
    *(c->last ? &c->last->next : &c->first) = q;
    c->last = q;
    return true;
}

// Asks no more until what waits is read.
static void hold(struct lws *wsi, client *c)
{
    const bool holds = c->waiting > VIEW_QUEUE_MAX / 2;
    if (holds != c->is_held) {
        (void)lws_rx_flow_control(wsi, holds ? 0 : 1);
        c->is_held = holds;
    }
}

static int answer(struct lws *wsi, client *c)
{
    view_server *const s = server_of(wsi);
    view_answer out = {.is_text = true};
    const uint8_t zero = 0;
    bool is_kept = oct_array_push(&c->question, &s->allocator, 1, &zero) == OCT_OK;
    if (is_kept) {
        const bool good = s->def.answer(s->def.ctx, c->question.items, c->question.count - 1, &out);
        c->bad += !good;
        is_kept = enqueue(s, c, &out);
    }
    c->question.count = 0;
    oct_array_free(&out.bytes, &s->allocator, 1);
    if (!is_kept || c->bad >= VIEW_BAD_MAX || c->waiting > VIEW_QUEUE_MAX) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, NULL, 0);
        return -1;
    }
    hold(wsi, c);
    lws_callback_on_writable(wsi);
    return 0;
}

static int receive(struct lws *wsi, client *c, const void *in, size_t size)
{
    const view_server *const s = server_of(wsi);
    if (lws_frame_is_binary(wsi) || c->question.count + size > VIEW_QUESTION_MAX ||
        oct_array_reserve(&c->question, &s->allocator, 1, c->question.count + size + 1) != OCT_OK) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    memcpy((uint8_t *)c->question.items + c->question.count, in, size);
    c->question.count += size;
    return lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0 ? answer(wsi, c)
                                                                                : 0;
}

static int send_some(struct lws *wsi, client *c)
{
    const view_server *const s = server_of(wsi);
    queued *const q = c->first;
    if (!q) {
        return 0;
    }
    const size_t left = q->bytes.count - q->sent, size = left < FRAME ? left : FRAME;
    const int flags = lws_write_ws_flags(q->is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY,
                                         q->sent == LWS_PRE, size == left);
    // What is before it was sent, and may be written over.
    if (lws_write(wsi, (unsigned char *)q->bytes.items + q->sent, size,
                  (enum lws_write_protocol)flags) < (int)size) {
        return -1;
    }
    q->sent += size;
    c->progress = time(NULL);
    if (q->sent == q->bytes.count) {
        free_first(s, c);
        hold(wsi, c);
    }
    if (c->first) {
        lws_callback_on_writable(wsi);
    }
    return 0;
}

static void leave(struct lws *wsi, client *c)
{
    view_server *const s = server_of(wsi);
    if (!c || !c->is_open) {
        return;
    }
    while (c->first) {
        free_first(s, c);
    }
    oct_array_free(&c->question, &s->allocator, 1);
    c->is_open = false;
    s->clients--;
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size)
{
    client *const c = user;
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return may_connect(wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        *c = (client){.is_open = true, .progress = time(NULL)};
        server_of(wsi)->clients++;
        lws_set_timer_usecs(wsi, LWS_USEC_PER_SEC);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return receive(wsi, c, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return send_some(wsi, c);
    case LWS_CALLBACK_TIMER:
        lws_set_timer_usecs(wsi, LWS_USEC_PER_SEC);
        return c->first && time(NULL) - c->progress > VIEW_PATIENCE_S ? -1 : 0;
    case LWS_CALLBACK_CLOSED:
        leave(wsi, c);
        return 0;
    default:
        return 0;
    }
}

// ---- life ----

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_http, .per_session_data_size = sizeof(download)},
    {.name = "octant",
     .callback = on_socket,
     .per_session_data_size = sizeof(client),
     .rx_buffer_size = FRAME},
    {.name = NULL},
};

static bool make_token(view_server *s)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        s->token[2 * i] = digits[bytes[i] >> 4];
        s->token[2 * i + 1] = digits[bytes[i] & 15];
    }
    return true;
}

// A signal may come just before it waits: so it never waits for long.
static void on_tick(lws_sorted_usec_list_t *list)
{
    view_server *const s = lws_container_of(list, view_server, tick);
    lws_sul_schedule(s->context, 0, &s->tick, on_tick, TICK_US);
}

static const char *listen_at(view_server *s)
{
    struct lws_context_creation_info info = {
        .port = (int)s->def.port,
        .iface = "127.0.0.1",
        .protocols = protocols,
        .gid = -1,
        .uid = -1,
        .user = s,
        .server_string = "octant",
        .timeout_secs = 10,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
    };
    s->context = lws_create_context(&info);
    if (!s->context) {
        return "the server cannot be made";
    }
    s->vhost = lws_create_vhost(s->context, &info);
    s->port = s->vhost ? lws_get_vhost_listen_port(s->vhost) : 0;
    if (s->port <= 0) {
        return "that port cannot be had";
    }
    snprintf(s->url, sizeof s->url, "http://127.0.0.1:%d/%s/", s->port, s->token);
    lws_sul_schedule(s->context, 0, &s->tick, on_tick, TICK_US);
    return NULL;
}

view_server *oct_view_server_create(const view_server_def *def, const char **why)
{
    const oct_allocator allocator = oct_allocator_default();
    view_server *const s = oct_alloc(&allocator, sizeof *s, _Alignof(view_server));
    *why = "memory is short";
    if (!s) {
        return NULL;
    }
    *s = (view_server){.def = *def, .allocator = allocator};
    lws_set_log_level(0, NULL);
    *why = make_token(s) ? listen_at(s) : "the system has no random numbers";
    if (*why) {
        oct_view_server_destroy(s);
        return NULL;
    }
    return s;
}

void oct_view_server_destroy(view_server *s)
{
    if (s) {
        if (s->context) {
            lws_context_destroy(s->context);
        }
        const oct_allocator allocator = s->allocator;
        oct_free(&allocator, s, sizeof *s);
    }
}

const char *oct_view_server_url(const view_server *s)
{
    return s->url;
}

uint32_t oct_view_server_clients(const view_server *s)
{
    return s->clients;
}

void oct_view_server_serve(view_server *s)
{
    (void)lws_service(s->context, 0);
}

void oct_view_server_wake(view_server *s)
{
    lws_cancel_service(s->context);
}
