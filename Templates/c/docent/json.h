// JSON as far as messages need it: a reader of untrusted bytes into a tree, and a writer of text.
#ifndef DOCENT_JSON_H
#define DOCENT_JSON_H

#include "docent.h"

// The greatest nesting depth.
#define JSON_DEPTH 32

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_INTEGER, JSON_FRACTION, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

// A value. Members of objects and elements of arrays are a list: `first`, then `next`.
struct json {
    enum json_kind kind;
    struct docent_text key;    // of a member
    struct docent_text string; // of a string; for a number its digits, which are in the message
    int64_t integer;
    struct json *first;
    struct json *next;
};

// Memory that is freed all at once.
struct arena {
    struct arena_block *block;
    bool has_secrets; // its bytes are overwritten when it is freed
};

void *arena_take(struct arena *arena, size_t size); // aligned, zeroed; NULL if there is no memory
void arena_end(struct arena *arena);

// Reads one value, which must be all of the bytes. The tree is allocated in the arena. NULL: it is not JSON, not UTF-8,
// nested too deeply, or there is no memory.
struct json *json_read(struct arena *arena, const char *bytes, size_t length);

// The member of an object; NULL if there is none, if it is null, or if `object` is NULL or not an object.
const struct json *json_member(const struct json *object, const char *key);

// Text under construction. After `failed` (no memory) it does not change.
struct buffer {
    char *bytes;
    size_t length;
    size_t capacity;
    bool failed;
};

void buffer_add(struct buffer *buffer, const void *bytes, size_t count);
void buffer_end(struct buffer *buffer);

// These functions write a comma first where one is needed; `key` is NULL in arrays.
void json_open(struct buffer *buffer, const char *key, char bracket);
void json_close(struct buffer *buffer, char bracket);
void json_add_text(struct buffer *buffer, const char *key, struct docent_text value); // invalid UTF-8 becomes U+FFFD
void json_add_integer(struct buffer *buffer, const char *key, int64_t value);
void json_add_seconds(struct buffer *buffer, const char *key, int64_t milliseconds);
void json_add_flag(struct buffer *buffer, const char *key, bool value);
void json_add_written(struct buffer *buffer, const char *key, const struct buffer *value); // JSON already

#endif
