// Linux calls that Swift cannot make: they are variadic, too new for the C library's overlay, or defined by macros.
//
// A function that can fail returns a negative errno, captured directly after the system call: if Swift code reads errno
// itself, reference counting may have changed it. Interrupted calls are repeated where that is safe. All descriptors
// created here are close-on-exec.
#ifndef CLINUX_H
#define CLINUX_H

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

// Flags of open that are missing or unusable in Swift's overlay. All have the values of the C library.
extern const int CLINUX_O_RDONLY;
extern const int CLINUX_O_WRONLY;
extern const int CLINUX_O_RDWR;
extern const int CLINUX_O_ACCMODE;
extern const int CLINUX_O_PATH;
extern const int CLINUX_O_TMPFILE;
extern const int CLINUX_O_CREAT;
extern const int CLINUX_O_EXCL;
extern const int CLINUX_O_TRUNC;
extern const int CLINUX_O_DIRECTORY;
extern const int CLINUX_O_NOFOLLOW;
extern const int CLINUX_O_NONBLOCK;
extern const int CLINUX_AT_FDCWD;
extern const int CLINUX_AT_REMOVEDIR;

// Flags of renameat2.
extern const unsigned CLINUX_RENAME_NOREPLACE;
extern const unsigned CLINUX_RENAME_EXCHANGE;

// flock operations.
extern const int CLINUX_LOCK_EX;
extern const int CLINUX_LOCK_NB;

// fallocate modes.
extern const int CLINUX_FALLOC_KEEP_SIZE;
extern const int CLINUX_FALLOC_PUNCH_HOLE;

// Seals of a memory file.
extern const int CLINUX_SEAL_SEAL;
extern const int CLINUX_SEAL_SHRINK;
extern const int CLINUX_SEAL_GROW;
extern const int CLINUX_SEAL_FUTURE_WRITE;

// The flag of posix_spawn that gives the program a session of its own.
extern const int CLINUX_SPAWN_SETSID;

// File system types as statfs reports them.
extern const uint64_t CLINUX_MAGIC_PROC;
extern const uint64_t CLINUX_MAGIC_SYSFS;
extern const uint64_t CLINUX_MAGIC_FUSE;
extern const uint64_t CLINUX_MAGIC_NFS;
extern const uint64_t CLINUX_MAGIC_SMB2;
extern const uint64_t CLINUX_MAGIC_CIFS;
extern const uint64_t CLINUX_MAGIC_CEPH;
extern const uint64_t CLINUX_MAGIC_V9FS;
extern const uint64_t CLINUX_MAGIC_AFS;

/// The result of statx.
typedef struct clinux_stat {
    uint64_t inode;
    uint64_t device;            // makedev(major, minor)
    uint64_t size;              // bytes
    uint64_t blocks;            // of 512 bytes
    int64_t modified_seconds;
    int64_t changed_seconds;
    int64_t born_seconds;       // 0 when has_born is 0
    uint32_t modified_nanoseconds;
    uint32_t changed_nanoseconds;
    uint32_t born_nanoseconds;
    uint32_t has_born;          // 1 when the file system records a birth time
    uint32_t mode;              // type and permissions
    uint32_t links;
    uint32_t owner;
    uint32_t group;
} clinux_stat;

/// The result of statfs.
typedef struct clinux_file_system {
    uint64_t magic;
    uint64_t block_size;        // bytes
    uint64_t available_blocks;  // for an ordinary user
    uint64_t total_blocks;
} clinux_file_system;

// Opening. O_CLOEXEC is always added to the flags.
int clinux_open(const char *_Nonnull path, int flags, uint32_t mode);
int clinux_openat(int directory, const char *_Nonnull path, int flags, uint32_t mode);
/// openat2 with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and RESOLVE_NO_MAGICLINKS.
int clinux_openat_beneath(int directory, const char *_Nonnull path, int flags, uint32_t mode);
/// The same with RESOLVE_NO_XDEV, for Docent's own directories, where nothing is mounted.
int clinux_openat_inside(int directory, const char *_Nonnull path, int flags, uint32_t mode);
/// openat2 with RESOLVE_BENEATH, RESOLVE_NO_MAGICLINKS and RESOLVE_NO_XDEV: links are followed as long as they stay
/// beneath.
int clinux_openat_following(int directory, const char *_Nonnull path, int flags);
/// Opens the same file again through /proc/self/fd, with a new offset and new flags.
int clinux_reopen(int fd, int flags);

// Returns the free memory of all malloc arenas to the system.
void clinux_give_back_memory(void);
int clinux_close(int fd);
int clinux_dup(int fd);

/// dup3(2): makes `over` a close-on-exec copy of `fd`. What `over` was is closed. Returns 0 or -errno.
int clinux_dup_over(int fd, int over);
/// A copy with a number of at least `least`.
int clinux_dup_above(int fd, int least);
int clinux_get_status_flags(int fd);
int clinux_set_status_flags(int fd, int flags);
int clinux_set_close_on_exec(int fd, int on);

// Data.
ssize_t clinux_read(int fd, void *_Nonnull buffer, size_t count);
ssize_t clinux_pread(int fd, void *_Nonnull buffer, size_t count, int64_t offset);
ssize_t clinux_write(int fd, const void *_Nonnull buffer, size_t count);
ssize_t clinux_pwrite(int fd, const void *_Nonnull buffer, size_t count, int64_t offset);
/// copy_file_range at explicit offsets, which are not changed.
ssize_t clinux_copy_file_range(int source, int64_t source_offset, int target, int64_t target_offset, size_t count);
/// Makes `target` share the blocks of `source` (FICLONE).
int clinux_clone(int source, int target);
int clinux_fallocate(int fd, int mode, int64_t offset, int64_t length);
int clinux_ftruncate(int fd, int64_t length);
int clinux_fsync(int fd);
int clinux_fdatasync(int fd);
/// The next data at or after `offset` (SEEK_DATA), or -ENXIO. Moves the descriptor's offset.
int64_t clinux_seek_data(int fd, int64_t offset);

// Metadata.
int clinux_stat_fd(int fd, clinux_stat *_Nonnull result);
/// Does not follow a link at the end of `path`.
int clinux_stat_at(int directory, const char *_Nonnull path, clinux_stat *_Nonnull result);
int clinux_statfs_fd(int fd, clinux_file_system *_Nonnull result);
int clinux_is_regular(uint32_t mode);
int clinux_is_directory(uint32_t mode);
int clinux_is_link(uint32_t mode);

// Names.
int clinux_renameat2(int from_directory, const char *_Nonnull from, int to_directory, const char *_Nonnull to,
                     unsigned flags);
int clinux_linkat(int from_directory, const char *_Nonnull from, int to_directory, const char *_Nonnull to);
int clinux_unlinkat(int directory, const char *_Nonnull name, int flags);
int clinux_mkdirat(int directory, const char *_Nonnull name, uint32_t mode);
// Reads a symbolic link's target, without a terminator. Returns the length, which is `size` if there may be more, or
// -errno.
int clinux_readlinkat(int directory, const char *_Nonnull name, char *_Nonnull buffer, int size);
// 1 if names in an open directory that differ only in case are known to be the same, otherwise 0.
int clinux_ignores_case(int directory);
int clinux_symlinkat(const char *_Nonnull target, int directory, const char *_Nonnull name);
/// Fills `buffer` with the kernel's directory records; returns 0 at the end.
ssize_t clinux_getdents(int fd, void *_Nonnull buffer, size_t count);
/// Reads the record at `offset` in such a buffer: its name and type (DT_*). Returns the offset of the next record.
size_t clinux_directory_record(const void *_Nonnull buffer, size_t offset,
                               const char *_Nullable *_Nonnull name, uint8_t *_Nonnull type);
int clinux_mkfifoat(int directory, const char *_Nonnull name, uint32_t mode);

// Attributes.
int clinux_fchmod(int fd, uint32_t mode);
int clinux_fchown(int fd, uint32_t owner, uint32_t group);
int clinux_set_times(int fd, int64_t modified_seconds, uint32_t modified_nanoseconds);
ssize_t clinux_list_attributes(int fd, char *_Nullable list, size_t size);
ssize_t clinux_get_attribute(int fd, const char *_Nonnull name, void *_Nullable value, size_t size);
/// The same by a path, whose last link is not followed. Opens nothing: opening may fetch a document.
ssize_t clinux_get_attribute_of(const char *_Nonnull path, const char *_Nonnull name, void *_Nullable value, size_t size);
int clinux_set_attribute(int fd, const char *_Nonnull name, const void *_Nonnull value, size_t size);

// Locks and leases.
int clinux_flock(int fd, int operation);
/// F_SETLEASE. A broken lease is reported by SIGURG, which is ignored unless handled (the default, SIGIO, kills).
int clinux_set_lease(int fd, int type);
/// 1 if an open file description can still write the file of `fd`, 0 if none can. `fd` must be read-only.
int clinux_has_writer(int fd);

// Memory.
int clinux_memory_file(const char *_Nonnull name, int allow_sealing);
int clinux_add_seals(int fd, int seals);
/// Maps `length` bytes from the start, shared. `*address` is set only on success.
int clinux_map_shared(int fd, size_t length, int writable, void *_Nullable *_Nonnull address);
int clinux_unmap(void *_Nonnull address, size_t length);

// Processes.
int clinux_gettid(void);
int clinux_pidfd_open(int pid, unsigned flags);
int clinux_pidfd_send_signal(int pidfd, int signal);

// 64-bit words shared between processes. `address` must be aligned to 8 bytes.
static inline uint64_t clinux_atomic_load(const void *_Nonnull address) {
    return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

static inline void clinux_atomic_store(void *_Nonnull address, uint64_t value) {
    __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE);
}

/// Adds and returns the new value.
static inline uint64_t clinux_atomic_add(void *_Nonnull address, uint64_t value) {
    return __atomic_add_fetch((uint64_t *)address, value, __ATOMIC_SEQ_CST);
}

#ifdef __cplusplus
}
#endif

// Processes.
/// A close-on-exec pipe: ends[0] reads, ends[1] writes.
int clinux_pipe(int *_Nonnull ends);

/// Asks for room for `size` bytes in a pipe. Returns the room, or -errno; the pipe then keeps the room that it has.
int clinux_pipe_room(int pipe, int size);

/// splice(2): moves up to `length` bytes from a pipe to a file at `offset`, without waiting for the pipe. Returns the
/// number of bytes, 0 at the pipe's end, or -errno.
long long clinux_splice(int pipe, int file, long long offset, unsigned long long length);
/// Adds to what posix_spawn does before it executes a program: close all descriptors from `first` on. Returns 0 or an
/// error number, like the functions of its kind.
int clinux_spawn_closing_from(posix_spawn_file_actions_t *_Nonnull actions, int first);
/// The same: change the working directory.
int clinux_spawn_in_folder(posix_spawn_file_actions_t *_Nonnull actions, const char *_Nonnull path);
/// Waits for a child and stores its raw status. Returns 0 or a negative errno.
int clinux_wait(int process, int *_Nonnull status);
/// Waits for the child of a pidfd; -ECHILD if it is not, or no longer, a child of this process.
int clinux_wait_pidfd(int pidfd);
/// Makes messages that arrive on a Unix socket carry their senders' credentials.
int clinux_pass_credentials(int socket);
/// Reads a message. `*process` is the sender's process number in this namespace, or 0 if unknown.
ssize_t clinux_receive_from(int socket, void *_Nonnull buffer, size_t count, int *_Nonnull process);

/// A detached, read-only, nosuid and nodev view of a file, or of a directory with everything in it, as an O_PATH
/// descriptor that is valid until closed. A helper process in its own user namespace creates it. -EPERM, -ENOSYS or
/// similar if the kernel does not allow it for this user. -ELOOP for a path with links, unless they are followed.
int clinux_read_only_view(const char *_Nonnull path, int follows_links);

/// 1 if the file is open elsewhere than by this descriptor, or if that is unknown; otherwise 0.
int clinux_is_open_elsewhere(int descriptor);

/// The kernel's Landlock version; 0 if it has none.
int clinux_landlock_version(void);
/// 1 if the kernel supports system call filters.
int clinux_has_seccomp(void);

/// Sets whether the process leaves core dumps and whether other processes of the user may read its memory; 0 for
/// neither. Returns 0 or a negative errno.
int clinux_set_dumpable(int is_dumpable);

/// The path of the file that a symbol of this process was loaded from, owned by the loader; null if there is none.
const char *_Nullable clinux_file_of_symbol(const char *_Nonnull symbol);

#endif
