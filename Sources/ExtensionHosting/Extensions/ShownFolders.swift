import DocentInterfaces
import Glibc

/// The folders of the user's that a sandbox was to show, as they were when it was made.
///
/// A sandbox shows what was there then: of a folder that comes later, or that another one takes the place of, it learns
/// nothing.
package struct ShownFolders: Sendable {
    private struct Identity: Equatable {
        var device: UInt
        var number: UInt
    }

    private var folders: [(path: String, identity: Identity?)] = []
    /// Those that the provider asks for as well, and that the user has not agreed to.
    private var withheld: [String] = []

    /// No folders.
    package init() {}

    /// Notes how folders are now. Blocks as long as the file system does.
    ///
    /// - Parameter withheld: what the provider asks for as well, without the user's agreement.
    package init(_ paths: [String], withheld: [String] = []) {
        folders = paths.map { ($0, Self.identity(of: $0)) }
        self.withheld = withheld.filter { !paths.contains($0) }
    }

    /// Those that were not there.
    package var missing: [String] { folders.filter { $0.identity == nil }.map(\.path) }

    /// Whether one that was not there is there now.
    package var hasMore: Bool { missing.contains { Self.identity(of: $0) != nil } }

    /// Whether each one is there, or not there, as noted. Blocks as long as the file system does.
    package var isUnchanged: Bool { folders.allSatisfy { Self.identity(of: $0.path) == $0.identity } }

    /// The failure of a provider that does not reach one of its folders, with the cause that only the host knows.
    func explained(_ failure: Failure, provider: String) -> Failure {
        var explained = failure
        if let folder = withheld.filter({ failure.message.contains($0) }).max(by: { $0.utf8.count < $1.utf8.count }) {
            explained.message =
                "\(provider) may not use \(folder): it asks for that since its update, and you have not agreed yet."
            explained.suggestion = "`docent provider enable \(provider)` shows what it asks for, and asks you."
        } else if failure.suggestion == nil, missing.contains(where: { failure.message.contains($0) }) {
            explained.suggestion = "Make the folder, or connect the disk that it is on, and try again."
        }
        return explained
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }
}
