// Content that is sent to a provider and received from it.
#include "call.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// How many bytes are transferred between two progress reports.
static const int64_t step = 256 << 10;

void call_add_progress(const struct docent_call *call, struct buffer *message) {
    json_add_integer(message, "completedBytes", call->position);
    if (call->total >= 0) {
        json_add_integer(message, "totalBytes", call->total);
    }
}

// Reports progress, if the host asked for it. False: the caller has gone.
static bool tell(struct docent_call *call, bool is_fetch) {
    if (docent_is_cancelled(call)) {
        return false;
    }
    if (!call->wants_more || call->position - call->told < step) {
        return true;
    }
    call->told = call->position;
    struct buffer message = {0};
    json_open(&message, NULL, '{');
    json_add_flag(&message, "continues", true);
    json_open(&message, "parameters", '{');
    call_add_progress(call, &message);
    if (is_fetch) {
        json_add_integer(&message, "offset", call->beginning);
    }
    json_close(&message, '}');
    json_close(&message, '}');
    call->is_cancelled = !wire_send(call->wire, &message);
    buffer_end(&message);
    return !call->is_cancelled;
}

static bool fail_with_errno(struct docent_call *call, const char *what) {
    enum docent_error error = errno == ENOSPC || errno == EDQUOT ? DOCENT_INSUFFICIENT_QUOTA : DOCENT_FAILED;
    return docent_fail(call, error, "%s: %s", what, strerror(errno));
}

static bool is_open_for(int descriptor, int unwanted) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & O_PATH) == 0 && (flags & O_ACCMODE) != unwanted;
}

// MARK: Out

bool call_opens_destination(struct docent_call *call) {
    call->total = -1;
    if (!is_open_for(call->content, O_RDONLY)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "The destination is not open for writing.");
    }
    return true;
}

bool docent_begin_content(struct docent_call *call, int64_t offset, int64_t total) {
    if (call->content < 0 || call->has_begun || (offset != 0 && offset != call->resumable)) {
        return docent_fail(call, DOCENT_FAILED, "The content cannot begin at that offset.");
    }
    // Cuts off what follows the bytes that are kept. A new file is left alone: it may have reserved space.
    if (offset < call->resumable && ftruncate(call->content, offset) != 0) {
        return fail_with_errno(call, "The destination cannot be emptied");
    }
    call->has_begun = true;
    call->beginning = offset;
    call->position = offset;
    call->told = offset;
    call->total = total;
    return true;
}

bool docent_write(struct docent_call *call, const void *bytes, size_t count) {
    if (!call->has_begun && !docent_begin_content(call, 0, -1)) {
        return false;
    }
    for (size_t done = 0; done < count;) {
        size_t part = count - done < (size_t)step ? count - done : (size_t)step;
        ssize_t written = pwrite(call->content, (const char *)bytes + done, part, call->position);
        if (written < 0 && errno == ESPIPE) {
            written = write(call->content, (const char *)bytes + done, part);
        }
        if (written < 0 && errno != EINTR) {
            return fail_with_errno(call, "The content cannot be written");
        }
        done += written > 0 ? (size_t)written : 0;
        call->position += written > 0 ? written : 0;
        if (!tell(call, true)) {
            return false;
        }
    }
    return true;
}

bool call_ends_content(struct docent_call *call) {
    if (!call->has_begun && !docent_begin_content(call, 0, 0)) {
        return false;
    }
    if (call->total >= 0 && call->total != call->position) {
        return docent_fail(call, DOCENT_FAILED, "The provider announced a different length from what it delivered.");
    }
    call->total = call->position;
    return true;
}

// MARK: In

bool call_opens_content(struct docent_call *call, int64_t size) {
    struct stat status;
    if (!is_open_for(call->content, O_WRONLY) || fstat(call->content, &status) != 0 || !S_ISREG(status.st_mode)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "The content is not a file that is open for reading.");
    }
    if (size > status.st_size) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "The content is shorter than declared.");
    }
    call->total = size >= 0 ? size : status.st_size;
    return true;
}

ptrdiff_t docent_read(struct docent_call *call, void *bytes, size_t count) {
    int64_t left = call->total - call->position;
    size_t part = left < (int64_t)count ? (size_t)left : count;
    if (call->content < 0 || part == 0) {
        return 0;
    }
    ssize_t taken;
    do {
        taken = pread(call->content, bytes, part, call->position);
    } while (taken < 0 && errno == EINTR);
    if (taken <= 0) {
        docent_fail(call, DOCENT_FAILED, "The content cannot be read: %s",
                    taken < 0 ? strerror(errno) : "it became shorter");
        return -1;
    }
    call->position += taken;
    return tell(call, false) ? taken : -1;
}
