#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: Text

struct docent_text docent_text_of(const char *string) {
    return (struct docent_text){.bytes = string, .length = strlen(string)};
}

bool docent_text_equal(struct docent_text left, struct docent_text right) {
    return left.length == right.length && (left.length == 0 || memcmp(left.bytes, right.bytes, left.length) == 0);
}

// The length of the UTF-8 sequence at the start, 0 if there is none: nothing overlong, no surrogates.
static size_t sequence_length(const unsigned char *bytes, size_t count) {
    unsigned char first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0 || length > count) {
        return 0;
    }
    for (size_t index = 1; index < length; index++) {
        if ((bytes[index] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool is_bad = (first == 0xE0 && bytes[1] < 0xA0) || (first == 0xED && bytes[1] > 0x9F) ||
                  (first == 0xF0 && bytes[1] < 0x90) || (first == 0xF4 && bytes[1] > 0x8F);
    return is_bad ? 0 : length;
}

// MARK: Memory

struct arena_block {
    struct arena_block *former;
    size_t used;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

void *arena_take(struct arena *arena, size_t size) {
    size_t step = _Alignof(max_align_t);
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size = (size + step - 1) / step * step;
    struct arena_block *block = arena->block;
    if (block == NULL || block->size - block->used < size) {
        size_t room = size > 16384 ? size : 16384;
        block = calloc(1, sizeof *block + room);
        if (block == NULL) {
            return NULL;
        }
        block->size = room;
        block->former = arena->block;
        arena->block = block;
    }
    void *result = block->bytes + block->used;
    block->used += size;
    return result;
}

void arena_end(struct arena *arena) {
    while (arena->block != NULL) {
        struct arena_block *former = arena->block->former;
        if (arena->has_secrets) {
            explicit_bzero(arena->block->bytes, arena->block->used);
        }
        free(arena->block);
        arena->block = former;
    }
}

// MARK: Reading

struct reader {
    struct arena *arena;
    const unsigned char *bytes;
    size_t length;
    size_t position;
};

static struct json *read_value(struct reader *reader, int depth);

static void skip_space(struct reader *reader) {
    while (reader->position < reader->length && strchr(" \t\n\r", reader->bytes[reader->position]) != NULL &&
           reader->bytes[reader->position] != 0) {
        reader->position++;
    }
}

static bool take(struct reader *reader, char character) {
    skip_space(reader);
    if (reader->position < reader->length && reader->bytes[reader->position] == (unsigned char)character) {
        reader->position++;
        return true;
    }
    return false;
}

static bool take_word(struct reader *reader, const char *word) {
    size_t length = strlen(word);
    if (reader->length - reader->position < length || memcmp(reader->bytes + reader->position, word, length) != 0) {
        return false;
    }
    reader->position += length;
    return true;
}

static int hex_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9'   ? byte - '0'
           : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
           : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                        : -1;
}

// The number after \u; less than 0 if there is none.
static int32_t read_unit(struct reader *reader) {
    int32_t unit = 0;
    for (int count = 0; count < 4; count++) {
        int digit = reader->position < reader->length ? hex_digit(reader->bytes[reader->position]) : -1;
        if (digit < 0) {
            return -1;
        }
        unit = unit * 16 + digit;
        reader->position++;
    }
    return unit;
}

static size_t put_scalar(char *target, uint32_t scalar) {
    if (scalar < 0x80) {
        target[0] = (char)scalar;
        return 1;
    }
    size_t length = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t index = length - 1; index > 0; index--) {
        target[index] = (char)(0x80 | (scalar & 0x3F));
        scalar >>= 6;
    }
    target[0] = (char)(marks[length] | scalar);
    return length;
}

// Writes what an escape stands for; 0 if it is invalid.
static size_t read_escape(struct reader *reader, char *target) {
    if (reader->position >= reader->length) {
        return 0;
    }
    unsigned char kind = reader->bytes[reader->position++];
    static const char simple[] = "\"\\/bfnrt";
    static const char meaning[] = "\"\\/\b\f\n\r\t";
    const char *found = kind != 0 ? strchr(simple, kind) : NULL;
    if (found != NULL) {
        target[0] = meaning[found - simple];
        return 1;
    }
    int32_t unit = kind == 'u' ? read_unit(reader) : -1;
    if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) {
        return 0;
    }
    if (unit < 0xD800 || unit >= 0xE000) {
        return put_scalar(target, (uint32_t)unit);
    }
    int32_t second = take_word(reader, "\\u") ? read_unit(reader) : -1;
    if (second < 0xDC00 || second >= 0xE000) {
        return 0;
    }
    return put_scalar(target, 0x10000 + (((uint32_t)unit - 0xD800) << 10) + ((uint32_t)second - 0xDC00));
}

static bool read_string(struct reader *reader, struct docent_text *result) {
    if (!take(reader, '"')) {
        return false;
    }
    size_t end = reader->position;
    while (end < reader->length && reader->bytes[end] != '"') {
        end += reader->bytes[end] == '\\' ? 2 : 1;
    }
    if (end >= reader->length) {
        return false;
    }
    // An escape is never shorter than what it stands for.
    char *text = arena_take(reader->arena, end - reader->position + 1);
    if (text == NULL) {
        return false;
    }
    size_t length = 0;
    while (reader->position < end) {
        unsigned char byte = reader->bytes[reader->position];
        size_t count;
        if (byte == '\\') {
            reader->position++;
            count = read_escape(reader, text + length);
        } else {
            count = byte < 0x20 ? 0 : sequence_length(reader->bytes + reader->position, end - reader->position);
            memcpy(text + length, reader->bytes + reader->position, count);
            reader->position += count;
        }
        if (count == 0) {
            return false;
        }
        length += count;
    }
    reader->position = end + 1;
    *result = (struct docent_text){.bytes = text, .length = length};
    return true;
}

static size_t count_digits(const struct reader *reader, size_t position) {
    size_t count = 0;
    while (position + count < reader->length && reader->bytes[position + count] >= '0' &&
           reader->bytes[position + count] <= '9') {
        count++;
    }
    return count;
}

static bool read_number(struct reader *reader, struct json *value) {
    size_t position = reader->position;
    bool is_negative = reader->bytes[position] == '-';
    position += is_negative;
    size_t digits = count_digits(reader, position);
    if (digits == 0 || (digits > 1 && reader->bytes[position] == '0')) {
        return false;
    }
    value->kind = JSON_INTEGER;
    for (size_t index = 0; index < digits; index++) {
        int64_t digit = reader->bytes[position + index] - '0';
        // A number that does not fit cannot occur in a message.
        if (value->integer > (INT64_MAX - digit) / 10) {
            value->kind = JSON_FRACTION;
            value->integer = 0;
            break;
        }
        value->integer = value->integer * 10 + digit;
    }
    value->integer = is_negative ? -value->integer : value->integer;
    position += digits;
    if (position < reader->length && reader->bytes[position] == '.') {
        size_t more = count_digits(reader, position + 1);
        if (more == 0) {
            return false;
        }
        value->kind = JSON_FRACTION;
        position += 1 + more;
    }
    if (position < reader->length && (reader->bytes[position] == 'e' || reader->bytes[position] == 'E')) {
        position++;
        position += position < reader->length && (reader->bytes[position] == '+' || reader->bytes[position] == '-');
        size_t more = count_digits(reader, position);
        if (more == 0) {
            return false;
        }
        value->kind = JSON_FRACTION;
        position += more;
    }
    value->string = (struct docent_text){
        .bytes = (const char *)reader->bytes + reader->position, .length = position - reader->position};
    reader->position = position;
    return true;
}

static bool read_members(struct reader *reader, struct json *value, int depth) {
    bool is_object = value->kind == JSON_OBJECT;
    char end = is_object ? '}' : ']';
    struct json **place = &value->first;
    if (depth >= JSON_DEPTH) {
        return false;
    }
    if (take(reader, end)) {
        return true;
    }
    do {
        struct docent_text key = {.bytes = NULL, .length = 0};
        if (is_object && (!read_string(reader, &key) || !take(reader, ':'))) {
            return false;
        }
        struct json *member = read_value(reader, depth + 1);
        if (member == NULL) {
            return false;
        }
        member->key = key;
        *place = member;
        place = &member->next;
    } while (take(reader, ','));
    return take(reader, end);
}

static struct json *read_value(struct reader *reader, int depth) {
    struct json *value = arena_take(reader->arena, sizeof *value);
    skip_space(reader);
    if (value == NULL || reader->position >= reader->length) {
        return NULL;
    }
    bool is_good;
    switch (reader->bytes[reader->position]) {
    case '{':
    case '[':
        value->kind = reader->bytes[reader->position++] == '{' ? JSON_OBJECT : JSON_ARRAY;
        is_good = read_members(reader, value, depth);
        break;
    case '"':
        value->kind = JSON_STRING;
        is_good = read_string(reader, &value->string);
        break;
    case 't':
        value->kind = JSON_TRUE;
        is_good = take_word(reader, "true");
        break;
    case 'f':
        value->kind = JSON_FALSE;
        is_good = take_word(reader, "false");
        break;
    case 'n':
        value->kind = JSON_NULL;
        is_good = take_word(reader, "null");
        break;
    default:
        is_good = read_number(reader, value);
    }
    return is_good ? value : NULL;
}

struct json *json_read(struct arena *arena, const char *bytes, size_t length) {
    struct reader reader = {.arena = arena, .bytes = (const unsigned char *)bytes, .length = length, .position = 0};
    struct json *value = read_value(&reader, 0);
    skip_space(&reader);
    return reader.position == length ? value : NULL;
}

const struct json *json_member(const struct json *object, const char *key) {
    if (object == NULL || object->kind != JSON_OBJECT) {
        return NULL;
    }
    for (const struct json *member = object->first; member != NULL; member = member->next) {
        if (docent_text_equal(member->key, docent_text_of(key))) {
            return member->kind == JSON_NULL ? NULL : member;
        }
    }
    return NULL;
}

// MARK: Writing

void buffer_add(struct buffer *buffer, const void *bytes, size_t count) {
    if (buffer->failed || count > SIZE_MAX / 4) {
        buffer->failed = true;
        return;
    }
    if (buffer->capacity - buffer->length < count) {
        size_t capacity = (buffer->length + count) * 2 + 256;
        char *larger = realloc(buffer->bytes, capacity);
        if (larger == NULL) {
            buffer->failed = true;
            return;
        }
        buffer->bytes = larger;
        buffer->capacity = capacity;
    }
    if (count > 0) {
        memcpy(buffer->bytes + buffer->length, bytes, count);
        buffer->length += count;
    }
}

void buffer_end(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

static void add_string(struct buffer *buffer, struct docent_text text) {
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    buffer_add(buffer, "\"", 1);
    for (size_t position = 0; position < text.length;) {
        size_t length = sequence_length(bytes + position, text.length - position);
        char escape[8];
        if (length == 0) {
            buffer_add(buffer, "\xEF\xBF\xBD", 3);
        } else if (bytes[position] < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", bytes[position]);
            buffer_add(buffer, escape, 6);
        } else {
            if (bytes[position] == '"' || bytes[position] == '\\') {
                buffer_add(buffer, "\\", 1);
            }
            buffer_add(buffer, bytes + position, length);
        }
        position += length == 0 ? 1 : length;
    }
    buffer_add(buffer, "\"", 1);
}

static void begin(struct buffer *buffer, const char *key) {
    if (buffer->length > 0 && strchr("{[", buffer->bytes[buffer->length - 1]) == NULL) {
        buffer_add(buffer, ",", 1);
    }
    if (key != NULL) {
        add_string(buffer, docent_text_of(key));
        buffer_add(buffer, ":", 1);
    }
}

void json_open(struct buffer *buffer, const char *key, char bracket) {
    begin(buffer, key);
    buffer_add(buffer, &bracket, 1);
}

void json_close(struct buffer *buffer, char bracket) { buffer_add(buffer, &bracket, 1); }

void json_add_text(struct buffer *buffer, const char *key, struct docent_text value) {
    begin(buffer, key);
    add_string(buffer, value);
}

static void add_formatted(struct buffer *buffer, const char *key, const char *text) {
    begin(buffer, key);
    buffer_add(buffer, text, strlen(text));
}

void json_add_integer(struct buffer *buffer, const char *key, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    add_formatted(buffer, key, text);
}

void json_add_seconds(struct buffer *buffer, const char *key, int64_t milliseconds) {
    // Not %f, which writes a comma in many locales.
    char text[48];
    uint64_t magnitude = milliseconds < 0 ? -(uint64_t)milliseconds : (uint64_t)milliseconds;
    snprintf(
        text, sizeof text, "%s%" PRIu64 ".%03u", milliseconds < 0 ? "-" : "", magnitude / 1000,
        (unsigned)(magnitude % 1000));
    add_formatted(buffer, key, text);
}

void json_add_flag(struct buffer *buffer, const char *key, bool value) {
    add_formatted(buffer, key, value ? "true" : "false");
}

void json_add_written(struct buffer *buffer, const char *key, const struct buffer *value) {
    begin(buffer, key);
    buffer_add(buffer, value->bytes, value->length);
    buffer->failed = buffer->failed || value->failed;
}
