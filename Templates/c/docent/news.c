// Events for the host: collected on any thread, and sent while it listens.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server.h"

// With more events in a process, those of a domain become a resync; the oldest log lines are dropped.
#define MOST_NEWS 4000
#define MOST_LINES 100
#define MOST_LINE_BYTES 4000
#define NEWS_A_MESSAGE 1000

enum kind { CHANGED, DELETED, RESYNC, LOG };

static const char *const names[] = {[CHANGED] = "changed", [DELETED] = "deleted", [RESYNC] = "resync", [LOG] = "log"};

struct news {
    struct news *next;
    enum kind kind;
    struct docent_text domain; // both stored after the struct
    struct docent_text text;   // an identifier, or a line
};

// One for the process, because docent_serve is called once.
static struct {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct news *first;
    struct news **last;
    size_t count, lines;
    unsigned listener; // the current listener
    bool is_open;
} news = {.lock = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER, .last = &news.first};

// MARK: Collecting. All functions are called with the lock.

static void forget(bool (*is_meant)(const struct news *, const struct news *), const struct news *like) {
    news.last = &news.first;
    for (struct news **place = &news.first; *place != NULL;) {
        struct news *one = *place;
        if (is_meant(one, like)) {
            *place = one->next;
            news.count--;
            news.lines -= one->kind == LOG;
            free(one);
        } else {
            place = &one->next;
            news.last = place;
        }
    }
}

static bool is_of_item(const struct news *one, const struct news *like) {
    return (one->kind == CHANGED || one->kind == DELETED) && docent_text_equal(one->domain, like->domain) &&
           docent_text_equal(one->text, like->text);
}

static bool is_of_domain(const struct news *one, const struct news *like) {
    return one->kind != LOG && docent_text_equal(one->domain, like->domain);
}

static bool is_all(const struct news *one, const struct news *like) {
    (void)one;
    (void)like;
    return true;
}

static bool awaits_resync(struct docent_text domain) {
    for (const struct news *one = news.first; one != NULL; one = one->next) {
        if (one->kind == RESYNC && docent_text_equal(one->domain, domain)) {
            return true;
        }
    }
    return false;
}

static void append(enum kind kind, struct docent_text domain, struct docent_text text) {
    struct news *one = malloc(sizeof *one + domain.length + text.length);
    if (one == NULL) {
        return;
    }
    char *bytes = (char *)(one + 1);
    memcpy(bytes, domain.bytes, domain.length);
    if (text.length > 0) {
        memcpy(bytes + domain.length, text.bytes, text.length);
    }
    *one = (struct news){
        .kind = kind,
        .domain = {.bytes = bytes, .length = domain.length},
        .text = {.bytes = bytes + domain.length, .length = text.length}};
    *news.last = one;
    news.last = &one->next;
    news.count++;
    news.lines += kind == LOG;
}

static void add(enum kind kind, struct docent_text domain, struct docent_text text) {
    struct news like = {.domain = domain, .text = text};
    pthread_mutex_lock(&news.lock);
    if (kind == RESYNC) {
        forget(is_of_domain, &like);
    } else if (kind != LOG) {
        forget(is_of_item, &like);
    }
    if (kind == LOG && news.lines >= MOST_LINES) {
        for (struct news *one = news.first; one != NULL; one = one->next) {
            if (one->kind == LOG) {
                // The oldest line is emptied; it then stands for the dropped ones.
                one->text.length = 0;
                break;
            }
        }
    }
    if (kind == RESYNC || kind == LOG || !awaits_resync(domain)) {
        if (kind != RESYNC && kind != LOG && news.count >= MOST_NEWS) {
            forget(is_of_domain, &like);
            kind = RESYNC;
        }
        bool fits = news.is_open && (kind != LOG || news.lines < MOST_LINES) && news.count < 2 * MOST_NEWS;
        if (fits) {
            append(kind, domain, kind == RESYNC ? docent_text_of("") : text);
        }
    }
    pthread_cond_broadcast(&news.arrived);
    pthread_mutex_unlock(&news.lock);
}

void docent_signal_changed(struct docent_text domain, struct docent_text identifier) {
    add(CHANGED, domain, identifier);
}

void docent_signal_deleted(struct docent_text domain, struct docent_text identifier) {
    add(DELETED, domain, identifier);
}

void docent_signal_resync(struct docent_text domain) { add(RESYNC, domain, docent_text_of("")); }

void docent_log(struct docent_text domain, const char *format, ...) {
    char line[MOST_LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0) {
        add(LOG, domain, docent_text_of(line));
    }
}

void news_begin(void) {
    pthread_mutex_lock(&news.lock);
    news.is_open = true;
    pthread_mutex_unlock(&news.lock);
}

void news_end(void) {
    pthread_mutex_lock(&news.lock);
    news.is_open = false;
    forget(is_all, NULL);
    pthread_cond_broadcast(&news.arrived);
    pthread_mutex_unlock(&news.lock);
}

// MARK: Sending

static void add_event(struct buffer *message, const struct news *one, const struct news *until) {
    json_add_text(message, "kind", docent_text_of(names[one->kind]));
    json_add_text(message, "domain", one->domain);
    if (one->kind == LOG) {
        json_add_text(message, "message", one->text);
    }
    json_open(message, "identifiers", '[');
    for (; one != until && (one->kind == CHANGED || one->kind == DELETED); one = one->next) {
        json_add_text(message, NULL, one->text);
    }
    json_close(message, ']');
}

// Sends all events of a list, those of one kind in one message. If that fails, the host has to check everything again.
static bool send_all(struct docent_call *call, const struct news *list) {
    while (list != NULL) {
        const struct news *until = list->next;
        size_t bytes = 0;
        for (int count = 1; until != NULL && count < NEWS_A_MESSAGE && bytes < WIRE_MESSAGE_BYTES / 16; count++) {
            if (until->kind != list->kind || list->kind == LOG || !docent_text_equal(until->domain, list->domain)) {
                break;
            }
            bytes += until->text.length;
            until = until->next;
        }
        struct buffer parameters = {0};
        json_open(&parameters, NULL, '{');
        add_event(&parameters, list, until);
        json_close(&parameters, '}');
        bool is_sent = call_tell(call, &parameters);
        buffer_end(&parameters);
        if (!is_sent) {
            for (; list != NULL; list = list->next) {
                if (list->kind != LOG) {
                    docent_signal_resync(list->domain);
                }
            }
            return false;
        }
        list = until;
    }
    return true;
}

static void free_all(struct news *list) {
    while (list != NULL) {
        struct news *next = list->next;
        free(list);
        list = next;
    }
}

// Waits briefly for events, and takes them.
static struct news *take(unsigned listener, bool *goes_on) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 200000000;
    deadline.tv_sec += deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;
    pthread_mutex_lock(&news.lock);
    if (news.first == NULL && news.listener == listener && news.is_open) {
        pthread_cond_timedwait(&news.arrived, &news.lock, &deadline);
    }
    *goes_on = news.listener == listener && news.is_open;
    struct news *list = *goes_on ? news.first : NULL;
    if (*goes_on) {
        news.first = NULL;
        news.last = &news.first;
        news.count = 0;
        news.lines = 0;
    }
    pthread_mutex_unlock(&news.lock);
    return list;
}

bool events(struct server *server, struct docent_call *call) {
    (void)server;
    if (!call->wants_more) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "Events needs a call with `more`.");
    }
    pthread_mutex_lock(&news.lock);
    unsigned listener = ++news.listener;
    pthread_cond_broadcast(&news.arrived);
    pthread_mutex_unlock(&news.lock);
    for (bool goes_on = true; goes_on;) {
        struct news *list = take(listener, &goes_on);
        bool is_sent = send_all(call, list);
        free_all(list);
        if (!is_sent || docent_is_cancelled(call)) {
            return false;
        }
    }
    return true;
}

void add_last_event(struct docent_call *call, struct buffer *message) {
    (void)call;
    struct news last = {.kind = LOG, .domain = docent_text_of(""), .text = docent_text_of("Another listener took over.")};
    add_event(message, &last, NULL);
}
