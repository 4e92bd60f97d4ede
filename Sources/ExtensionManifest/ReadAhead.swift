import Glibc

/// Tells the kernel which files are about to be read, so that a disk fetches all of them at once and not one after
/// another.
enum ReadAhead {
    /// The part of a file to read.
    struct Wish: Sendable {
        /// The suffix of the file name.
        let suffix: String
        /// The number of bytes from the start.
        let count: Int
    }

    /// The most files that are requested in one directory.
    private static let maximumPerDirectory = 2 * ManifestDiscovery.maximumPerDirectory

    /// The same for the subdirectories of a directory, which belong to single providers.
    static func begin(below directory: String, _ wishes: [Wish]) {
        guard let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        var left = ManifestDiscovery.maximumPerDirectory
        while left > 0, let entry = readdir(stream) {
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            guard entry.pointee.d_type == UInt8(DT_DIR), name[0] != CChar(UInt8(ascii: ".")) else { continue }
            left -= 1
            begin(in: Paths.join(directory, String(cString: name)), wishes)
        }
    }

    /// Requests the regular files of a directory. Blocks on the directory and on finding the files, not on their
    /// content. Failures are ignored: the files are read later in any case.
    static func begin(in directory: String, _ wishes: [Wish]) {
        guard let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        var left = maximumPerDirectory
        while left > 0, let entry = readdir(stream) {
            guard entry.pointee.d_type == UInt8(DT_REG) else { continue }
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
            guard let wish = wishes.first(where: { bytes.suffix($0.suffix.utf8.count).elementsEqual($0.suffix.utf8) })
            else { continue }
            left -= 1
            let file = openat(dirfd(stream), name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
            guard file >= 0 else { continue }
            _ = posix_fadvise(file, 0, off_t(wish.count), POSIX_FADV_WILLNEED)
            close(file)
        }
    }
}
