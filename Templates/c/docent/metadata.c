// Metadata that is kept beside the content.
#include "call.h"

#include <stdlib.h>
#include <string.h>

static int64_t milliseconds(const struct json *metadata, const char *key) {
    const struct json *seconds = json_member(metadata, key);
    char digits[64];
    if (seconds == NULL || (seconds->kind != JSON_INTEGER && seconds->kind != JSON_FRACTION) ||
        seconds->string.length >= sizeof digits) {
        return 0;
    }
    memcpy(digits, seconds->string.bytes, seconds->string.length);
    digits[seconds->string.length] = 0;
    // Every date of a file fits; one that does not is ignored.
    double value = strtod(digits, NULL) * 1000;
    return value > -1e17 && value < 1e17 ? (int64_t)(value < 0 ? value - 0.5 : value + 0.5) : 0;
}

struct docent_metadata docent_metadata(struct docent_call *call) {
    struct docent_metadata metadata = {.hidden_extension = -1, .thumbnail = call->thumbnail};
    const struct json *attributes = json_member(call->metadata, "attributes");
    const struct json *hidden = json_member(call->metadata, "hasHiddenExtension");
    metadata.creation_time = milliseconds(call->metadata, "creationDate");
    metadata.modification_time = milliseconds(call->metadata, "modificationDate");
    if (hidden != NULL) {
        metadata.hidden_extension = hidden->kind == JSON_TRUE;
    }
    for (const struct json *one = attributes != NULL ? attributes->first : NULL; one != NULL; one = one->next) {
        metadata.attribute_count++;
    }
    return metadata;
}

static int value_of(char letter) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int value = 0; value < 64; value++) {
        if (letters[value] == letter) {
            return value;
        }
    }
    return -1;
}

// Decodes Base64. False: it is invalid.
static bool decode(struct arena *arena, struct docent_text text, struct docent_text *value) {
    size_t length = text.length;
    while (length > 0 && text.length - length < 2 && text.bytes[length - 1] == '=') {
        length--;
    }
    unsigned char *bytes = arena_take(arena, length + 1);
    if (text.length % 4 != 0 || length % 4 == 1 || bytes == NULL) {
        return false;
    }
    unsigned bits = 0;
    size_t count = 0;
    for (size_t index = 0; index < length; index++) {
        int six = value_of(text.bytes[index]);
        if (six < 0) {
            return false;
        }
        bits = bits << 6 | (unsigned)six;
        if (index % 4 != 0) {
            bytes[count++] = (unsigned char)(bits >> (6 - 2 * (index % 4)));
        }
    }
    *value = (struct docent_text){.bytes = (const char *)bytes, .length = count};
    return true;
}

bool docent_attribute(struct docent_call *call, size_t index, struct docent_text *name, struct docent_text *value) {
    const struct json *attributes = json_member(call->metadata, "attributes");
    const struct json *one = attributes != NULL ? attributes->first : NULL;
    for (; one != NULL && index > 0; index--) {
        one = one->next;
    }
    if (one == NULL || one->kind != JSON_STRING || !decode(call->arena, one->string, value)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "An attribute is invalid.");
    }
    *name = one->key;
    return true;
}
