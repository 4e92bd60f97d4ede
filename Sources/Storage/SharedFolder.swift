import CLinux
import Glibc

/// Opens the user's folders that a sandbox exposes, in such a way that no provider can redirect the mount.
///
/// bubblewrap gets the descriptor: nothing is looked up again between this walk and the mount. Links that only the user
/// can have made are followed, for example when a home directory has its documents on another disk. A link in a folder
/// that a provider may write to is refused, because that provider may have made it.
package struct SharedFolder: Sendable {
    /// The path under which the sandbox shows it.
    package let path: String
    /// The folder, opened only to be mounted.
    package let descriptor: OpenDescriptor
    /// Whether a provider may replace it.
    package let isReplaceable: Bool

    private static let linkLimit = 40

    private struct Step {
        var descriptor: OpenDescriptor
        var isWritable: Bool
    }

    /// Opens one folder or file.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - writable: the folders that providers may write to, including everything in them.
    /// - Returns: nil when there is nothing at the path.
    /// - Throws: `.unacceptable` for a link in a place that a provider may write to.
    package static func open(_ path: String, writable: Set<FileIdentity>) throws -> SharedFolder? {
        var steps = [Step(descriptor: try openRoot(), isWritable: false)]
        var names = components(path)
        var links = 0
        while let name = names.popLast() {
            if name.elementsEqual("..".utf8) {
                if steps.count > 1 { steps.removeLast() }
                continue
            }
            guard let above = steps.last, let name = FileName(bytes: name) else { return nil }
            let number = name.withCString {
                clinux_openat(above.descriptor.number, $0, CLINUX_O_PATH | CLINUX_O_NOFOLLOW, 0)
            }
            if number == -ENOENT || number == -ENOTDIR || number == -EACCES { return nil }
            let descriptor = OpenDescriptor(owning: try checked(number, "open the folder", path: path))
            let status = try FileStatus(of: descriptor.number)
            if status.kind == .symbolicLink {
                guard !above.isWritable else { throw planted(path) }
                links += 1
                guard links <= linkLimit, let target = linkTarget(descriptor) else { return nil }
                if target.first == UInt8(ascii: "/") { steps.removeLast(steps.count - 1) }
                names += components(target)
                continue
            }
            steps.append(
                Step(descriptor: descriptor, isWritable: above.isWritable || writable.contains(status.identity)))
        }
        return steps.last.map { folder in
            SharedFolder(
                path: path, descriptor: folder.descriptor, isReplaceable: steps.dropLast().contains(where: \.isWritable)
            )
        }
    }

    /// The identities of folders. If a path is redirected in the meantime, ``open(_:writable:)`` only becomes stricter.
    package static func identities(_ paths: [String]) -> Set<FileIdentity> {
        Set(
            paths.compactMap { path in
                let number = clinux_open(path, CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
                guard number >= 0 else { return nil }
                let folder = OpenDescriptor(owning: number)
                return withExtendedLifetime(folder) { try? FileStatus(of: number).identity }
            })
    }

    private static func openRoot() throws -> OpenDescriptor {
        OpenDescriptor(
            owning: try checked(clinux_open("/", CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0), "open the folder", path: "/"))
    }

    // The components in reverse order.
    private static func components(_ path: String) -> [[UInt8]] { components(Array(path.utf8)) }

    private static func components(_ path: [UInt8]) -> [[UInt8]] {
        path.split(separator: UInt8(ascii: "/")).map(Array.init).filter { !$0.elementsEqual(".".utf8) }.reversed()
    }

    private static func linkTarget(_ link: OpenDescriptor) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(link.number, "", &buffer, buffer.count)
        return count > 0 && count < buffer.count ? Array(buffer[..<count]) : nil
    }

    private static func planted(_ path: String) -> FileSystemError {
        FileSystemError(
            .unacceptable, "The folder \(path) is reached through a link in a place that providers can write to.",
            remedy: "Move the link away and create a folder in its place, or add a domain for another folder.",
            path: path)
    }
}
