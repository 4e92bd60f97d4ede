import FoundationEssentials
import Glibc

/// What `docent provider install` put where, for the update and for `docent provider uninstall`.
package struct InstallationRecord: Codable, Equatable {
    /// One file.
    package struct File: Codable, Equatable {
        /// Where it lies, relative to `docent` in the user's data directory: `manifests/NAME` or `providers/PROVIDER/NAME`; `providers/NAME`
        /// where an earlier Docent put it.
        package var path: String
        /// Its size in bytes, and when it was changed last, in nanoseconds since 1970: by these it is known again.
        package var size: Int
        var modified: Int

        /// Whether a file is the one that was put there; false when there is none.
        package func isUnchanged(below directory: String) -> Bool {
            guard let now = File(path: path, below: directory) else { return false }
            return now == self
        }

        /// A file as it is now; nil when it is no regular file.
        package init?(path: String, below directory: String) {
            var status = stat()
            guard lstat(directory + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            self.path = path
            size = Int(status.st_size)
            modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        }
    }

    /// The form of the record.
    package var version = 1
    /// The provider's bundle identifier.
    package var provider: String
    /// The path that was installed from.
    package var source: String
    /// All files, manifests first.
    package var files: [File]

    /// Whether its paths are such as an installation has: it was read from a disk.
    var isPlausible: Bool {
        version == 1 && files.allSatisfy { Self.isPlausible($0.path) }
    }

    /// Whether a path is such as an installation has.
    static func isPlausible(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return
            (parts.count == 2 && ["manifests", "providers"].contains(parts[0])
            || parts.count == 3 && parts[0] == "providers")
            && parts.dropFirst().allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}

/// A change of an installation that has been decided: once this is on the disk, it is carried out, if need be by the next command.
package struct InstallationChange: Codable, Equatable {
    /// The provider's bundle identifier.
    package var provider: String
    /// The name of the directory with the new files; nil when there are none.
    var staging: String?
    /// The files of that directory that go into their places, in this order: `manifests/NAME` or `providers/PROVIDER/NAME`.
    var moves: [String]
    /// The files that go.
    var removals: [String]
    /// What is installed then; nil: nothing.
    package var record: InstallationRecord?
}

extension InstallationChange {
    /// Removes a provider's record and those of its files.
    ///
    /// - Parameter files: as the record names them.
    package init(removing files: [String], of provider: String) {
        self.init(provider: provider, staging: nil, moves: [], removals: files, record: nil)
    }
}
