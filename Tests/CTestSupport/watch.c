#define _GNU_SOURCE
#include "CTestSupport.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Of DocentTestSupport.
extern void docent_test_support_begin(void);

// A constructor, because Swift Testing has no place for what is done once before all tests.
__attribute__((constructor)) static void begin(void) { docent_test_support_begin(); }

static void *run(void *body) {
    pthread_setname_np(pthread_self(), "pool-watch");
    ((void (*)(void))body)();
    return NULL;
}

int ctest_start_thread(void (*body)(void)) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run, (void *)body);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0) pthread_detach(thread);
    return error;
}

static void *answer[CTEST_MOST_FRAMES];
static atomic_int wanted;    // The thread that is asked; 0 for none.
static atomic_int answered;  // How many frames it has; -1 while it has not answered.

static void on_signal(int number) {
    (void)number;
    int error = errno;
    int thread = (int)syscall(SYS_gettid);
    if (atomic_exchange(&wanted, 0) == thread) {
        atomic_store(&answered, backtrace(answer, CTEST_MOST_FRAMES));
    }
    errno = error;
}

int ctest_stack(int32_t thread, uintptr_t *frames) {
    static int prepared;
    if (!prepared) {
        prepared = 1;
        // The first call loads libgcc_s, which must not happen in a signal handler.
        backtrace(answer, CTEST_MOST_FRAMES);
        // SIGPROF, because the threads of libdispatch block nearly all others.
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaction(SIGPROF, &action, NULL);
    }
    atomic_store(&answered, -1);
    atomic_store(&wanted, thread);
    if (syscall(SYS_tgkill, getpid(), thread, SIGPROF) != 0) {
        atomic_store(&wanted, 0);
        return 0;
    }
    for (int i = 0; i < 5000; i++) {
        int count = atomic_load(&answered);
        if (count >= 0) {
            for (int k = 0; k < count; k++) frames[k] = (uintptr_t)answer[k];
            return count;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    // A late answer must not be taken for that of the next one who is asked.
    if (atomic_exchange(&wanted, 0) == 0) {
        while (atomic_load(&answered) < 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return 0;
}

const char *ctest_program(void) {
    // The linker knows the program by what it was started as.
    static char path[4096];
    if (path[0] == 0) {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length < 0 ? 0 : length] = 0;
    }
    return path;
}

const char *ctest_image(uintptr_t address, uintptr_t *offset) {
    Dl_info found, own;
    if (!dladdr((void *)address, &found)) return NULL;
    *offset = address - (uintptr_t)found.dli_fbase;
    int is_own = dladdr((void *)ctest_image, &own) && own.dli_fbase == found.dli_fbase;
    return is_own ? ctest_program() : found.dli_fname;
}
