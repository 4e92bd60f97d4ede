import FoundationEssentials
import Glibc

/// The files that `docent provider install` put in place, for updates and for `docent provider uninstall`.
package struct InstallationRecord: Codable, Equatable {
    /// One installed file.
    package struct File: Codable, Equatable {
        /// The path relative to `docent` in the user's data directory: `manifests/NAME` or `providers/PROVIDER/NAME`;
        /// `providers/NAME` for a file of an earlier Docent.
        package var path: String
        /// The size in bytes, and the time of the last change in nanoseconds since 1970. They identify an unchanged
        /// file.
        package var size: Int
        var modified: Int

        /// Whether the installed file is still there unchanged.
        package func isUnchanged(below directory: String) -> Bool {
            guard let now = File(path: path, below: directory) else { return false }
            return now == self
        }

        /// A file as it is now; nil if it is not a regular file.
        package init?(path: String, below directory: String) {
            var status = stat()
            guard lstat(directory + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            self.path = path
            size = Int(status.st_size)
            modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        }
    }

    /// The version of the record's format.
    package var version = 1
    /// The provider's bundle identifier.
    package var provider: String
    /// The path that was installed from.
    package var source: String
    /// All files, manifests first.
    package var files: [File]

    /// Whether the paths are possible in an installation. The record was read from disk.
    var isPlausible: Bool {
        version == 1 && files.allSatisfy { Self.isPlausible($0.path) }
    }

    /// Whether a path is possible in an installation.
    static func isPlausible(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return
            (parts.count == 2 && ["manifests", "providers"].contains(parts[0])
            || parts.count == 3 && parts[0] == "providers")
            && parts.dropFirst().allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}

/// A decided change to an installation. Once it is on disk, it is carried out, by the next command if necessary.
package struct InstallationChange: Codable, Equatable {
    /// The provider's bundle identifier.
    package var provider: String
    /// The name of the directory with the new files; nil if there are none.
    var staging: String?
    /// The files of that directory to move into place, in this order: `manifests/NAME` or `providers/PROVIDER/NAME`.
    var moves: [String]
    /// The files to remove.
    var removals: [String]
    /// The record after the change; nil if nothing is installed then.
    package var record: InstallationRecord?
}

extension InstallationChange {
    /// Removes a provider's record and its files.
    ///
    /// - Parameter files: the paths of the files to remove, as in the record.
    package init(removing files: [String], of provider: String) {
        self.init(provider: provider, staging: nil, moves: [], removals: files, record: nil)
    }
}
