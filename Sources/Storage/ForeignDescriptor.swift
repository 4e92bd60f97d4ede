import CLinux

/// Decides which descriptors Docent accepts from clients and providers (F1).
package enum ForeignDescriptor {
    /// The access mode that the sender promised. The descriptor must have exactly that mode.
    package enum Access: Sendable {
        case readOnly, writeOnly, readWrite
    }

    /// Checks a received descriptor before anything is read from it.
    ///
    /// - Parameters:
    ///   - descriptor: borrowed; the caller still closes it.
    ///   - access: the promised mode.
    ///   - maximumSize: the declared and reserved size in bytes; nil when the caller bounds the copy itself.
    ///   - allowingFUSE: whether the provider declared that its files are on FUSE.
    /// - Returns: the file's status.
    /// - Throws: `.unacceptable` with the reason, `.tooLarge`.
    package static func check(
        _ descriptor: Int32, access: Access, maximumSize: UInt64? = nil, allowingFUSE: Bool = false
    ) throws -> FileStatus {
        let flags = try checked(clinux_get_status_flags(descriptor), "examine the descriptor")
        guard flags & CLINUX_O_PATH == 0 else { throw refusal("names a file without having it open") }
        let expected =
            switch access {
            case .readOnly: CLINUX_O_RDONLY
            case .writeOnly: CLINUX_O_WRONLY
            case .readWrite: CLINUX_O_RDWR
            }
        guard flags & CLINUX_O_ACCMODE == expected else { throw refusal("was not opened with the promised access") }
        let status = try FileStatus(of: descriptor)
        guard status.kind == .regular else { throw refusal("is not a regular file") }
        var fileSystem = clinux_file_system()
        try checked(clinux_statfs_fd(descriptor, &fileSystem), "examine the file system")
        guard !pseudoFileSystems.contains(fileSystem.magic) else {
            throw refusal("is on a kernel file system")
        }
        guard allowingFUSE || fileSystem.magic != CLINUX_MAGIC_FUSE else {
            throw refusal("is on a FUSE file system, which the provider did not declare")
        }
        if let maximumSize, status.size > maximumSize {
            throw FileSystemError(
                .tooLarge, "The file has \(status.size) bytes, but at most \(maximumSize) were declared.")
        }
        return status
    }

    private static func refusal(_ reason: String) -> FileSystemError {
        FileSystemError(.unacceptable, "The descriptor was refused: it \(reason).")
    }

    // Their regular files report arbitrary sizes, and reading one may have side effects.
    private static let pseudoFileSystems: Set<UInt64> = [
        CLINUX_MAGIC_PROC, CLINUX_MAGIC_SYSFS,
        0x6462_6720,  // debugfs
        0x7472_6163,  // tracefs
        0x7363_6673,  // securityfs
        0xf97c_ff8c,  // selinuxfs
        0x0027_e0eb,  // cgroup
        0x6367_7270,  // cgroup2
        0x6265_6570,  // configfs
        0x6e73_6673,  // nsfs
        0xcafe_4a11,  // bpf
        0x6165_676c,  // pstore
        0xde5e_81e4,  // efivarfs
        0x4249_4e4d,  // binfmt_misc
    ]
}
