// What the watch over the cooperative pool needs of C: a beginning before the tests, and the stack of another thread.
#ifndef DOCENT_TEST_SUPPORT_H
#define DOCENT_TEST_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

#define CTEST_MOST_FRAMES 64

/// Starts a detached thread with all signals blocked, named `pool-watch`. Returns 0 or an errno.
int ctest_start_thread(void (*_Nonnull body)(void));

/// The return addresses on the stack of another thread of this process, innermost first.
///
/// The thread is interrupted by a signal; a system call that it waits in may end with EINTR. One caller at a time.
/// Returns how many there are, at most CTEST_MOST_FRAMES; 0 when the thread is gone or did not answer within five
/// seconds.
int ctest_stack(int32_t thread, uintptr_t *_Nonnull frames);

/// The file of the program or library that an address lies in, and the offset in it; null when it lies in none.
const char *_Nullable ctest_image(uintptr_t address, uintptr_t *_Nonnull offset);

/// The file of this program, as ctest_image() gives it.
const char *_Nonnull ctest_program(void);

/// Where `needle` begins in `bytes`; -1 when it is not there.
long ctest_find(const void *_Nonnull bytes, size_t count, const void *_Nonnull needle, size_t length);

#endif

