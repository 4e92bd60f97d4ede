// Writing a file provider for Docent in C.
//
// Docent loads your library into a process of its own, with the sandbox already closed, and calls the one symbol that
// it exports (docent_extension.h). You call docent_serve from there with a table of functions; it speaks the protocol,
// and calls your functions. They never see JSON, sockets or other domains.
//
// Words used in the comments: [any thread]  may be called on several threads at once, also for the same domain: guard
// what you share. borrowed      belongs to the caller; copy what you need after you return.
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
    struct docent_text folder;  // of a provider of local files: what the domain shows; `bytes` is NULL where there is none
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

// Where the content begins that you are going to write with docent_write, and how long it is in all (less than 0: not
// known). To be called once, before docent_write. Everything but `resume.offset` and 0 is an error.
bool docent_begin_content(struct docent_call *call, int64_t offset, int64_t total);
// Writes the next part of the content and tells the host how far it is, which extends the deadline of the call. False:
// it failed, or nobody wants it any more; return false.
bool docent_write(struct docent_call *call, const void *bytes, size_t count);

// The next part of the new content: how many bytes, 0 at its end, less than 0 when it failed or nobody waits; then
// return false. Tells progress like docent_write.
ptrdiff_t docent_read(struct docent_call *call, void *bytes, size_t count);

// The value of a setting of the call's domain, or a text whose `bytes` is NULL. Borrowed until your function returns.
struct docent_text docent_setting(struct docent_call *call, const char *key);

// A call that has failed goes on after all: what failed was made up for. For docent_ask, above all.
void docent_recover(struct docent_call *call);

// Of `modify` and `commit_package`: the item was not at its base version, and what was there is kept beside it as this
// one.
void docent_give_conflict(struct docent_call *call, struct docent_text identifier);

// MARK: What is kept beside the content (feature "metadata"). In `create`, `modify` and `commit_package`.

struct docent_metadata {
    int64_t creation_time; // milliseconds since 1970; 0: as it comes
    int64_t modification_time;
    int hidden_extension; // 1: hidden, 0: shown, less than 0: as it is
    size_t attribute_count;
    int thumbnail; // a descriptor of a PNG, borrowed; less than 0: none
};

// What there is; all of it "as it is" where nothing came. Keep what you can, and ignore the rest.
struct docent_metadata docent_metadata(struct docent_call *call);
// An extended attribute: its name (`user.…`), and its value, which may be any bytes. False: there is none of that
// number, or it makes no sense, and the call has failed. Borrowed until your function returns.
bool docent_attribute(struct docent_call *call, size_t index, struct docent_text *name, struct docent_text *value);

// MARK: Signing in (feature "signIn"; with `forms` also "authenticate")

enum docent_field_kind { DOCENT_FIELD_TEXT, DOCENT_FIELD_URL, DOCENT_FIELD_SECRET, DOCENT_FIELD_CHOICE, DOCENT_FIELD_CONFIRM };

struct docent_choice {
    const char *value, *label;
};

// One thing that a person is asked for. What may be left out is NULL.
struct docent_field {
    const char *key, *label;
    enum docent_field_kind kind; // CONFIRM is answered by "yes" or "no"
    const char *value;           // the default; never of a secret
    const char *help;
    bool is_optional;
    bool is_multiline; // the answer may have several lines, such as a private key; it then ends with a line feed
    const struct docent_choice *choices;
    size_t choice_count;
};

// A way to sign in. Answers that are no secret become settings of the domain by their keys.
struct docent_form {
    const char *identifier, *title, *help;
    const struct docent_field *fields;
    size_t field_count;
    const struct docent_field *questions; // what docent_ask may ask for, so that a script can prepare the answers
    size_t question_count;
    bool uses_browser; // a browser on this machine, which is sent back: docent_open, docent_await_browser
    bool uses_code;    // a code that is typed into a browser anywhere: docent_show_code
};

// What a domain signs in with. Keep it in memory only, and write it nowhere.
struct docent_credential {
    struct docent_text kind; // "password", "token" or "oauth", the last with a secret that is your own text
    struct docent_text username; // `bytes` is NULL: none
    struct docent_text secret;
};

// The account's name for people. In `sign_in` and `authenticate`.
void docent_give_account(struct docent_call *call, struct docent_text name);

// All that follows is for `authenticate` alone.

// The answer to a field of the form, secrets included; `bytes` is NULL where it was left empty. Borrowed.
struct docent_text docent_answer(struct docent_call *call, const char *key);
// Asks the person, and waits for the answer at most so many seconds (900 at most; 300 is usual). Borrowed. False:
// nobody can be asked, or nobody answered, and the call has failed with NOT_AUTHENTICATED, which docent_recover takes
// back; or nobody waits for the call any more. At most 16 questions in a call.
bool docent_ask(struct docent_call *call, const struct docent_field *question, int seconds, struct docent_text *answer);
// Tells the person something, which extends the deadline. False: nobody waits for the call any more.
bool docent_show_message(struct docent_call *call, const char *text);
// Shows a code to be typed at an address, in a browser anywhere. `expires`: milliseconds since 1970; 0: not known.
bool docent_show_code(struct docent_call *call, const char *code, const char *url, int64_t expires);
// The address on this machine that a browser may be sent back to; `bytes` is NULL: there is no browser here. Borrowed.
struct docent_text docent_redirect(struct docent_call *call);
// Sends a browser on this machine to an address.
bool docent_open(struct docent_call *call, const char *url);
// Waits until it was sent back, at most so many seconds: the whole address, which comes from outside. Borrowed.
bool docent_await_browser(struct docent_call *call, int seconds, struct docent_text *url);
// What the host keeps and gives to `sign_in` from now on. To be called once; the secret must not be empty.
void docent_give_credential(struct docent_call *call, struct docent_credential credential);
// A setting of the domain. Where you give any, they take the place of the answers that are no secrets.
void docent_give_setting(struct docent_call *call, const char *key, struct docent_text value);

// MARK: News. [any thread], also outside calls, between the start and the end of docent_serve. They never wait.

// An item, or the list of a folder, changed.
void docent_signal_changed(struct docent_text domain, struct docent_text identifier);
// An item is gone, for certain.
void docent_signal_deleted(struct docent_text domain, struct docent_text identifier);
// Something changed, and it is not known what: the host looks at everything again.
void docent_signal_resync(struct docent_text domain);
// A line for the host's log, without secrets.
__attribute__((format(printf, 2, 3))) void docent_log(struct docent_text domain, const char *format, ...);

// MARK: Names that are not UTF-8

// Names and identifiers are UTF-8. These make text of any bytes, with \xHH in place of each that is not UTF-8, and the
// same bytes of that text. Both return the length of the whole result, of which at most `size` bytes are written; there
// is no NUL behind it.
size_t docent_escape(const void *bytes, size_t length, char *text, size_t size);
size_t docent_unescape(struct docent_text text, void *bytes, size_t size);

// MARK: Packages (feature "packages"): folders that are one document

// What a package consists of afterwards. A `version`: unchanged from what is there, at that version, and not sent.
// `from`: it is there at this path, and is at `path` afterwards. What does not apply has `bytes` NULL; a size less than
// 0 is not known.
struct docent_element {
    struct docent_text path;
    bool is_folder;
    int64_t size;
    struct docent_text digest, version, from;
};

// Which package: an existing one, or a new one of that name.
struct docent_package {
    struct docent_text identifier; // `bytes` is NULL: a new one
    struct docent_text base;       // the version that an existing one is to have; empty: any
    struct docent_text parent, name;
};

// Of `begin_package`: the content at this path is still to be sent.
void docent_give_needed(struct docent_call *call, struct docent_text path);

// MARK: What you implement

// Where an interrupted download may go on: offset > 0 means that so many bytes of that version are there.
struct docent_resume {
    int64_t offset;
    struct docent_text version;
};

// A change that is to be made once, however often it is asked for: an operation that succeeded with that digest is
// answered as before.
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

    // Feature "metadata": docent_metadata is kept.
    bool keeps_metadata;

    // Feature "signIn". `sign_in` takes what the domain signs in with from now on, and asks the service;
    // NOT_AUTHENTICATED when that refuses it. Without username and secret: ask what is known already. `sign_out`
    // forgets it. Both or neither. [any thread]
    bool (*sign_in)(struct docent_call *call, void *state, struct docent_credential credential);
    void (*sign_out)(void *state);

    // Feature "authenticate": tries the answers to one of the forms with the service, and gives a credential. The
    // domain need not be there yet: there is no state, and nothing is to be kept. docent_setting knows its settings.
    // [any thread]
    const struct docent_form *forms;
    size_t form_count;
    bool (*authenticate)(
        struct docent_call *call, const struct docent_domain *domain, const struct docent_form *form);

    // Somebody presents the item, and wants news of it (docent_signal_changed), or no longer. A folder stands for what
    // is in it. [any thread]
    bool (*observe)(struct docent_call *call, void *state, struct docent_text identifier, bool observing);

    // Feature "packages": replaces a package as a whole. `begin_package` gives what is needed; `stage_element` reads
    // the content of one with docent_read; `commit_package` puts it in its place and gives the item. Each may come
    // again, and is answered as before. All or none. [any thread]
    bool (*begin_package)(
        struct docent_call *call, void *state, struct docent_package package, const struct docent_element *elements,
        size_t count, struct docent_operation operation);
    bool (*stage_element)(
        struct docent_call *call, void *state, struct docent_text operation, struct docent_text path, int64_t size,
        struct docent_text digest);
    bool (*commit_package)(struct docent_call *call, void *state, struct docent_text operation);
};

// Serves the host until it hangs up. To be called once, from docent_extension_main_v1, whose result it makes.
//
// `provider` stays yours and must not change. When it returns, none of your functions runs any more, but for one that
// did not return within five seconds after the host had gone.
int32_t docent_serve(const struct docent_extension_context_v1 *context, const struct docent_provider *provider);

#ifdef __cplusplus
}
#endif

#endif
