import CLinux
import Glibc

/// Files that no other process can open by name.
package enum TemporaryFile {
    /// Creates an empty file (0600) without a name, open for reading and writing.
    package static func unnamed(in directory: Directory) throws -> OpenDescriptor {
        let flags = CLINUX_O_TMPFILE | CLINUX_O_RDWR | CLINUX_O_EXCL
        let fd = clinux_openat(directory.descriptor, ".", flags, 0o600)
        if fd >= 0 { return OpenDescriptor(owning: fd) }
        guard fd == -EOPNOTSUPP || fd == -EISDIR || fd == -ENOENT || fd == -EINVAL else {
            throw FileSystemError(errno: -fd, "create a temporary file in", path: directory.path)
        }
        while true {
            let name = FileName(unchecked: Array(".docent-\(UInt64.random(in: .min ... .max))".utf8))
            do {
                let file = try directory.create(name)
                try directory.remove(name)
                return file
            } catch let error as FileSystemError where error.code == .exists {
                continue
            }
        }
    }
}
