// Writing a file provider for Docent in C.
//
// Docent loads your library into its own process, with the sandbox already active, and calls the one symbol that it
// exports (docent_extension.h). Call docent_serve from there with a table of functions. It implements the protocol and
// calls your functions, which never see JSON, sockets or other domains.
//
// Terms used in the comments:
//   [any thread]  may be called on several threads at once, even for the same domain: guard shared data.
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

// UTF-8 text of a known length. Text from outside may contain zero bytes, and has none after it.
struct docent_text {
    const char *bytes;
    size_t length;
};

struct docent_text docent_text_of(const char *string);
bool docent_text_equal(struct docent_text left, struct docent_text right); // by bytes: é and e´ differ

// The errors of the interface org.docent.FileProvider.
enum docent_error {
    DOCENT_NO_SUCH_ITEM,       // only if that is certain: the host forgets the item
    DOCENT_NOT_AUTHENTICATED,  // the user has to sign in again
    DOCENT_SERVER_UNREACHABLE, // nothing is lost: the host tries again
    DOCENT_BUSY,               // likewise
    DOCENT_COLLISION,          // the name is taken
    DOCENT_VERSION_OUT_OF_DATE,
    DOCENT_INSUFFICIENT_QUOTA,
    DOCENT_ANCHOR_EXPIRED, // the host lists everything again
    DOCENT_NOT_SUPPORTED,
    DOCENT_NOT_PERMITTED,
    DOCENT_INVALID_ARGUMENT,
    DOCENT_FAILED
};

// What can be done with an item.
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
    struct docent_text identifier; // never changes, not even with the name; never reused
    struct docent_text parent;     // identifier of its folder; for the top folder its own
    struct docent_text name;       // at most 255 bytes, no slash
    struct docent_text version;    // changes with the content, at most 128 bytes; empty: none
    bool is_folder;
    int64_t size;              // in bytes; less than 0: unknown
    int64_t modification_time; // milliseconds since 1970; 0: unknown
    int64_t creation_time;
    unsigned capabilities;
};

// A signed-in account, or the only one.
struct docent_domain {
    struct docent_text identifier; // empty for the default one
    struct docent_text display_name;
    struct docent_text storage; // absolute path of a folder for your own files
    struct docent_text folder;  // for local files: the folder that the domain shows; else `bytes` is NULL
};

// One call. Valid while one of your functions runs.
struct docent_call;

// MARK: What you can do in a call. Only on the thread on which your function was called.

// Makes the call fail. Returns false, so that you can `return docent_fail(…)`. The message is for people and must not
// contain secrets.
__attribute__((format(printf, 3, 4))) bool docent_fail(
    struct docent_call *call, enum docent_error error, const char *format, ...);

// Whether the caller has gone; if so, return false, whatever has been done.
bool docent_is_cancelled(struct docent_call *call);

// Adds an item to the answer. The item is copied.
void docent_give_item(struct docent_call *call, const struct docent_item *item);
// For a listing: there is another page, with this token (at most 500 bytes).
void docent_give_next_page(struct docent_call *call, struct docent_text token);
// For changes: an item is gone; the current anchor. `more`: the host should ask again at once with that anchor.
void docent_give_deleted(struct docent_call *call, struct docent_text identifier);
void docent_give_anchor(struct docent_call *call, struct docent_text anchor, bool more);

// Announces where the content begins that docent_write writes, and its total length (less than 0: unknown). Call it
// once, before docent_write. Any offset other than `resume.offset` and 0 is an error.
bool docent_begin_content(struct docent_call *call, int64_t offset, int64_t total);
// Writes the next part of the content and reports progress, which extends the deadline of the call. False: it failed,
// or the content is no longer wanted; return false.
bool docent_write(struct docent_call *call, const void *bytes, size_t count);

// Reads the next part of the new content. Returns the number of bytes, 0 at the end, and less than 0 when it failed or
// the caller has gone; then return false. Reports progress like docent_write.
ptrdiff_t docent_read(struct docent_call *call, void *bytes, size_t count);

// The value of a setting of the call's domain; `bytes` is NULL if it is not set. Borrowed until your function returns.
struct docent_text docent_setting(struct docent_call *call, const char *key);

// Clears the failure of a call, so that it can continue. Mainly for use after docent_ask.
void docent_recover(struct docent_call *call);

// For `modify` and `commit_package`: the item did not have its base version, and its previous content is kept as this
// item.
void docent_give_conflict(struct docent_call *call, struct docent_text identifier);

// MARK: Metadata beside the content (feature "metadata"), in `create`, `modify` and `commit_package`.

struct docent_metadata {
    int64_t creation_time; // milliseconds since 1970; 0: not specified
    int64_t modification_time;
    int hidden_extension; // 1: hidden, 0: shown, less than 0: unchanged
    size_t attribute_count;
    int thumbnail; // a borrowed descriptor of a PNG; less than 0: none
};

// The metadata of the call; without any, all values are "unchanged". Keep what you can, and ignore the rest.
struct docent_metadata docent_metadata(struct docent_call *call);
// Reads an extended attribute: its name (`user.…`) and its value, which may be any bytes. False: there is none with
// that index, or it is invalid and the call has failed. Borrowed until your function returns.
bool docent_attribute(struct docent_call *call, size_t index, struct docent_text *name, struct docent_text *value);

// MARK: Signing in (feature "signIn"; with `forms` also "authenticate")

enum docent_field_kind { DOCENT_FIELD_TEXT, DOCENT_FIELD_URL, DOCENT_FIELD_SECRET, DOCENT_FIELD_CHOICE, DOCENT_FIELD_CONFIRM };

struct docent_choice {
    const char *value, *label;
};

// One field of a form. Optional members may be NULL.
struct docent_field {
    const char *key, *label;
    enum docent_field_kind kind; // the answer to CONFIRM is "yes" or "no"
    const char *value;           // the default; never for a secret
    const char *help;
    bool is_optional;
    bool is_multiline; // the answer may have several lines, as a private key does; it then ends with a line feed
    const struct docent_choice *choices;
    size_t choice_count;
};

// A form to sign in with. Answers that are not secret become settings of the domain, named after their keys.
struct docent_form {
    const char *identifier, *title, *help;
    const struct docent_field *fields;
    size_t field_count;
    const struct docent_field *questions; // questions that docent_ask may ask, so that a script can prepare the answers
    size_t question_count;
    bool uses_browser; // a browser on this machine, which is redirected: docent_open, docent_await_browser
    bool uses_code;    // a code for a browser on any machine: docent_show_code
};

// What a domain signs in with. Keep it in memory only, and never write it to a file or a log.
struct docent_credential {
    struct docent_text kind; // "password", "token" or "oauth"; the secret of the last one is a text of your own
    struct docent_text username; // `bytes` is NULL: none
    struct docent_text secret;
};

// Sets the account's display name, in `sign_in` and `authenticate`.
void docent_give_account(struct docent_call *call, struct docent_text name);

// The following functions are only for `authenticate`.

// The answer to a field of the form, including secrets; `bytes` is NULL if it was left empty. Borrowed.
struct docent_text docent_answer(struct docent_call *call, const char *key);
// Asks the person and waits at most this many seconds for the answer (no more than 900; 300 is usual). Borrowed. False:
// no person can be asked, or there was no answer, and the call has failed with NOT_AUTHENTICATED, which docent_recover
// clears; or the caller has gone. At most 16 questions in a call.
bool docent_ask(struct docent_call *call, const struct docent_field *question, int seconds, struct docent_text *answer);
// Shows a message to the person, which extends the deadline. False: the caller has gone.
bool docent_show_message(struct docent_call *call, const char *text);
// Shows a code to be typed at an address, in a browser on any machine. `expires`: milliseconds since 1970; 0: unknown.
bool docent_show_code(struct docent_call *call, const char *code, const char *url, int64_t expires);
// The address on this machine that a browser can be redirected to; `bytes` is NULL if there is no browser here.
// Borrowed.
struct docent_text docent_redirect(struct docent_call *call);
// Opens an address in a browser on this machine.
bool docent_open(struct docent_call *call, const char *url);
// Waits at most this many seconds until the browser is redirected. `url` is the whole address, which comes from
// outside. Borrowed.
bool docent_await_browser(struct docent_call *call, int seconds, struct docent_text *url);
// Sets what the host keeps and passes to `sign_in` from now on. Call it once; the secret must not be empty.
void docent_give_credential(struct docent_call *call, struct docent_credential credential);
// Adds a setting of the domain. If you add any, they replace the answers that are not secret.
void docent_give_setting(struct docent_call *call, const char *key, struct docent_text value);

// MARK: Events. [any thread], also outside calls, between the start and the end of docent_serve. They never wait.

// An item changed, or the listing of a folder.
void docent_signal_changed(struct docent_text domain, struct docent_text identifier);
// An item is certainly gone.
void docent_signal_deleted(struct docent_text domain, struct docent_text identifier);
// Something unknown changed: the host checks everything again.
void docent_signal_resync(struct docent_text domain);
// Writes a line to the host's log. It must not contain secrets.
__attribute__((format(printf, 2, 3))) void docent_log(struct docent_text domain, const char *format, ...);

// MARK: Names that are not UTF-8

// Names and identifiers are UTF-8. These functions convert any bytes to text, with \xHH for each byte that is not
// UTF-8, and back. Both return the length of the whole result, of which at most `size` bytes are written, without a
// terminating NUL.
size_t docent_escape(const void *bytes, size_t length, char *text, size_t size);
size_t docent_unescape(struct docent_text text, void *bytes, size_t size);

// MARK: Packages (feature "packages"): folders that look like one document

// An element of a package after the change. With a `version` it is unchanged: it exists at that version and is not
// sent. With `from` its former path was this one. Texts that do not apply have `bytes` NULL; a size less than 0 is
// unknown.
struct docent_element {
    struct docent_text path;
    bool is_folder;
    int64_t size;
    struct docent_text digest, version, from;
};

// The package: an existing one, or a new one with that name.
struct docent_package {
    struct docent_text identifier; // `bytes` is NULL: a new one
    struct docent_text base;       // the expected version of an existing one; empty: any
    struct docent_text parent, name;
};

// For `begin_package`: the content at this path has to be sent.
void docent_give_needed(struct docent_call *call, struct docent_text path);

// MARK: What you implement

// Where an interrupted download may resume: with offset > 0, that many bytes of that version are present.
struct docent_resume {
    int64_t offset;
    struct docent_text version;
};

// A change that must be made only once, even if it is requested again: an operation that succeeded with that digest
// gets the same answer as before.
struct docent_operation {
    struct docent_text name;
    struct docent_text digest; // SHA-256 of the content; empty if there is none
};

// Your provider. Every function returns whether it succeeded; if not, it has called docent_fail. All texts are
// borrowed. `state` is what `open` created for the domain. Functions that you do not implement are NULL: their methods
// are answered with MethodNotImplemented. Your features are the optional functions that you implement.
struct docent_provider {
    const char *name;
    const char *version;

    // Creates what you need for a domain, before its first call. Called again if it fails. [one thread for each domain]
    bool (*open)(struct docent_call *call, const struct docent_domain *domain, void **state);
    // The domain is gone or has other settings, and none of its calls is running any more. [any thread]
    void (*close)(void *state);

    // Required. `item` and `fetch` give one item, `children` any number of them (about 100 per page). [any thread]
    bool (*item)(struct docent_call *call, void *state, struct docent_text identifier);
    bool (*child)(struct docent_call *call, void *state, struct docent_text parent, struct docent_text name);
    bool (*children)(struct docent_call *call, void *state, struct docent_text parent, struct docent_text page);
    // Writes the content and gives the item that it belongs to.
    bool (*fetch)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_resume resume);

    // Feature "changes". Without an anchor (`bytes` is NULL): gives only the current anchor. [any thread]
    bool (*changes)(struct docent_call *call, void *state, struct docent_text anchor);

    // Feature "write". `size` in `create` is less than 0 if it is unknown, and for folders. Neither function may
    // replace anything unseen: COLLISION, VERSION_OUT_OF_DATE. An empty base means any version. [any thread]
    bool (*create)(
        struct docent_call *call, void *state, struct docent_text parent, struct docent_text name, bool is_folder,
        int64_t size, struct docent_operation operation);
    bool (*modify)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, int64_t size,
        struct docent_operation operation);

    // Feature "delete". A folder that is not empty is only deleted with `recursive`. [any thread]
    bool (*remove)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, bool recursive);

    // Feature "move". [any thread]
    bool (*move)(
        struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base,
        struct docent_text parent, struct docent_text name, struct docent_operation operation);

    // Feature "resume": `fetch` uses its resume point.
    bool resumes;

    // Feature "metadata": docent_metadata is kept.
    bool keeps_metadata;

    // Feature "signIn". `sign_in` takes the credential that the domain signs in with from now on, and checks it with
    // the service; NOT_AUTHENTICATED when the service refuses it. Without username and secret: use what is known
    // already. `sign_out` forgets it. Implement both or neither. [any thread]
    bool (*sign_in)(struct docent_call *call, void *state, struct docent_credential credential);
    void (*sign_out)(void *state);

    // Feature "authenticate": checks the answers to one of the forms with the service, and gives a credential. The
    // domain need not exist yet: there is no state, and nothing must be kept. docent_setting reads its settings. [any
    // thread]
    const struct docent_form *forms;
    size_t form_count;
    bool (*authenticate)(
        struct docent_call *call, const struct docent_domain *domain, const struct docent_form *form);

    // A client starts or stops presenting the item; report its changes meanwhile (docent_signal_changed). A folder
    // stands for its contents. [any thread]
    bool (*observe)(struct docent_call *call, void *state, struct docent_text identifier, bool observing);

    // Feature "packages": replaces a package as a whole. `begin_package` gives the paths whose content is needed;
    // `stage_element` reads the content of one of them with docent_read; `commit_package` puts the package in its place
    // and gives the item. A repeated call gets the same answer as before. Implement all or none. [any thread]
    bool (*begin_package)(
        struct docent_call *call, void *state, struct docent_package package, const struct docent_element *elements,
        size_t count, struct docent_operation operation);
    bool (*stage_element)(
        struct docent_call *call, void *state, struct docent_text operation, struct docent_text path, int64_t size,
        struct docent_text digest);
    bool (*commit_package)(struct docent_call *call, void *state, struct docent_text operation);
};

// Serves the host until it closes the connection. Call it once, from docent_extension_main_v1, and return its result.
//
// `provider` must stay valid and unchanged. When it returns, none of your functions is running any more, except one
// that did not return within five seconds after the host had gone.
int32_t docent_serve(const struct docent_extension_context_v1 *context, const struct docent_provider *provider);

#ifdef __cplusplus
}
#endif

#endif
