// Questions that a provider asks the person who signs in, and answers that arrive on other connections.
#include "signin.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct docent_text nothing = {.bytes = NULL, .length = 0};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// MARK: Steps

static bool begin_step(struct docent_call *call, struct buffer *parameters, const char *kind) {
    if (call->attempt == NULL) {
        return docent_fail(call, DOCENT_FAILED, "The provider asks a question outside a sign-in.");
    }
    if (!call->wants_more) {
        return docent_fail(
            call, DOCENT_INVALID_ARGUMENT, "This form has several steps, but the caller accepts only one reply.");
    }
    json_open(parameters, NULL, '{');
    json_open(parameters, "step", '{');
    json_add_text(parameters, "kind", docent_text_of(kind));
    return true;
}

static bool end_step(struct docent_call *call, struct buffer *parameters) {
    json_close(parameters, '}');
    json_close(parameters, '}');
    bool is_told = call_tell(call, parameters);
    buffer_end(parameters);
    return is_told;
}

bool docent_show_message(struct docent_call *call, const char *text) {
    struct buffer parameters = {0};
    if (call->attempt != NULL && !call->wants_more) {
        return true;
    }
    if (!begin_step(call, &parameters, "message")) {
        return false;
    }
    json_add_text(&parameters, "message", docent_text_of(text));
    return end_step(call, &parameters);
}

bool docent_show_code(struct docent_call *call, const char *code, const char *url, int64_t expires) {
    struct buffer parameters = {0};
    if (!begin_step(call, &parameters, "code")) {
        return false;
    }
    json_add_text(&parameters, "userCode", docent_text_of(code));
    json_add_text(&parameters, "url", docent_text_of(url));
    if (expires != 0) {
        json_add_seconds(&parameters, "expires", expires);
    }
    return end_step(call, &parameters);
}

struct docent_text docent_redirect(struct docent_call *call) {
    return call->attempt != NULL ? call->attempt->redirect : nothing;
}

bool docent_open(struct docent_call *call, const char *url) {
    struct buffer parameters = {0};
    if (!begin_step(call, &parameters, "open")) {
        return false;
    }
    json_add_text(&parameters, "url", docent_text_of(url));
    return end_step(call, &parameters);
}

// MARK: Waiting

// Waits, with the lock, until `is_there` is true; false when the time is over or the caller has gone.
static bool await(
    struct docent_call *call, int seconds, bool (*is_there)(const struct attempt *attempt)) {
    struct server *server = call->server;
    int64_t end = now() + (int64_t)seconds * 1000;
    while (!is_there(call->attempt)) {
        pthread_mutex_unlock(&server->lock);
        bool is_cancelled = docent_is_cancelled(call);
        pthread_mutex_lock(&server->lock);
        if (is_cancelled || server->is_closing || now() >= end) {
            call->is_cancelled = is_cancelled || server->is_closing;
            return is_there(call->attempt);
        }
        // In short intervals: nothing wakes it when the host closes the connection.
        int64_t next = now() + 100;
        struct timespec deadline = {.tv_sec = next / 1000, .tv_nsec = next % 1000 * 1000000};
        pthread_cond_timedwait(&server->answered, &server->lock, &deadline);
    }
    return true;
}

static bool is_answered(const struct attempt *attempt) { return attempt->is_answered; }

static bool has_come_back(const struct attempt *attempt) { return attempt->url != NULL; }

// Opens a question and returns its number; 0: there were too many.
static int64_t open_question(struct docent_call *call, const struct docent_field *question) {
    struct attempt *attempt = call->attempt;
    int64_t number = 0;
    pthread_mutex_lock(&call->server->lock);
    if (attempt->question < MOST_QUESTIONS) {
        number = ++attempt->question;
        attempt->field = question;
        attempt->is_answered = false;
    }
    pthread_mutex_unlock(&call->server->lock);
    return number;
}

// Waits for the answer, and takes it. NULL: there is none.
static const char *take_answer(struct docent_call *call, int seconds, size_t *length, bool *is_in_time) {
    struct attempt *attempt = call->attempt;
    pthread_mutex_lock(&call->server->lock);
    *is_in_time = await(call, seconds, is_answered);
    attempt->field = NULL;
    char *answer = attempt->answer;
    *length = attempt->answer_length;
    attempt->answer = NULL;
    pthread_mutex_unlock(&call->server->lock);
    if (answer == NULL) {
        return NULL;
    }
    struct docent_text kept = call_keep(call, (struct docent_text){.bytes = answer, .length = *length});
    explicit_bzero(answer, *length);
    free(answer);
    return kept.bytes;
}

bool docent_ask(struct docent_call *call, const struct docent_field *question, int seconds, struct docent_text *answer) {
    struct buffer parameters = {0};
    struct attempt *attempt = call->attempt;
    int patience = seconds < 900 ? seconds : 900;
    if (attempt != NULL && !attempt->answers_questions) {
        return docent_fail(
            call, DOCENT_NOT_AUTHENTICATED, "No person can be asked for \"%s\".", question->label);
    }
    if (!begin_step(call, &parameters, "question")) {
        return false;
    }
    int64_t number = open_question(call, question);
    if (number == 0) {
        buffer_end(&parameters);
        return docent_fail(call, DOCENT_FAILED, "At most %d questions can be asked during a sign-in.", MOST_QUESTIONS);
    }
    json_add_integer(&parameters, "number", number);
    json_add_seconds(&parameters, "expires", now() + (int64_t)patience * 1000);
    field_add(&parameters, "question", question);
    bool is_told = end_step(call, &parameters);
    size_t length = 0;
    bool is_in_time = false;
    const char *text = take_answer(call, is_told ? patience : 0, &length, &is_in_time);
    if (call->is_cancelled) {
        return false;
    }
    if (text == NULL) {
        return docent_fail(
            call, DOCENT_NOT_AUTHENTICATED, "\"%s\" was not answered%s.", question->label, is_in_time ? "" : " in time");
    }
    *answer = field_normalize(call, question, (struct docent_text){.bytes = text, .length = length});
    return true;
}

bool docent_await_browser(struct docent_call *call, int seconds, struct docent_text *url) {
    if (call->attempt == NULL) {
        return docent_fail(call, DOCENT_FAILED, "The provider waits for a browser outside a sign-in.");
    }
    pthread_mutex_lock(&call->server->lock);
    bool is_back = await(call, seconds, has_come_back);
    char *address = call->attempt->url;
    call->attempt->url = NULL;
    pthread_mutex_unlock(&call->server->lock);
    if (is_back) {
        *url = call_keep(call, docent_text_of(address));
        explicit_bzero(address, strlen(address));
    }
    free(address);
    if (!is_back && !call->is_cancelled) {
        return docent_fail(call, DOCENT_NOT_AUTHENTICATED, "The browser was not redirected in time. Sign in again.");
    }
    return is_back;
}

// MARK: Answers

static struct attempt *find_attempt(struct server *server, struct docent_text name) {
    struct attempt *attempt = server->attempts;
    while (attempt != NULL && !docent_text_equal(attempt->name, name)) {
        attempt = attempt->next;
    }
    return attempt;
}

static char *copy_of(struct docent_text text) {
    char *copy = malloc(text.length + 1);
    if (copy != NULL) {
        memcpy(copy, text.bytes, text.length);
        copy[text.length] = 0;
    }
    return copy;
}

// With the lock.
static bool take_for(
    struct docent_call *call, struct attempt *attempt, int64_t number, const struct docent_text *answer) {
    if (attempt == NULL || attempt->field == NULL || attempt->question != number || attempt->is_answered) {
        return docent_fail(call, DOCENT_NO_SUCH_ITEM, "This question does not wait for an answer.");
    }
    if (answer != NULL) {
        if (answer->length == 0 && !attempt->field->is_optional) {
            return docent_fail(call, DOCENT_INVALID_ARGUMENT, "%s is missing.", attempt->field->label);
        }
        if (answer->length > 0 && !field_takes(call, attempt->field, *answer)) {
            return false;
        }
        attempt->answer = copy_of(*answer);
        attempt->answer_length = answer->length;
    }
    attempt->is_answered = true;
    pthread_cond_broadcast(&call->server->answered);
    return true;
}

bool answer_question(struct server *server, struct docent_call *call) {
    struct docent_text name, answer = nothing;
    int64_t number;
    if (!call_text(call, "attempt", true, &name) || !call_integer(call, "number", true, &number) ||
        !call_text(call, "answer", false, &answer)) {
        return false;
    }
    pthread_mutex_lock(&server->lock);
    bool is_taken = take_for(call, find_attempt(server, name), number, answer.bytes != NULL ? &answer : NULL);
    pthread_mutex_unlock(&server->lock);
    return is_taken;
}

bool continue_attempt(struct server *server, struct docent_call *call) {
    struct docent_text name, url;
    if (!call_text(call, "attempt", true, &name) || !call_text(call, "url", true, &url)) {
        return false;
    }
    pthread_mutex_lock(&server->lock);
    struct attempt *attempt = find_attempt(server, name);
    bool is_meant = attempt != NULL && attempt->redirect.bytes != NULL && url.length >= attempt->redirect.length &&
                    memcmp(url.bytes, attempt->redirect.bytes, attempt->redirect.length) == 0 &&
                    url.length <= 16 << 10 && memchr(url.bytes, 0, url.length) == NULL;
    if (is_meant) {
        free(attempt->url);
        attempt->url = copy_of(url);
        pthread_cond_broadcast(&server->answered);
    }
    pthread_mutex_unlock(&server->lock);
    if (attempt == NULL) {
        return docent_fail(call, DOCENT_NO_SUCH_ITEM, "The sign-in attempt is over.");
    }
    return is_meant || docent_fail(
                           call, DOCENT_INVALID_ARGUMENT, "The browser was redirected to an unexpected address.");
}
