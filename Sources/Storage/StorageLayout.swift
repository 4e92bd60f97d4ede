import CLinux
import Glibc

/// Where Docent keeps things (DESIGN 6), decided from the environment.
///
/// The paths are pure data; `prepare` makes the directories.
package struct StorageLayout: Hashable, Sendable {
    /// `$XDG_DATA_HOME/docent`.
    package let dataDirectory: String
    /// The directory of the socket: short enough for a socket address, private to the user (D4).
    package let runtimeDirectory: String

    /// The longest path that fits a Unix socket address, without the terminator.
    package static let maximumSocketPath = 107
    // The socket is bound under a temporary name first: `docent.sock.` and a process id.
    private static let longestSocketName = 24

    /// Reads `XDG_DATA_HOME`, `XDG_RUNTIME_DIR`, `XDG_STATE_HOME` and `HOME`. Relative values count as unset, as the
    /// XDG specification wants.
    ///
    /// - Throws: `.notFound` when no home can be told.
    package init(environment: [String: String], userID: UInt32 = geteuid()) throws {
        func absolute(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
        }
        func home() throws -> String {
            if let home = absolute("HOME") { return home }
            throw FileSystemError(
                .notFound, "Neither HOME nor the XDG directories are set.", remedy: "Set HOME and start again.")
        }
        dataDirectory = try (absolute("XDG_DATA_HOME") ?? home() + "/.local/share") + "/docent"
        let session = [absolute("XDG_RUNTIME_DIR"), "/run/user/\(userID)"].lazy.compactMap(\.self)
            .first { Self.isPrivateDirectory($0, of: userID) && Self.fits($0 + "/docent") }
        if let session {
            runtimeDirectory = session + "/docent"
        } else {
            let state = try (absolute("XDG_STATE_HOME") ?? home() + "/.local/state") + "/docent/run"
            runtimeDirectory = Self.fits(state) ? state : "/tmp/docent-\(userID)"
        }
    }

    /// Names the two directories directly, for private instances and tests.
    package init(dataDirectory: String, runtimeDirectory: String) {
        self.dataDirectory = dataDirectory
        self.runtimeDirectory = runtimeDirectory
    }

    /// Isolation, journal and index.
    package var databasePath: String { dataDirectory + "/docent.sqlite" }
    /// The lock held for life by the one daemon of this data directory (D1).
    package var dataLockPath: String { dataDirectory + "/docent.lock" }
    /// The socket.
    package var socketPath: String { runtimeDirectory + "/docent.sock" }
    /// The lock whose holder alone unlinks and binds the socket (D1).
    package var socketLockPath: String { runtimeDirectory + "/docent.sock.lock" }
    /// There while the daemon is stopped because its user said so: clients that were connected to it leave it stopped then.
    package var stoppedPath: String { runtimeDirectory + "/stopped" }
    /// Write sessions (W).
    package var stagingDirectory: String { dataDirectory + "/Staging" }
    /// What is still to be uploaded (W).
    package var uploadsDirectory: String { dataDirectory + "/Uploads" }
    /// Conflict versions and recovered versions.
    package var versionsDirectory: String { dataDirectory + "/Versions" }
    /// Import copies (C9).
    package var inboxDirectory: String { dataDirectory + "/Inbox" }
    /// Downloads that are not complete.
    package var downloadsDirectory: String { dataDirectory + "/Downloads" }
    /// The containers of all document groups.
    package var groupsDirectory: String { dataDirectory + "/Groups" }

    /// A document group's container: what its extensions see of the disk.
    package func groupDirectory(_ group: String) -> String {
        "\(groupsDirectory)/\(NameEscaping.escape(group))"
    }

    /// Where the documents of one domain lie (D4 of the catalogue); nil is the domain of a provider without accounts.
    package func documentStorage(group: String, domain: String?) -> String {
        let folder = domain.map { NameEscaping.escape($0).description } ?? "_default"
        return "\(groupDirectory(group))/File Provider Storage/\(folder)"
    }

    /// Where the local copies of one remote domain lie, one folder an item: beneath its document storage.
    package func itemsDirectory(group: String, domain: String?) -> String {
        documentStorage(group: group, domain: domain) + "/.docent-items"
    }

    /// Makes the directories, private to the user, and checks that they are ours.
    package func prepare() throws {
        for path in [
            dataDirectory, stagingDirectory, uploadsDirectory, versionsDirectory, inboxDirectory, downloadsDirectory,
            groupsDirectory, runtimeDirectory,
        ] {
            _ = try Directory.make(path: path)
        }
    }

    /// Makes and opens one domain's document storage.
    ///
    /// - Throws: `.differentFileSystem` when it does not share the file system of `Staging`, so that nothing could be
    ///   published atomically.
    package func prepareDocumentStorage(group: String, domain: String?) throws -> Directory {
        try prepareShared(documentStorage(group: group, domain: domain))
    }

    /// Makes and opens the place of one remote domain's local copies.
    ///
    /// - Throws: like ``prepareDocumentStorage(group:domain:)``.
    package func prepareItems(group: String, domain: String?) throws -> Directory {
        try prepareShared(itemsDirectory(group: group, domain: domain))
    }

    private func prepareShared(_ path: String) throws -> Directory {
        let directory = try Directory.make(path: path)
        let staging = try Directory.make(path: stagingDirectory)
        guard try directory.status().identity.device == staging.status().identity.device else {
            throw FileSystemError(
                .differentFileSystem, "“\(directory.path)” and “\(staging.path)” are on different file systems.",
                path: directory.path)
        }
        return directory
    }

    /// Whether the data directory is on a network file system, where the database must do without WAL (D4).
    package func dataIsOnNetwork() throws -> Bool {
        var fileSystem = clinux_file_system()
        let directory = try Directory(path: dataDirectory)
        try checked(clinux_statfs_fd(directory.descriptor, &fileSystem), "examine the file system", path: dataDirectory)
        return NetworkFileSystem.magics.contains(fileSystem.magic)
    }

    private static func fits(_ directory: String) -> Bool {
        directory.utf8.count + 1 + longestSocketName <= maximumSocketPath
    }

    private static func isPrivateDirectory(_ path: String, of userID: UInt32) -> Bool {
        guard let directory = try? Directory(path: path), let status = try? directory.status() else { return false }
        return status.owner == userID && status.mode & 0o022 == 0
    }
}

/// File systems that other hosts may write at the same time.
enum NetworkFileSystem {
    static let magics: Set<UInt64> = [
        CLINUX_MAGIC_NFS, CLINUX_MAGIC_SMB2, CLINUX_MAGIC_CIFS, CLINUX_MAGIC_CEPH, CLINUX_MAGIC_V9FS, CLINUX_MAGIC_AFS,
        CLINUX_MAGIC_FUSE,
    ]
}
