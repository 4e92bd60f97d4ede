// Messages on a stream socket: JSON terminated by a NUL, with file descriptors.
#ifndef DOCENT_WIRE_H
#define DOCENT_WIRE_H

#include "json.h"

#define WIRE_MESSAGE_BYTES (1 << 20)
#define WIRE_DESCRIPTORS 16

// One connection. Used by one thread at a time.
struct wire {
    int socket; // owned
    char *bytes;
    size_t start; // of the bytes that were received but not taken
    size_t searched;
    size_t end;
    size_t capacity;
    int descriptors[WIRE_DESCRIPTORS]; // received but not taken, in order; owned
    size_t descriptor_count;
};

struct wire wire_make(int socket);
void wire_end(struct wire *wire);

// Waits for the next message without a limit; once begun, a message must be complete within 30 seconds. It is borrowed
// until the next call. False: the peer closed the connection or broke a rule.
bool wire_receive(struct wire *wire, struct docent_text *message);

// Overwrites the last received message when it is no longer needed.
void wire_wipe(struct wire *wire, struct docent_text message);

// Takes the descriptors of the last received message, which must be exactly `count`. False: they are not.
bool wire_take_descriptors(struct wire *wire, int *descriptors, size_t count);
// Closes the descriptors of a message that was not understood.
void wire_drop_descriptors(struct wire *wire);

// Sends a message; adds the NUL. False: the peer has not read for 30 seconds, or has closed the connection.
bool wire_send(struct wire *wire, struct buffer *message);

// Whether the peer has closed the connection.
bool wire_is_abandoned(const struct wire *wire);

#endif
