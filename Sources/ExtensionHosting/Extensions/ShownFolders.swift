import DocentInterfaces
import Glibc

/// The folders of the user's that a sandbox was to show, as they were when it was made.
///
/// A sandbox shows what was there then: of a folder that comes later, or that another one takes the place of, it learns nothing.
package struct ShownFolders: Sendable {
    private struct Identity: Equatable {
        var device: UInt
        var number: UInt
    }

    private var folders: [(path: String, identity: Identity?)] = []

    /// No folders.
    package init() {}

    /// Notes how folders are now. Blocks as long as the file system does.
    package init(_ paths: [String]) { folders = paths.map { ($0, Self.identity(of: $0)) } }

    /// Those that were not there.
    package var missing: [String] { folders.filter { $0.identity == nil }.map(\.path) }

    /// Whether one that was not there is there now.
    package var hasMore: Bool { missing.contains { Self.identity(of: $0) != nil } }

    /// Whether each one is there, or not there, as noted. Blocks as long as the file system does.
    package var isUnchanged: Bool { folders.allSatisfy { Self.identity(of: $0.path) == $0.identity } }

    /// What a person can do about a provider that does not reach one of them.
    func remedy(for failure: Failure) -> String? {
        missing.contains { failure.message.contains($0) }
            ? "Make the folder, or connect the disk that it is on, and try again." : nil
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }
}
