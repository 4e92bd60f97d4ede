import CLinux
import Glibc

/// Where Docent stores its data, determined from the environment.
///
/// The paths are pure data; `prepare` creates the directories. A path that no provider can write to is an ``OwnPath``.
/// A path inside a container is only text for messages and for the extension; the daemon never opens it.
package struct StorageLayout: Hashable, Sendable {
    /// `$XDG_DATA_HOME/docent`.
    package let dataDirectory: OwnPath
    /// The directory of the socket: short enough for a socket address, private to the user.
    package let runtimeDirectory: OwnPath

    /// The longest path that fits in a Unix socket address, without the terminator.
    package static let maximumSocketPath = 107
    // The socket is first bound under a temporary name: `docent.sock.` and a process id.
    private static let longestSocketName = 24

    /// Reads `XDG_DATA_HOME`, `XDG_RUNTIME_DIR`, `XDG_STATE_HOME` and `HOME`. Relative values count as unset, as the
    /// XDG specification requires.
    ///
    /// - Throws: `.notFound` when no home directory can be determined.
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
        dataDirectory = OwnPath(try (absolute("XDG_DATA_HOME") ?? home() + "/.local/share") + "/docent")
        let session = [absolute("XDG_RUNTIME_DIR"), "/run/user/\(userID)"].lazy.compactMap(\.self)
            .first { Self.isPrivateDirectory($0, of: userID) && Self.fits($0 + "/docent") }
        if let session {
            runtimeDirectory = OwnPath(session + "/docent")
        } else {
            let state = try (absolute("XDG_STATE_HOME") ?? home() + "/.local/state") + "/docent/run"
            runtimeDirectory = OwnPath(Self.fits(state) ? state : "/tmp/docent-\(userID)")
        }
    }

    /// Takes the two directories directly, for private instances and tests.
    package init(dataDirectory: String, runtimeDirectory: String) {
        self.dataDirectory = OwnPath(dataDirectory)
        self.runtimeDirectory = OwnPath(runtimeDirectory)
    }

    /// The lock that the only daemon of this data directory holds for its lifetime.
    package var dataLockPath: String { dataDirectory.text + "/docent.lock" }
    /// The path of the socket.
    package var socketPath: String { runtimeDirectory.text + "/docent.sock" }
    /// The lock; only its holder unlinks and binds the socket.
    package var socketLockPath: String { runtimeDirectory.text + "/docent.sock.lock" }
    /// The file that exists while the daemon is stopped at the user's request: clients that were connected do not
    /// restart it then.
    package var stoppedPath: String { runtimeDirectory.text + "/stopped" }
    /// Write sessions.
    package var stagingDirectory: OwnPath { own("Staging") }
    /// Content that waits to be uploaded.
    package var uploadsDirectory: OwnPath { own("Uploads") }
    /// Conflict versions and recovered versions.
    package var versionsDirectory: OwnPath { own("Versions") }
    /// The parts of packed versions. Created when the first one is packed.
    var chunksDirectory: OwnPath { own("Chunks") }
    /// Import copies.
    package var inboxDirectory: OwnPath { own("Inbox") }
    /// Incomplete downloads.
    package var downloadsDirectory: OwnPath { own("Downloads") }
    /// The containers of all document groups.
    package var groupsDirectory: OwnPath { own("Groups") }

    /// Local copies of remote documents. No sandbox exposes it.
    package var copiesDirectory: OwnPath { own("Copies") }
    /// Pictures of documents, which can be made again.
    package var thumbnailsDirectory: OwnPath { own("Thumbnails") }
    /// Metadata of running changes.
    var metadataDirectory: OwnPath { own("Metadata") }

    private func own(_ name: String) -> OwnPath { OwnPath("\(dataDirectory)/\(name)") }

    /// A document group's container: the part of the disk that its extensions can access.
    package func groupDirectory(_ group: String) -> String {
        "\(groupsDirectory)/\(NameEscaping.escape(group))"
    }

    /// Where the documents of one domain are stored; nil is the domain of a provider without accounts.
    package func documentStorage(group: String, domain: String?) -> String {
        "\(groupDirectory(group))/\(Self.documentStorageName)/\(Self.folder(ofDomain: domain))"
    }

    /// Where the local copies of one remote domain are stored, one folder for each item.
    package func copies(provider: String, domain: String?) -> OwnPath {
        copiesDirectory.appending(NameEscaping.escape(provider)).appending(Self.folder(ofDomain: domain))
    }

    private static let documentStorageName = FileName(unchecked: Array("File Provider Storage".utf8))
    private static let defaultDomain = FileName(unchecked: Array("_default".utf8))

    static func folder(ofDomain domain: String?) -> FileName {
        domain.map(NameEscaping.escape) ?? defaultDomain
    }

    /// Creates the directories, private to the user, and checks that the user owns them.
    package func prepare() throws {
        for path in [
            dataDirectory, stagingDirectory, uploadsDirectory, versionsDirectory, inboxDirectory, downloadsDirectory,
            groupsDirectory, copiesDirectory, runtimeDirectory,
        ] {
            _ = try Directory.make(path: path)
        }
    }

    /// Creates and opens one domain's document storage. Everything in the container is reached through descriptors: a
    /// link that an extension put there is refused.
    ///
    /// - Throws: `.differentFileSystem` when it is not on the file system of `Staging`, so that atomic publication is
    ///   impossible; `.unacceptable` when something else is in the place of a folder.
    package func prepareDocumentStorage(group: String, domain: String?) throws -> Directory {
        let container = try Directory.make(path: groupsDirectory).makeDirectory(NameEscaping.escape(group))
        do {
            return try onFileSystemOfStaging(
                container.makeDirectory(Self.documentStorageName).makeDirectory(Self.folder(ofDomain: domain)))
        } catch let error as FileSystemError where [.unacceptable, .notFound].contains(error.code) {
            throw FileSystemError(
                .unacceptable, "Something else has taken the place of a folder in the container \"\(container.path)\".",
                remedy: "Look at what is there, and move away what is not a folder.", path: container.path)
        }
    }

    /// Opens one domain's document storage; nil when it is missing, or something else is in the place of a folder.
    package func openDocumentStorage(group: String, domain: String?) -> Directory? {
        try? Directory(path: groupsDirectory).directory(NameEscaping.escape(group))
            .directory(Self.documentStorageName)
            .directory(Self.folder(ofDomain: domain))
    }

    /// Creates and opens the place of one remote domain's local copies.
    ///
    /// - Throws: like ``prepareDocumentStorage(group:domain:)``.
    package func prepareCopies(provider: String, domain: String?) throws -> Directory {
        try onFileSystemOfStaging(Directory.make(path: copies(provider: provider, domain: domain)))
    }

    private func onFileSystemOfStaging(_ directory: Directory) throws -> Directory {
        let staging = try Directory.make(path: stagingDirectory)
        guard try directory.status().identity.device == staging.status().identity.device else {
            throw FileSystemError(
                .differentFileSystem, "\"\(directory.path)\" and \"\(staging.path)\" are on different file systems.",
                path: directory.path)
        }
        return directory
    }

    private static func fits(_ directory: String) -> Bool {
        directory.utf8.count + 1 + longestSocketName <= maximumSocketPath
    }

    private static func isPrivateDirectory(_ path: String, of userID: UInt32) -> Bool {
        guard let directory = try? Directory(path: OwnPath(path)), let status = try? directory.status() else {
            return false
        }
        return status.owner == userID && status.mode & 0o022 == 0
    }
}

/// File systems that other hosts may write to at the same time.
enum NetworkFileSystem {
    static let magics: Set<UInt64> = [
        CLINUX_MAGIC_NFS, CLINUX_MAGIC_SMB2, CLINUX_MAGIC_CIFS, CLINUX_MAGIC_CEPH, CLINUX_MAGIC_V9FS, CLINUX_MAGIC_AFS,
        CLINUX_MAGIC_FUSE,
    ]
}
