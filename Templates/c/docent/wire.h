// Messages on a stream socket: JSON with a NUL at its end, file descriptors beside it.
#ifndef DOCENT_WIRE_H
#define DOCENT_WIRE_H

#include "json.h"

#define WIRE_MESSAGE_BYTES (1 << 20)
#define WIRE_DESCRIPTORS 16

// One connection. Used by one thread at a time.
struct wire {
    int socket; // owned
    char *bytes;
    size_t start; // of what was received and not taken
    size_t searched;
    size_t end;
    size_t capacity;
    int descriptors[WIRE_DESCRIPTORS]; // received and not taken, in their order; owned
    size_t descriptor_count;
};

struct wire wire_make(int socket);
void wire_end(struct wire *wire);

// Waits for the next message, as long as it takes; a message that was begun must be complete within 30 seconds. It is
// borrowed until the next call. False: the peer hung up, or broke a rule.
bool wire_receive(struct wire *wire, struct docent_text *message);

// Overwrites a message that was received last, once it is of no more use.
void wire_wipe(struct wire *wire, struct docent_text message);

// Takes the descriptors of the message that was received last, which are to be so many. False: they are not.
bool wire_take_descriptors(struct wire *wire, int *descriptors, size_t count);
// Closes those of a message that nobody understood.
void wire_drop_descriptors(struct wire *wire);

// Sends a message; adds the NUL. False: the peer has not read for 30 seconds, or hung up.
bool wire_send(struct wire *wire, struct buffer *message);

// Whether the peer hung up.
bool wire_is_abandoned(const struct wire *wire);

#endif
