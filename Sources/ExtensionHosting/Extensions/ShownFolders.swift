import DocentInterfaces
import Glibc

/// The user's folders that a sandbox should show, as they were when it was made.
///
/// A sandbox shows only what was there then. It shows neither folders that appear later, nor folders that replace
/// others.
package struct ShownFolders: Sendable {
    private struct Identity: Equatable {
        var device: UInt
        var number: UInt
    }

    private var folders: [(path: String, identity: Identity?)] = []
    /// Folders that the provider also requests, but the user has not agreed to.
    private var withheld: [String] = []

    /// No folders.
    package init() {}

    /// Records the present state of folders. Blocks as long as the file system does.
    ///
    /// - Parameter withheld: folders that the provider also requests, without the user's agreement.
    package init(_ paths: [String], withheld: [String] = []) {
        folders = paths.map { ($0, Self.identity(of: $0)) }
        self.withheld = withheld.filter { !paths.contains($0) }
    }

    /// The folders that did not exist.
    package var missing: [String] { folders.filter { $0.identity == nil }.map(\.path) }

    /// Whether a folder that did not exist does now.
    package var hasMore: Bool { missing.contains { Self.identity(of: $0) != nil } }

    /// Whether each folder exists, or is missing, as recorded. Blocks as long as the file system does.
    package var isUnchanged: Bool { folders.allSatisfy { Self.identity(of: $0.path) == $0.identity } }

    /// Adds the cause that only the host knows to the failure of a provider that cannot reach one of its folders.
    func explained(_ failure: Failure, provider: String) -> Failure {
        var explained = failure
        if let folder = withheld.filter({ failure.message.contains($0) }).max(by: { $0.utf8.count < $1.utf8.count }) {
            explained.message =
                "\(provider) may not use \(folder): its update asks for that folder, and you have not agreed yet."
            explained.suggestion =
                "`docent provider enable \(provider)` shows what it asks for, and asks for your consent."
        } else if failure.suggestion == nil, missing.contains(where: { failure.message.contains($0) }) {
            explained.suggestion = "Create the folder, or connect the disk that it is on, and try again."
        }
        return explained
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }
}
