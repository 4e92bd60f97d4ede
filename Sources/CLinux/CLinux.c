#define _GNU_SOURCE
#include "CLinux.h"

#include <dlfcn.h>
#include <signal.h>
#include <malloc.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

const int CLINUX_O_RDONLY = O_RDONLY;
const int CLINUX_O_WRONLY = O_WRONLY;
const int CLINUX_O_RDWR = O_RDWR;
const int CLINUX_O_ACCMODE = O_ACCMODE;
const int CLINUX_O_PATH = O_PATH;
const int CLINUX_O_TMPFILE = O_TMPFILE;
const int CLINUX_O_CREAT = O_CREAT;
const int CLINUX_O_EXCL = O_EXCL;
const int CLINUX_O_TRUNC = O_TRUNC;
const int CLINUX_O_DIRECTORY = O_DIRECTORY;
const int CLINUX_O_NOFOLLOW = O_NOFOLLOW;
const int CLINUX_O_NONBLOCK = O_NONBLOCK;
const int CLINUX_AT_FDCWD = AT_FDCWD;
const int CLINUX_AT_REMOVEDIR = AT_REMOVEDIR;
const unsigned CLINUX_RENAME_NOREPLACE = RENAME_NOREPLACE;
const unsigned CLINUX_RENAME_EXCHANGE = RENAME_EXCHANGE;
const int CLINUX_LOCK_EX = LOCK_EX;
const int CLINUX_LOCK_NB = LOCK_NB;
const int CLINUX_FALLOC_KEEP_SIZE = FALLOC_FL_KEEP_SIZE;
const int CLINUX_FALLOC_PUNCH_HOLE = FALLOC_FL_PUNCH_HOLE;
const int CLINUX_SEAL_SEAL = F_SEAL_SEAL;
const int CLINUX_SEAL_SHRINK = F_SEAL_SHRINK;
const int CLINUX_SEAL_GROW = F_SEAL_GROW;
const int CLINUX_SEAL_FUTURE_WRITE = F_SEAL_FUTURE_WRITE;
const int CLINUX_SPAWN_SETSID = POSIX_SPAWN_SETSID;
const uint64_t CLINUX_MAGIC_PROC = PROC_SUPER_MAGIC;
const uint64_t CLINUX_MAGIC_SYSFS = SYSFS_MAGIC;
const uint64_t CLINUX_MAGIC_FUSE = 0x65735546;
const uint64_t CLINUX_MAGIC_NFS = NFS_SUPER_MAGIC;
const uint64_t CLINUX_MAGIC_SMB2 = 0xFE534D42;
const uint64_t CLINUX_MAGIC_CIFS = 0xFF534D42;
const uint64_t CLINUX_MAGIC_CEPH = 0x00C36400;
const uint64_t CLINUX_MAGIC_V9FS = V9FS_MAGIC;
const uint64_t CLINUX_MAGIC_AFS = AFS_SUPER_MAGIC;

// Returns the call's value or its negative errno. Repeats the call when a signal interrupts it.
#define RETRYING(type, call)                              \
    do {                                                  \
        type value_;                                      \
        do {                                              \
            value_ = (call);                              \
        } while (value_ == -1 && errno == EINTR);         \
        return value_ == -1 ? -(type)errno : value_;      \
    } while (0)

#define ONCE(call)                                        \
    do {                                                  \
        int value_ = (int)(call);                         \
        return value_ == -1 ? -errno : value_;            \
    } while (0)

int clinux_open(const char *path, int flags, uint32_t mode) {
    RETRYING(int, open(path, flags | O_CLOEXEC, (mode_t)mode));
}

int clinux_openat(int directory, const char *path, int flags, uint32_t mode) {
    RETRYING(int, openat(directory, path, flags | O_CLOEXEC, (mode_t)mode));
}

static int open_resolved(int directory, const char *path, int flags, uint32_t mode, uint64_t resolve) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC);
    how.mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? mode & 07777 : 0;
    how.resolve = resolve;
    // EAGAIN: a concurrent rename interfered, and the kernel asks for a retry. Bounded, so that no one can keep us
    // here.
    for (int attempt = 0;; attempt++) {
        long fd = syscall(SYS_openat2, directory, path, &how, sizeof how);
        if (fd >= 0) return (int)fd;
        if (errno == EINTR) continue;
        if (errno == EAGAIN && attempt < 64) continue;
        return -errno;
    }
}

int clinux_openat_beneath(int directory, const char *path, int flags, uint32_t mode) {
    return open_resolved(directory, path, flags, mode, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int clinux_openat_inside(int directory, const char *path, int flags, uint32_t mode) {
    return open_resolved(directory, path, flags, mode,
                         RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV);
}

int clinux_openat_following(int directory, const char *path, int flags) {
    return open_resolved(directory, path, flags, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV);
}

void clinux_give_back_memory(void) {
    malloc_trim(0);
}

int clinux_reopen(int fd, int flags) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    RETRYING(int, open(path, flags | O_CLOEXEC));
}

// Linux frees the number even when close reports EINTR; a retry could close someone else's descriptor.
int clinux_close(int fd) { ONCE(close(fd)); }
int clinux_dup_over(int fd, int over) { return dup3(fd, over, O_CLOEXEC) >= 0 ? 0 : -errno; }

int clinux_dup_above(int fd, int least) { ONCE(fcntl(fd, F_DUPFD_CLOEXEC, least)); }
int clinux_dup(int fd) { ONCE(fcntl(fd, F_DUPFD_CLOEXEC, 3)); }
int clinux_get_status_flags(int fd) { ONCE(fcntl(fd, F_GETFL)); }
int clinux_set_status_flags(int fd, int flags) { ONCE(fcntl(fd, F_SETFL, flags)); }
int clinux_set_close_on_exec(int fd, int on) { ONCE(fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0)); }

ssize_t clinux_read(int fd, void *buffer, size_t count) { RETRYING(ssize_t, read(fd, buffer, count)); }
ssize_t clinux_write(int fd, const void *buffer, size_t count) { RETRYING(ssize_t, write(fd, buffer, count)); }

ssize_t clinux_pread(int fd, void *buffer, size_t count, int64_t offset) {
    RETRYING(ssize_t, pread(fd, buffer, count, offset));
}

ssize_t clinux_pwrite(int fd, const void *buffer, size_t count, int64_t offset) {
    RETRYING(ssize_t, pwrite(fd, buffer, count, offset));
}

ssize_t clinux_copy_file_range(int source, int64_t source_offset, int target, int64_t target_offset, size_t count) {
    ssize_t copied;
    do {
        loff_t from = source_offset, to = target_offset;
        copied = copy_file_range(source, &from, target, &to, count, 0);
    } while (copied == -1 && errno == EINTR);
    return copied == -1 ? -errno : copied;
}

int clinux_clone(int source, int target) { RETRYING(int, ioctl(target, FICLONE, source)); }

int clinux_fallocate(int fd, int mode, int64_t offset, int64_t length) {
    RETRYING(int, fallocate(fd, mode, offset, length));
}

int clinux_ftruncate(int fd, int64_t length) { RETRYING(int, ftruncate(fd, length)); }

// A failed fsync must not be repeated: the kernel may have dropped the dirty pages and report success next time.
int clinux_fsync(int fd) { ONCE(fsync(fd)); }
int clinux_fdatasync(int fd) { ONCE(fdatasync(fd)); }

int64_t clinux_seek_data(int fd, int64_t offset) { RETRYING(int64_t, lseek(fd, offset, SEEK_DATA)); }

static int clinux_statx(int directory, const char *path, int flags, clinux_stat *result) {
    struct statx from;
    int outcome;
    do {
        outcome = statx(directory, path, flags, STATX_BASIC_STATS | STATX_BTIME, &from);
    } while (outcome == -1 && errno == EINTR);
    if (outcome == -1) return -errno;
    memset(result, 0, sizeof *result);
    result->inode = from.stx_ino;
    result->device = makedev(from.stx_dev_major, from.stx_dev_minor);
    result->size = from.stx_size;
    result->blocks = from.stx_blocks;
    result->modified_seconds = from.stx_mtime.tv_sec;
    result->modified_nanoseconds = from.stx_mtime.tv_nsec;
    result->changed_seconds = from.stx_ctime.tv_sec;
    result->changed_nanoseconds = from.stx_ctime.tv_nsec;
    result->has_born = (from.stx_mask & STATX_BTIME) != 0;
    if (result->has_born) {
        result->born_seconds = from.stx_btime.tv_sec;
        result->born_nanoseconds = from.stx_btime.tv_nsec;
    }
    result->mode = from.stx_mode;
    result->links = from.stx_nlink;
    result->owner = from.stx_uid;
    result->group = from.stx_gid;
    return 0;
}

int clinux_stat_fd(int fd, clinux_stat *result) { return clinux_statx(fd, "", AT_EMPTY_PATH, result); }

int clinux_stat_at(int directory, const char *path, clinux_stat *result) {
    return clinux_statx(directory, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, result);
}

int clinux_statfs_fd(int fd, clinux_file_system *result) {
    struct statfs from;
    int outcome;
    do {
        outcome = fstatfs(fd, &from);
    } while (outcome == -1 && errno == EINTR);
    if (outcome == -1) return -errno;
    result->magic = (uint64_t)(uint32_t)from.f_type;
    result->block_size = (uint64_t)from.f_bsize;
    result->available_blocks = from.f_bavail;
    result->total_blocks = from.f_blocks;
    return 0;
}

int clinux_is_regular(uint32_t mode) { return S_ISREG(mode); }
int clinux_is_directory(uint32_t mode) { return S_ISDIR(mode); }
int clinux_is_link(uint32_t mode) { return S_ISLNK(mode); }

int clinux_renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
    ONCE(syscall(SYS_renameat2, from_directory, from, to_directory, to, flags));
}

int clinux_linkat(int from_directory, const char *from, int to_directory, const char *to) {
    ONCE(linkat(from_directory, from, to_directory, to, 0));
}

int clinux_unlinkat(int directory, const char *name, int flags) { ONCE(unlinkat(directory, name, flags)); }
int clinux_mkdirat(int directory, const char *name, uint32_t mode) { ONCE(mkdirat(directory, name, (mode_t)mode)); }
int clinux_readlinkat(int directory, const char *name, char *buffer, int size) {
    ONCE((int)readlinkat(directory, name, buffer, (size_t)size));
}

int clinux_ignores_case(int directory) {
    struct statfs system;
    int flags = 0;
    // ext4 and f2fs have a flag for each directory; FAT and exFAT always ignore case.
    if (ioctl(directory, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) != 0) return 1;
    if (fstatfs(directory, &system) != 0) return 0;
    return system.f_type == MSDOS_SUPER_MAGIC || system.f_type == EXFAT_SUPER_MAGIC;
}

int clinux_symlinkat(const char *target, int directory, const char *name) { ONCE(symlinkat(target, directory, name)); }

ssize_t clinux_getdents(int fd, void *buffer, size_t count) {
    RETRYING(ssize_t, syscall(SYS_getdents64, fd, buffer, count));
}

size_t clinux_directory_record(const void *buffer, size_t offset, const char **name, uint8_t *type) {
    const struct dirent64 *record = (const struct dirent64 *)((const char *)buffer + offset);
    *name = record->d_name;
    *type = record->d_type;
    return offset + record->d_reclen;
}

int clinux_mkfifoat(int directory, const char *name, uint32_t mode) { ONCE(mkfifoat(directory, name, (mode_t)mode)); }

int clinux_fchmod(int fd, uint32_t mode) { ONCE(fchmod(fd, (mode_t)mode)); }
int clinux_fchown(int fd, uint32_t owner, uint32_t group) { ONCE(fchown(fd, owner, group)); }

int clinux_set_times(int fd, int64_t modified_seconds, uint32_t modified_nanoseconds) {
    struct timespec times[2] = {{0, UTIME_OMIT}, {modified_seconds, (long)modified_nanoseconds}};
    ONCE(futimens(fd, times));
}

ssize_t clinux_list_attributes(int fd, char *list, size_t size) { RETRYING(ssize_t, flistxattr(fd, list, size)); }

ssize_t clinux_get_attribute(int fd, const char *name, void *value, size_t size) {
    RETRYING(ssize_t, fgetxattr(fd, name, value, size));
}

ssize_t clinux_get_attribute_of(const char *path, const char *name, void *value, size_t size) {
    ssize_t count = lgetxattr(path, name, value, size);
    return count < 0 ? -errno : count;
}

int clinux_set_attribute(int fd, const char *name, const void *value, size_t size) {
    ONCE(fsetxattr(fd, name, value, size, 0));
}


int clinux_flock(int fd, int operation) { RETRYING(int, flock(fd, operation)); }

int clinux_set_lease(int fd, int type) {
    if (type != F_UNLCK && fcntl(fd, F_SETSIG, SIGURG) == -1) return -errno;
    ONCE(fcntl(fd, F_SETLEASE, type));
}


int clinux_has_writer(int fd) {
    int outcome = clinux_set_lease(fd, F_RDLCK);
    if (outcome == -EAGAIN) return 1;
    if (outcome < 0) return outcome;
    clinux_set_lease(fd, F_UNLCK);
    return 0;
}

int clinux_memory_file(const char *name, int allow_sealing) {
    unsigned flags = MFD_CLOEXEC | (allow_sealing ? MFD_ALLOW_SEALING : 0U);
    // Kernels before 6.3 do not know MFD_NOEXEC_SEAL; newer ones may insist on it.
    int fd = allow_sealing ? memfd_create(name, flags | MFD_NOEXEC_SEAL) : -1;
    if (fd == -1) fd = memfd_create(name, flags);
    return fd == -1 ? -errno : fd;
}

int clinux_add_seals(int fd, int seals) { ONCE(fcntl(fd, F_ADD_SEALS, seals)); }

int clinux_map_shared(int fd, size_t length, int writable, void **address) {
    void *mapped = mmap(NULL, length, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) return -errno;
    *address = mapped;
    return 0;
}

int clinux_unmap(void *address, size_t length) { ONCE(munmap(address, length)); }

int clinux_gettid(void) { return (int)syscall(SYS_gettid); }
int clinux_pidfd_open(int pid, unsigned flags) { ONCE(syscall(SYS_pidfd_open, pid, flags)); }

int clinux_pidfd_send_signal(int pidfd, int signal) {
    ONCE(syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0));
}

int clinux_pipe(int *ends) {
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno;
}

int clinux_pipe_room(int pipe, int size) { ONCE(fcntl(pipe, F_SETPIPE_SZ, size)); }

long long clinux_splice(int pipe, int file, long long offset, unsigned long long length) {
    loff_t place = offset;
    ssize_t moved;
    do {
        moved = splice(pipe, NULL, file, &place, length, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    } while (moved < 0 && errno == EINTR);
    return moved < 0 ? -errno : moved;
}

int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int clinux_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int clinux_wait(int process, int *status) {
    while (waitpid(process, status, 0) < 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

int clinux_wait_pidfd(int pidfd) {
    siginfo_t ended;
    memset(&ended, 0, sizeof ended);
    // P_PIDFD, which may be missing in the C library's headers.
    while (waitid((idtype_t)3, (id_t)pidfd, &ended, WEXITED) < 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

int clinux_pass_credentials(int socket) {
    int on = 1;
    ONCE(setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
}

ssize_t clinux_receive_from(int socket, void *buffer, size_t count, int *process) {
    struct iovec part = {.iov_base = buffer, .iov_len = count};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return -errno;
    }
    *process = 0;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS) {
        struct ucred sender;
        memcpy(&sender, CMSG_DATA(header), sizeof sender);
        *process = sender.pid;
    }
    return received;
}

int clinux_landlock_version(void) {
    long version = syscall(444, NULL, 0, 1U);
    return version < 0 ? 0 : (int)version;
}

int clinux_has_seccomp(void) {
    // For a null filter, a kernel with this mode reports EFAULT.
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == -1 && errno == EFAULT;
}

int clinux_set_dumpable(int is_dumpable) {
    return prctl(PR_SET_DUMPABLE, is_dumpable != 0 ? 1L : 0L, 0L, 0L, 0L) == 0 ? 0 : -errno;
}

const char *clinux_file_of_symbol(const char *symbol) {
    void *address = dlsym(RTLD_DEFAULT, symbol);
    Dl_info information;
    return address != NULL && dladdr(address, &information) != 0 ? information.dli_fname : NULL;
}
