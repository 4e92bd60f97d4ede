// Landlock through raw system calls: the C library has no wrappers, and the distribution's kernel header may be older
// than the kernel. A rule binds an inode, so rules name directories, or files that a bind mount keeps in place.
#define _GNU_SOURCE
#include "host.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_MAKE_SYM = 1 << 12,
    FS_REFER = 1 << 13,
    FS_TRUNCATE = 1 << 14,
    FS_IOCTL_DEV = 1 << 15,
    NET_BIND_TCP = 1 << 0,
    NET_CONNECT_TCP = 1 << 1,
    SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0,
    SCOPE_SIGNAL = 1 << 1,
};

static const uint64_t reading = FS_READ_FILE | FS_READ_DIR;
static const uint64_t writing = FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE |
                                FS_MAKE_DIR | FS_MAKE_REG | FS_MAKE_SYM | FS_REFER | FS_TRUNCATE;
static const uint64_t for_files = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE;

struct ruleset_attributes {
    uint64_t handled_fs;
    uint64_t handled_net;
    uint64_t scoped;
};

struct path_attributes {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

struct ruleset {
    int descriptor;
    uint64_t handled_fs;
};

static struct ruleset_attributes attributes_for(int version, const struct host_options *options) {
    struct ruleset_attributes attributes = {.handled_fs = (1 << 13) - 1};
    if (version >= 2) {
        attributes.handled_fs |= FS_REFER;
    }
    if (version >= 3) {
        attributes.handled_fs |= FS_TRUNCATE;
    }
    if (version >= 4) {
        // An access that is handled but has no rule is denied. Even with the network entitlement a plugin is only a
        // client.
        attributes.handled_net = options->network ? NET_BIND_TCP : NET_BIND_TCP | NET_CONNECT_TCP;
    }
    if (version >= 5) {
        attributes.handled_fs |= FS_IOCTL_DEV;
    }
    if (version >= 6) {
        attributes.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
    }
    return attributes;
}

static size_t size_for(int version) {
    if (version >= 6) {
        return sizeof(struct ruleset_attributes);
    }
    return version >= 4 ? offsetof(struct ruleset_attributes, scoped) : offsetof(struct ruleset_attributes, handled_net);
}

static void allow(const struct ruleset *rules, const char *path, uint64_t rights) {
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return;
        }
        fail(EXIT_MISSING_LAYER, "Landlock: '%s' cannot be opened: %s", path, strerror(errno));
    }
    struct stat facts;
    if (fstat(descriptor, &facts) == 0 && !S_ISDIR(facts.st_mode)) {
        rights &= for_files;
    }
    struct path_attributes attributes = {.allowed = rights & rules->handled_fs, .parent = descriptor};
    if (syscall(SYS_landlock_add_rule, rules->descriptor, RULE_PATH_BENEATH, &attributes, 0) != 0) {
        fail(EXIT_MISSING_LAYER, "Landlock refuses a rule for '%s': %s", path, strerror(errno));
    }
    close(descriptor);
}

static void allow_all(const struct ruleset *rules, const struct path_list *list, uint64_t rights) {
    for (size_t index = 0; index < list->count; index++) {
        allow(rules, list->paths[index], rights);
    }
}

// Starting a program also executes its loader; this process has the distribution's.
static int allow_loader(struct dl_phdr_info *object, size_t size, void *rules) {
    (void)size;
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        if (object->dlpi_phdr[index].p_type == PT_INTERP) {
            allow(rules, (const char *)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr), FS_READ_FILE | FS_EXECUTE);
        }
    }
    return 1;
}

int close_landlock(const struct host_options *options) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    if (version <= 0) {
        return 0;
    }
    struct ruleset_attributes attributes = attributes_for((int)version, options);
    long descriptor = syscall(SYS_landlock_create_ruleset, &attributes, size_for((int)version), 0);
    if (descriptor < 0) {
        fail(EXIT_MISSING_LAYER, "Landlock refuses its rules: %s", strerror(errno));
    }
    struct ruleset rules = {.descriptor = (int)descriptor, .handled_fs = attributes.handled_fs};
    allow(&rules, "/proc", reading);
    allow(&rules, "/dev", reading | FS_WRITE_FILE);
    allow_all(&rules, &options->read_only, reading);
    allow_all(&rules, &options->read_write, writing);
    if (options->spawn.count > 0) {
        allow_all(&rules, &options->spawn, FS_READ_FILE | FS_EXECUTE);
        dl_iterate_phdr(allow_loader, &rules);
    }
    if (syscall(SYS_landlock_restrict_self, rules.descriptor, 0) != 0) {
        fail(EXIT_MISSING_LAYER, "Landlock cannot be closed: %s", strerror(errno));
    }
    close(rules.descriptor);
    return (int)version;
}
