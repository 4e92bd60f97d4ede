// Writing a file provider for Docent in C.
//
// Docent loads your library into a process of its own, with the sandbox already closed, and calls the one symbol that it
// exports (docent_extension.h). You call docent_serve from there with a table of functions; it speaks the protocol, and
// calls your functions. They never see JSON, sockets or other domains.
//
// Words used in the comments:
//   [any thread]  may be called on several threads at once, also for the same domain: guard what you share.
//   borrowed      belongs to the caller; copy what you need after you return.
#ifndef DOCENT_H
#define DOCENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "docent_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

// UTF-8 of a known length. There may be zero bytes in it when it came from outside, and none behind it.
struct docent_text {
    const char *bytes;
    size_t length;
};

struct docent_text docent_text_of(const char *string);
bool docent_text_equal(struct docent_text left, struct docent_text right); // bytes, not letters: é and e´ are two names

// What went wrong, in the words of the interface org.docent.FileProvider.
enum docent_error {
    DOCENT_NO_SUCH_ITEM,       // only when it is certain: the host forgets the item
    DOCENT_NOT_AUTHENTICATED,  // the user has to sign in again
    DOCENT_SERVER_UNREACHABLE, // nothing is lost, the host tries again
    DOCENT_BUSY,               // likewise
    DOCENT_COLLISION,          // the name is taken
    DOCENT_VERSION_OUT_OF_DATE,
    DOCENT_INSUFFICIENT_QUOTA,
    DOCENT_ANCHOR_EXPIRED, // the host lists again
    DOCENT_NOT_SUPPORTED,
    DOCENT_NOT_PERMITTED,
    DOCENT_INVALID_ARGUMENT,
    DOCENT_FAILED
};

// What may be done with an item.
enum {
    DOCENT_CAN_READ = 1,
    DOCENT_CAN_WRITE = 2,
    DOCENT_CAN_RENAME = 4,
    DOCENT_CAN_DELETE = 8,
    DOCENT_CAN_ADD_ITEMS = 16
};

// The identifier of the top folder.
#define DOCENT_ROOT ".root"

// A document or a folder.
struct docent_item {
    struct docent_text identifier; // never changes, whatever becomes of the name; never used again
    struct docent_text parent;     // identifier of its folder; of the top folder: its own
    struct docent_text name;       // at most 255 bytes, no slash
    struct docent_text version;    // changes with the content, at most 128 bytes; empty: none
    bool is_folder;
    int64_t size;              // in bytes; less than 0: not known
    int64_t modification_time; // milliseconds since 1970; 0: not known
    int64_t creation_time;
    unsigned capabilities;
};

// A signed-in account, or the only one there is.
struct docent_domain {
    struct docent_text identifier; // empty for the default one
    struct docent_text display_name;
    struct docent_text storage; // absolute path of a folder that is yours to use
};

// One call, for as long as one of your functions runs.
struct docent_call;

// MARK: What you may do in a call. Only on the thread that your function was called on.

// The call fails. Returns false, so that you can `return docent_fail(…)`. The message is for people, without secrets.
__attribute__((format(printf, 3, 4))) bool docent_fail(
    struct docent_call *call, enum docent_error error, const char *format, ...);

// Whether nobody waits for the call any more; then return false, whatever was done.
bool docent_is_cancelled(struct docent_call *call);

// One item of the answer; what it points to is copied.
void docent_give_item(struct docent_call *call, const struct docent_item *item);
// Of a listing: there is more, to be had with this token (at most 500 bytes).
void docent_give_next_page(struct docent_call *call, struct docent_text token);
// Of changes: an item is gone, and where you are now. `more`: ask again at once with that anchor.
void docent_give_deleted(struct docent_call *call, struct docent_text identifier);
void docent_give_anchor(struct docent_call *call, struct docent_text anchor, bool more);

// Where the content begins that you are going to write with docent_write, and how long it is in all (less than 0: not known). To be
// called once, before docent_write. Everything but `resume.offset` and 0 is an error.
bool docent_begin_content(struct docent_call *call, int64_t offset, int64_t total);
// Writes the next part of the content and tells the host how far it is, which extends the deadline of the call. False: it
// failed, or nobody wants it any more; return false.
bool docent_write(struct docent_call *call, const void *bytes, size_t count);

// The next part of the new content: how many bytes, 0 at its end, less than 0 when it failed or nobody waits; then return
// false. Tells progress like docent_write.
ptrdiff_t docent_read(struct docent_call *call, void *bytes, size_t count);

// The value of a setting of the call's domain, or a text whose `bytes` is NULL. Borrowed until your function returns.
struct docent_text docent_setting(struct docent_call *call, const char *key);

// MARK: What you implement

// Where an interrupted download may go on: offset > 0 means that so many bytes of that version are there.
struct docent_resume {
    int64_t offset;
    struct docent_text version;
};

// A change that is to be made once, however often it is asked for: an operation that succeeded with that digest is answered
// as before.
struct docent_operation {
    struct docent_text name;
    struct docent_text digest; // SHA-256 of the content; empty where there is none
};

// Your provider. Every function returns whether it succeeded; one that did not has called docent_fail. All texts are
// borrowed. `state` is what `open` made for the domain. Functions that you do not have are NULL: their methods are
// answered with MethodNotImplemented. Which optional ones you have is your list of features.
struct docent_provider {
    const char *name;
    const char *version;

    // Makes what you need for a domain, before its first call. Called again if it fails. [one thread for each domain]
    bool (*open)(struct docent_call *call, const struct docent_domain *domain, void **state);
    // The domain is gone or has other settings; none of its calls runs any more. [any thread]
    void (*close)(void *state);

    // Required. Each gives one item, `children` any number of them (100 or so at once). [any thread]
    bool (*item)(struct docent_call *call, void *state, struct docent_text identifier);
    bool (*child)(struct docent_call *call, void *state, struct docent_text parent, struct docent_text name);
    bool (*children)(struct docent_call *call, void *state, struct docent_text parent, struct docent_text page);
    // Writes the content and gives the item that it belongs to.
    bool (*fetch)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_resume resume);

    // Feature "changes". Without an anchor (`bytes` is NULL): only what the anchor is now. [any thread]
    bool (*changes)(struct docent_call *call, void *state, struct docent_text anchor);

    // Feature "write". `size` of `create` is less than 0 where it is not known, and of folders. Neither ever replaces
    // what it was not told of: COLLISION, VERSION_OUT_OF_DATE. An empty base means any version. [any thread]
    bool (*create)(
        struct docent_call *call, void *state, struct docent_text parent, struct docent_text name, bool is_folder,
        int64_t size, struct docent_operation operation);
    bool (*modify)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, int64_t size,
        struct docent_operation operation);

    // Feature "delete". A folder that is not empty only with `recursive`. [any thread]
    bool (*remove)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, bool recursive);

    // Feature "move". [any thread]
    bool (*move)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base,
        struct docent_text parent, struct docent_text name, struct docent_operation operation);

    // Feature "resume": `fetch` heeds where it may go on.
    bool resumes;
};

// Serves the host until it hangs up. To be called once, from docent_extension_main_v1, whose result it makes.
//
// `provider` stays yours and must not change. When it returns, none of your functions runs any more, but for one that did
// not return within five seconds after the host had gone.
int32_t docent_serve(const struct docent_extension_context_v1 *context, const struct docent_provider *provider);

#ifdef __cplusplus
}
#endif

#endif
