// A sign-in attempt, shared by its call (signin.c) and by what arrives for it on other connections (questions.c).
#ifndef DOCENT_SIGNIN_H
#define DOCENT_SIGNIN_H

#include "server.h"

#define MOST_QUESTIONS 16
#define MOST_ANSWER_BYTES (64 << 10)

struct given_setting {
    struct given_setting *next;
    struct docent_text key, value;
};

struct attempt {
    struct attempt *next;
    struct docent_text name;
    const struct docent_form *form;
    const struct json *values;
    struct docent_text redirect; // `bytes` is NULL: none
    bool answers_questions;

    // The result.
    struct docent_credential credential;
    struct given_setting *settings;

    // Guarded by the lock of the server.
    int64_t question; // the number of the last one
    const struct docent_field *field; // of the open question; NULL: none
    bool is_answered;
    char *answer; // owned; NULL: there is no answer
    size_t answer_length;
    char *url; // owned; where the browser was redirected to
};

// Whether a value is a valid answer to a field; does not check for an empty one. False: the call has failed.
bool field_takes(struct docent_call *call, const struct docent_field *field, struct docent_text value);
// An answer as the provider receives it: an answer of several lines ends with a line feed.
struct docent_text field_normalize(struct docent_call *call, const struct docent_field *field, struct docent_text value);
// Adds a field in the form of the interface.
void field_add(struct buffer *message, const char *key, const struct docent_field *field);

#endif
