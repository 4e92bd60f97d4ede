// Converts names that are not UTF-8 to text and back.
#include <string.h>

#include "json.h"

static int digit(char letter) {
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                            : -1;
}

// The byte that an escape at the start of a text stands for; less than 0: none. Never a slash, a zero byte or a letter.
static int escaped(const char *text, size_t length) {
    if (length < 4 || text[0] != '\\' || text[1] != 'x' || digit(text[2]) < 0 || digit(text[3]) < 0) {
        return -1;
    }
    int value = digit(text[2]) * 16 + digit(text[3]);
    return value >= 0x7F || (value > 0 && value < 0x20) || value == '\\' ? value : -1;
}

// The length of the character at the start; 0: it is not UTF-8.
static size_t character(const unsigned char *bytes, size_t length) {
    unsigned char first = bytes[0];
    size_t count = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (count == 0 || count > length) {
        return 0;
    }
    for (size_t index = 1; index < count; index++) {
        if ((bytes[index] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool is_overlong = (first == 0xE0 && bytes[1] < 0xA0) || (first == 0xF0 && bytes[1] < 0x90);
    bool is_none = (first == 0xED && bytes[1] >= 0xA0) || (first == 0xF4 && bytes[1] >= 0x90);
    return is_overlong || is_none ? 0 : count;
}

// Writes as many of the bytes as fit.
static size_t put(char *target, size_t size, size_t at, const char *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) {
        if (at + index < size) {
            target[at + index] = bytes[index];
        }
    }
    return at + count;
}

size_t docent_escape(const void *bytes, size_t length, char *text, size_t size) {
    const unsigned char *rest = bytes;
    size_t written = 0;
    while (length > 0) {
        size_t count = rest[0] == '\\' && escaped((const char *)rest, length) >= 0 ? 0 : character(rest, length);
        if (count > 0) {
            written = put(text, size, written, (const char *)rest, count);
        } else {
            const char *digits = "0123456789ABCDEF";
            char escape[4] = {'\\', 'x', digits[rest[0] >> 4], digits[rest[0] & 15]};
            written = put(text, size, written, escape, sizeof escape);
            count = 1;
        }
        rest += count;
        length -= count;
    }
    return written;
}

size_t docent_unescape(struct docent_text text, void *bytes, size_t size) {
    size_t written = 0;
    for (size_t index = 0; index < text.length;) {
        int value = escaped(text.bytes + index, text.length - index);
        char byte = value < 0 ? text.bytes[index] : (char)value;
        written = put(bytes, size, written, &byte, 1);
        index += value < 0 ? 1 : 4;
    }
    return written;
}
