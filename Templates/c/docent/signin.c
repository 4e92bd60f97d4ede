// Signing in: the forms, their answers, and the credential of a domain.
#include "signin.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    [DOCENT_FIELD_TEXT] = "text",     [DOCENT_FIELD_URL] = "url",         [DOCENT_FIELD_SECRET] = "secret",
    [DOCENT_FIELD_CHOICE] = "choice", [DOCENT_FIELD_CONFIRM] = "confirm",
};

static const struct docent_text nothing = {.bytes = NULL, .length = 0};

// MARK: Fields

static void add_string(struct buffer *message, const char *key, const char *value) {
    if (value != NULL) {
        json_add_text(message, key, docent_text_of(value));
    }
}

void field_add(struct buffer *message, const char *key, const struct docent_field *field) {
    json_open(message, key, '{');
    add_string(message, "key", field->key);
    add_string(message, "label", field->label);
    add_string(message, "kind", kinds[field->kind]);
    add_string(message, "value", field->kind == DOCENT_FIELD_SECRET ? NULL : field->value);
    add_string(message, "help", field->help);
    if (field->is_optional) {
        json_add_flag(message, "isOptional", true);
    }
    if (field->is_multiline) {
        json_add_flag(message, "isMultiline", true);
    }
    if (field->choice_count > 0) {
        json_open(message, "choices", '[');
        for (size_t index = 0; index < field->choice_count; index++) {
            json_open(message, NULL, '{');
            add_string(message, "value", field->choices[index].value);
            add_string(message, "label", field->choices[index].label);
            json_close(message, '}');
        }
        json_close(message, ']');
    }
    json_close(message, '}');
}

bool field_takes(struct docent_call *call, const struct docent_field *field, struct docent_text value) {
    if (value.length > MOST_ANSWER_BYTES || memchr(value.bytes, 0, value.length) != NULL) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "The answer to %s is too long, or not text.", field->label);
    }
    bool is_known = field->kind != DOCENT_FIELD_CHOICE && field->kind != DOCENT_FIELD_CONFIRM;
    if (field->kind == DOCENT_FIELD_CONFIRM) {
        is_known = docent_text_equal(value, docent_text_of("yes")) || docent_text_equal(value, docent_text_of("no"));
    }
    for (size_t index = 0; index < field->choice_count && !is_known; index++) {
        is_known = docent_text_equal(value, docent_text_of(field->choices[index].value));
    }
    return is_known || docent_fail(
                           call, DOCENT_INVALID_ARGUMENT, "The answer to %s (%s) is not one of the choices.",
                           field->label, field->key);
}

struct docent_text field_normalize(
    struct docent_call *call, const struct docent_field *field, struct docent_text value) {
    if (!field->is_multiline || value.length == 0 || value.bytes[value.length - 1] == '\n') {
        return value;
    }
    char *copy = arena_take(call->arena, value.length + 2);
    if (copy == NULL) {
        return value;
    }
    memcpy(copy, value.bytes, value.length);
    copy[value.length] = '\n';
    return (struct docent_text){.bytes = copy, .length = value.length + 1};
}

// MARK: Forms

static void add_fields(struct buffer *message, const char *key, const struct docent_field *fields, size_t count) {
    json_open(message, key, '[');
    for (size_t index = 0; index < count; index++) {
        field_add(message, NULL, &fields[index]);
    }
    json_close(message, ']');
}

bool sign_in_forms(struct server *server, struct docent_call *call) {
    (void)server;
    return call->provider->authenticate != NULL ? true : method_is_missing(call, "SignInForms");
}

void add_forms(struct docent_call *call, struct buffer *message) {
    json_open(message, "forms", '[');
    for (size_t index = 0; index < call->provider->form_count; index++) {
        const struct docent_form *form = &call->provider->forms[index];
        json_open(message, NULL, '{');
        add_string(message, "identifier", form->identifier);
        add_string(message, "title", form->title);
        add_string(message, "help", form->help);
        add_fields(message, "fields", form->fields, form->field_count);
        if (form->uses_browser || form->uses_code) {
            json_open(message, "browser", '[');
            add_string(message, NULL, form->uses_browser ? "loopback" : NULL);
            add_string(message, NULL, form->uses_code ? "device" : NULL);
            json_close(message, ']');
        }
        if (form->question_count > 0) {
            add_fields(message, "questions", form->questions, form->question_count);
        }
        json_close(message, '}');
    }
    json_close(message, ']');
}

// MARK: A known credential

bool sign_in(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_credential credential = {.kind = nothing, .username = nothing, .secret = nothing};
    if (call->provider->sign_in == NULL) {
        return method_is_missing(call, "SignIn");
    }
    return call_text(call, "kind", true, &credential.kind) && call_text(call, "username", false, &credential.username) &&
           call_text(call, "secret", false, &credential.secret) &&
           call->provider->sign_in(call, call->state, credential);
}

bool sign_out(struct server *server, struct docent_call *call) {
    (void)server;
    if (call->provider->sign_out == NULL) {
        return method_is_missing(call, "SignOut");
    }
    call->provider->sign_out(call->state);
    return true;
}

void add_account(struct docent_call *call, struct buffer *message) {
    if (call->account.bytes != NULL) {
        json_add_text(message, "displayName", call->account);
    }
}

// MARK: An attempt

static const struct docent_field *find_field(const struct docent_form *form, struct docent_text key) {
    for (size_t index = 0; index < form->field_count; index++) {
        if (docent_text_equal(docent_text_of(form->fields[index].key), key)) {
            return &form->fields[index];
        }
    }
    return NULL;
}

static struct docent_text value_of(const struct attempt *attempt, const struct docent_field *field) {
    const struct json *value = json_member(attempt->values, field->key);
    bool is_given = value != NULL && value->kind == JSON_STRING && value->string.length > 0;
    bool has_standard = field->kind != DOCENT_FIELD_SECRET && field->value != NULL && *field->value != 0;
    return is_given ? value->string : has_standard ? docent_text_of(field->value) : nothing;
}

// An answer is never repeated in a message.
static bool check_answers(struct docent_call *call, const struct attempt *attempt) {
    const struct docent_form *form = attempt->form;
    for (const struct json *value = attempt->values->first; value != NULL; value = value->next) {
        if (value->kind != JSON_STRING || find_field(form, value->key) == NULL) {
            return docent_fail(call, DOCENT_INVALID_ARGUMENT, "The form %s does not ask for that.", form->identifier);
        }
    }
    for (size_t index = 0; index < form->field_count; index++) {
        const struct docent_field *field = &form->fields[index];
        struct docent_text value = value_of(attempt, field);
        if (value.bytes == NULL && !field->is_optional) {
            return docent_fail(call, DOCENT_INVALID_ARGUMENT, "%s (%s) is missing.", field->label, field->key);
        }
        if (value.bytes != NULL && !field_takes(call, field, value)) {
            return false;
        }
    }
    return true;
}

// Adds it to the list, so that answers and redirects find it. False: the call has failed.
static bool begin_attempt(struct server *server, struct docent_call *call, struct attempt *attempt) {
    bool is_new = true;
    size_t count = 0;
    pthread_mutex_lock(&server->lock);
    for (const struct attempt *other = server->attempts; other != NULL; other = other->next) {
        is_new = is_new && !docent_text_equal(other->name, attempt->name);
        count++;
    }
    if (is_new && count < 16) {
        attempt->next = server->attempts;
        server->attempts = attempt;
        call->attempt = attempt;
    }
    pthread_mutex_unlock(&server->lock);
    if (!is_new) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "A sign-in attempt with that name exists already.");
    }
    return call->attempt != NULL || docent_fail(call, DOCENT_BUSY, "There are 16 sign-in attempts already.");
}

static void wipe(char *text, size_t length) {
    if (text != NULL) {
        explicit_bzero(text, length);
    }
    free(text);
}

static void end_attempt(struct server *server, struct attempt *attempt) {
    pthread_mutex_lock(&server->lock);
    for (struct attempt **place = &server->attempts; *place != NULL; place = &(*place)->next) {
        if (*place == attempt) {
            *place = attempt->next;
            break;
        }
    }
    pthread_mutex_unlock(&server->lock);
    wipe(attempt->answer, attempt->answer_length);
    wipe(attempt->url, attempt->url != NULL ? strlen(attempt->url) : 0);
}

static bool starts_with(struct docent_text text, const char *prefix) {
    size_t length = strlen(prefix);
    return text.length >= length && memcmp(text.bytes, prefix, length) == 0;
}

bool authenticate(struct server *server, struct docent_call *call) {
    struct attempt *attempt = arena_take(call->arena, sizeof *attempt);
    struct docent_text form;
    struct docent_domain domain;
    if (call->provider->authenticate == NULL) {
        return method_is_missing(call, "Authenticate");
    }
    if (attempt == NULL) {
        return docent_fail(call, DOCENT_FAILED, "There is not enough memory.");
    }
    const struct json *asks = json_member(call->parameters, "answersQuestions");
    attempt->values = json_member(call->parameters, "values");
    attempt->answers_questions = call->wants_more && asks != NULL && asks->kind == JSON_TRUE;
    if (!domains_read(json_member(call->parameters, "domain"), &domain, &call->settings) || attempt->values == NULL ||
        attempt->values->kind != JSON_OBJECT) {
        return call_refuse(call, "org.varlink.service.InvalidParameter", "parameter", docent_text_of("domain"));
    }
    if (!call_text(call, "form", true, &form) || !call_text(call, "attempt", true, &attempt->name) ||
        !call_text(call, "redirect", false, &attempt->redirect)) {
        return false;
    }
    if (attempt->redirect.bytes != NULL && !starts_with(attempt->redirect, "http://127.0.0.1:") &&
        !starts_with(attempt->redirect, "http://[::1]:")) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "A browser can only be redirected to an address on this machine.");
    }
    for (size_t index = 0; index < call->provider->form_count && attempt->form == NULL; index++) {
        bool is_meant = docent_text_equal(docent_text_of(call->provider->forms[index].identifier), form);
        attempt->form = is_meant ? &call->provider->forms[index] : NULL;
    }
    if (attempt->form == NULL) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "There is no such sign-in form.");
    }
    if (!check_answers(call, attempt) || !begin_attempt(server, call, attempt)) {
        return false;
    }
    bool is_done = call->provider->authenticate(call, &domain, attempt->form);
    end_attempt(server, attempt);
    if (is_done && attempt->credential.secret.length == 0) {
        return docent_fail(call, DOCENT_FAILED, "The provider signed in but returned no secret for later sign-ins.");
    }
    return is_done;
}

struct docent_text docent_answer(struct docent_call *call, const char *key) {
    const struct docent_field *field =
        call->attempt != NULL ? find_field(call->attempt->form, docent_text_of(key)) : NULL;
    return field != NULL ? field_normalize(call, field, value_of(call->attempt, field)) : nothing;
}

void docent_give_credential(struct docent_call *call, struct docent_credential credential) {
    if (call->attempt == NULL) {
        return;
    }
    call->attempt->credential = (struct docent_credential){
        .kind = call_keep(call, credential.kind),
        .username = credential.username.bytes != NULL ? call_keep(call, credential.username) : nothing,
        .secret = call_keep(call, credential.secret),
    };
}

void docent_give_setting(struct docent_call *call, const char *key, struct docent_text value) {
    struct given_setting *setting = arena_take(call->arena, sizeof *setting);
    if (call->attempt == NULL || setting == NULL) {
        return;
    }
    *setting = (struct given_setting){
        .next = call->attempt->settings, .key = call_keep(call, docent_text_of(key)), .value = call_keep(call, value)};
    call->attempt->settings = setting;
}

// MARK: The result

static bool is_given(const struct given_setting *settings, struct docent_text key, const struct given_setting *until) {
    for (; settings != until; settings = settings->next) {
        if (docent_text_equal(settings->key, key)) {
            return true;
        }
    }
    return false;
}

static void add_setting(struct buffer *message, struct docent_text key, struct docent_text value) {
    char name[256];
    if (key.length < sizeof name) {
        memcpy(name, key.bytes, key.length);
        name[key.length] = 0;
        json_add_text(message, name, value);
    }
}

// The settings of the domain, overridden by those that the provider gave, or else by the answers that are not secret.
static void add_settings(struct docent_call *call, struct buffer *message) {
    const struct attempt *attempt = call->attempt;
    const struct given_setting *settings = attempt->settings;
    json_open(message, "settings", '{');
    for (const struct given_setting *setting = settings; setting != NULL; setting = setting->next) {
        // The latest value for a name counts, which is the first in the list.
        if (!is_given(settings, setting->key, setting)) {
            add_setting(message, setting->key, setting->value);
        }
    }
    for (size_t index = 0; index < attempt->form->field_count && settings == NULL; index++) {
        const struct docent_field *field = &attempt->form->fields[index];
        struct docent_text value = value_of(attempt, field);
        if (field->kind != DOCENT_FIELD_SECRET && value.bytes != NULL) {
            add_setting(message, docent_text_of(field->key), field_normalize(call, field, value));
        }
    }
    for (const struct json *known = call->settings != NULL ? call->settings->first : NULL; known != NULL;
         known = known->next) {
        const struct docent_field *field = settings == NULL ? find_field(attempt->form, known->key) : NULL;
        bool is_answered =
            field != NULL && field->kind != DOCENT_FIELD_SECRET && value_of(attempt, field).bytes != NULL;
        if (!is_answered && !is_given(settings, known->key, NULL)) {
            add_setting(message, known->key, known->string);
        }
    }
    json_close(message, '}');
}

void add_signed_in(struct docent_call *call, struct buffer *message) {
    const struct docent_credential *credential = &call->attempt->credential;
    json_add_text(message, "kind", credential->kind);
    if (credential->username.bytes != NULL) {
        json_add_text(message, "username", credential->username);
    }
    json_add_text(message, "secret", credential->secret);
    add_account(call, message);
    add_settings(call, message);
}
