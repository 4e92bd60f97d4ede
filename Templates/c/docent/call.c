// What a provider may do in a call, except for its content.
#include "call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const error_names[] = {
    [DOCENT_NO_SUCH_ITEM] = "NoSuchItem",
    [DOCENT_NOT_AUTHENTICATED] = "NotAuthenticated",
    [DOCENT_SERVER_UNREACHABLE] = "ServerUnreachable",
    [DOCENT_BUSY] = "Busy",
    [DOCENT_COLLISION] = "Collision",
    [DOCENT_VERSION_OUT_OF_DATE] = "VersionOutOfDate",
    [DOCENT_INSUFFICIENT_QUOTA] = "InsufficientQuota",
    [DOCENT_ANCHOR_EXPIRED] = "AnchorExpired",
    [DOCENT_NOT_SUPPORTED] = "NotSupported",
    [DOCENT_NOT_PERMITTED] = "NotPermitted",
    [DOCENT_INVALID_ARGUMENT] = "InvalidArgument",
    [DOCENT_FAILED] = "Failed",
};

bool call_refuse(struct docent_call *call, const char *error, const char *key, struct docent_text value) {
    buffer_end(&call->error);
    json_open(&call->error, NULL, '{');
    json_add_text(&call->error, "error", docent_text_of(error));
    json_open(&call->error, "parameters", '{');
    json_add_text(&call->error, key, value);
    json_close(&call->error, '}');
    json_close(&call->error, '}');
    return false;
}

bool docent_fail(struct docent_call *call, enum docent_error error, const char *format, ...) {
    // A message that is too long is cut; if that splits a character, the writer repairs it.
    char message[1000];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t kept = length < 0 ? 0 : (size_t)length < sizeof message ? (size_t)length : sizeof message - 1;
    char name[64];
    snprintf(name, sizeof name, "%s.%s", DOCENT_INTERFACE, error_names[error]);
    return call_refuse(call, name, "message", (struct docent_text){.bytes = message, .length = kept});
}

void docent_recover(struct docent_call *call) {
    buffer_end(&call->error);
    call->error = (struct buffer){0};
}

bool docent_is_cancelled(struct docent_call *call) {
    call->is_cancelled = call->is_cancelled || wire_is_abandoned(call->wire);
    return call->is_cancelled;
}

struct docent_text docent_setting(struct docent_call *call, const char *key) {
    const struct json *value = json_member(call->settings, key);
    bool is_there = value != NULL && value->kind == JSON_STRING;
    return is_there ? value->string : (struct docent_text){.bytes = NULL, .length = 0};
}

// MARK: The answer

struct docent_text call_keep(struct docent_call *call, struct docent_text text) {
    char *copy = arena_take(call->arena, text.length + 1);
    if (copy == NULL) {
        docent_fail(call, DOCENT_FAILED, "There is not enough memory.");
        return docent_text_of("");
    }
    if (text.length > 0) {
        memcpy(copy, text.bytes, text.length);
    }
    return (struct docent_text){.bytes = copy, .length = text.length};
}

void docent_give_item(struct docent_call *call, const struct docent_item *item) {
    static const struct {
        unsigned bit;
        const char *name;
    } capabilities[] = {
        {DOCENT_CAN_READ, "read"},     {DOCENT_CAN_WRITE, "write"},        {DOCENT_CAN_RENAME, "rename"},
        {DOCENT_CAN_DELETE, "delete"}, {DOCENT_CAN_ADD_ITEMS, "addItems"},
    };
    struct buffer *items = &call->items;
    json_open(items, NULL, '{');
    json_add_text(items, "identifier", item->identifier);
    json_add_text(items, "parent", item->parent);
    json_add_text(items, "name", item->name);
    json_add_flag(items, "isFolder", item->is_folder);
    if (item->version.length > 0) {
        json_add_text(items, "version", item->version);
    }
    if (item->size >= 0) {
        json_add_integer(items, "size", item->size);
    }
    if (item->modification_time != 0) {
        json_add_seconds(items, "modificationDate", item->modification_time);
    }
    if (item->creation_time != 0) {
        json_add_seconds(items, "creationDate", item->creation_time);
    }
    json_open(items, "capabilities", '[');
    for (size_t index = 0; index < sizeof capabilities / sizeof *capabilities; index++) {
        if ((item->capabilities & capabilities[index].bit) != 0) {
            json_add_text(items, NULL, docent_text_of(capabilities[index].name));
        }
    }
    json_close(items, ']');
    json_close(items, '}');
    call->item_count++;
}

void docent_give_next_page(struct docent_call *call, struct docent_text token) { call->next = call_keep(call, token); }

void docent_give_deleted(struct docent_call *call, struct docent_text identifier) {
    json_add_text(&call->deleted, NULL, identifier);
}

void docent_give_anchor(struct docent_call *call, struct docent_text anchor, bool more) {
    call->anchor = call_keep(call, anchor);
    call->has_more = more;
}

void docent_give_conflict(struct docent_call *call, struct docent_text identifier) {
    call->conflict = call_keep(call, identifier);
}

void docent_give_account(struct docent_call *call, struct docent_text name) { call->account = call_keep(call, name); }

void docent_give_needed(struct docent_call *call, struct docent_text path) { json_add_text(&call->needed, NULL, path); }

bool call_tell(struct docent_call *call, const struct buffer *parameters) {
    struct buffer message = {0};
    json_open(&message, NULL, '{');
    json_add_flag(&message, "continues", true);
    json_add_written(&message, "parameters", parameters);
    json_close(&message, '}');
    call->is_cancelled = call->is_cancelled || message.failed || !wire_send(call->wire, &message);
    buffer_end(&message);
    return !call->is_cancelled;
}

// MARK: Parameters

static bool is_wrong(struct docent_call *call, const char *key) {
    return call_refuse(call, "org.varlink.service.InvalidParameter", "parameter", docent_text_of(key));
}

bool call_text(struct docent_call *call, const char *key, bool is_required, struct docent_text *value) {
    const struct json *given = json_member(call->parameters, key);
    if (given == NULL) {
        return is_required ? is_wrong(call, key) : true;
    }
    *value = given->string;
    return given->kind == JSON_STRING ? true : is_wrong(call, key);
}

bool call_integer(struct docent_call *call, const char *key, bool is_required, int64_t *value) {
    const struct json *given = json_member(call->parameters, key);
    if (given == NULL) {
        return is_required ? is_wrong(call, key) : true;
    }
    *value = given->integer;
    return given->kind == JSON_INTEGER ? true : is_wrong(call, key);
}

bool call_flag(struct docent_call *call, const char *key, bool *value) {
    const struct json *given = json_member(call->parameters, key);
    *value = given != NULL && given->kind == JSON_TRUE;
    return *value || (given != NULL && given->kind == JSON_FALSE) ? true : is_wrong(call, key);
}

const struct json *call_list(struct docent_call *call, const char *key) {
    const struct json *list = json_member(call->parameters, key);
    if (list == NULL || list->kind != JSON_ARRAY) {
        is_wrong(call, key);
        return NULL;
    }
    return list;
}

void call_end(struct docent_call *call) {
    buffer_end(&call->needed);
    buffer_end(&call->items);
    buffer_end(&call->deleted);
    buffer_end(&call->error);
}
