import CLinux
import Glibc
import Varlink

/// An open folder that the provider under test may be able to write. Whatever it puts in there, nothing outside is
/// reached: links are not followed, other file systems are not entered, and a FIFO does not block. Thread-safe.
final class ProviderFolder: Sendable {
    private let descriptor: OwnedDescriptor

    /// Opens a folder by its path, which the provider must not be able to redirect; nil if there is none, or a link.
    convenience init?(path: String) {
        self.init(opened: clinux_open(path, CLINUX_O_RDONLY | CLINUX_O_DIRECTORY | CLINUX_O_NOFOLLOW, 0))
    }

    private init?(opened: CInt) {
        guard opened >= 0 else { return nil }
        descriptor = OwnedDescriptor(opened)
    }

    /// A folder beneath this one; an empty path is this folder itself. nil if there is none.
    func folder(_ path: String) -> ProviderFolder? {
        ProviderFolder(opened: open(path.isEmpty ? "." : path, CLINUX_O_RDONLY | CLINUX_O_DIRECTORY))
    }

    /// Creates a folder in this one, private to the user.
    ///
    /// - Returns: whether there is a folder of that name now, which may have been there before.
    func makeFolder(_ name: String) -> Bool {
        guard !name.utf8.contains(UInt8(ascii: "/")) else { return false }
        _ = clinux_mkdirat(descriptor.raw, name, 0o700)
        return folder(name) != nil
    }

    /// Whether anything has that path beneath this folder.
    func contains(_ path: String) -> Bool {
        let found = open(path, CLINUX_O_PATH | CLINUX_O_NOFOLLOW)
        if found >= 0 { clinux_close(found) }
        return found >= 0
    }

    /// A regular file beneath this folder, opened for reading; nil if there is none, or something else.
    func file(_ path: String) -> ContentFile? {
        let opened = open(path, CLINUX_O_RDONLY | CLINUX_O_NONBLOCK | CLINUX_O_NOFOLLOW)
        guard opened >= 0 else { return nil }
        let file = OwnedDescriptor(opened)
        var facts = clinux_stat()
        guard clinux_stat_fd(file.raw, &facts) == 0, clinux_is_regular(facts.mode) != 0 else { return nil }
        return ContentFile(owning: file)
    }

    /// The bytes that everything in it occupies on disk.
    ///
    /// - Parameter most: counting stops at this number of names.
    func bytesOnDisk(most: Int) -> Int {
        var bytes = 0
        var count = 0
        // Paths instead of open folders: a chain of folders must not use up descriptors.
        var waiting: [[CChar]] = [[CChar(bitPattern: UInt8(ascii: ".")), 0]]
        while let path = waiting.popLast(), count < most {
            let opened = clinux_openat_inside(descriptor.raw, path, CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0)
            guard opened >= 0 else { continue }
            let folder = OwnedDescriptor(opened)
            for name in OwnTree.names(folder.raw, most: most - count) ?? [] {
                count += 1
                var facts = clinux_stat()
                guard clinux_stat_at(folder.raw, name, &facts) == 0 else { continue }
                bytes += Int(facts.blocks) * 512
                guard clinux_is_directory(facts.mode) != 0 else { continue }
                waiting.append(Array(path.dropLast()) + [CChar(bitPattern: UInt8(ascii: "/"))] + name)
            }
        }
        return bytes
    }

    private func open(_ path: String, _ flags: CInt) -> CInt { clinux_openat_inside(descriptor.raw, path, flags, 0) }
}
