import CLinux
import Synchronization

/// Import copies, one folder for each session in the folder of its client, removed with the session. They need no
/// coordination and no grant. A layout has one inbox, used by one process.
package final class Inbox: Sendable {
    /// A finished import copy.
    package struct Copy: Sendable {
        /// The absolute path.
        package let path: String
        /// The file's name, numbered if the wanted one was taken.
        package let name: FileName
        /// The copy, opened read-only.
        package let descriptor: OpenDescriptor
        /// The size in bytes.
        package let size: UInt64
    }

    private let root: OwnPath
    // Held while folders are made and removed: the last session of a client removes the client's folder, which another
    // session must not be entering.
    private let folders = Mutex(())

    /// Creates the inbox of a layout.
    package init(layout: StorageLayout) {
        root = layout.inboxDirectory
    }

    /// Copies a document for a client.
    ///
    /// - Parameters:
    ///   - source: readable, borrowed.
    ///   - name: the document's name, any bytes.
    ///   - principalKind: `run`, `flatpak`, `snap` or `unconfined`.
    ///   - bound: the most bytes to copy.
    /// - Throws: what `FileCopier.copy` throws; nothing is left behind then.
    package func importCopy(
        of source: Int32, named name: [UInt8], principalKind: String, principal: String, session: String, bound: UInt64,
        cancellation: Cancellation = Cancellation(), progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws -> Copy {
        let folder = try folders.withLock { _ in
            try Directory(path: root)
                .makeDirectory(Self.folder(principalKind, principal))
                .makeDirectory(NameEscaping.escape(session))
        }
        let (file, kept) = try Self.create(NameEscaping.storageName(for: name), in: folder)
        do {
            let outcome = try FileCopier.copy(
                from: source, to: file.number, bound: bound, cancellation: cancellation, progress: progress)
            return Copy(
                path: folder.path + "/" + String(decoding: kept.bytes, as: UTF8.self), name: kept,
                descriptor: try OpenDescriptor.reopenReadOnly(file.number), size: outcome.size)
        } catch {
            try? folder.remove(kept)
            throw error
        }
    }

    /// Removes a session's copies. A session without copies is no error.
    package func removeSession(principalKind: String, principal: String, session: String) throws {
        let directory = try Directory(path: root)
        let (owner, name) = (Self.folder(principalKind, principal), NameEscaping.escape(session))
        let copies: (sessions: Directory, own: Directory)? = try folders.withLock { _ in
            guard try directory.status(of: owner) != nil else { return nil }
            let sessions = try directory.directory(owner)
            guard try sessions.status(of: name) != nil else { return nil }
            return (sessions, try sessions.directory(name))
        }
        guard let copies else { return }
        try copies.own.removeContents()
        try folders.withLock { _ in
            try copies.sessions.removeEmptyDirectory(name)
            try directory.removeEmptyDirectory(owner)
        }
    }

    /// Removes everything: when the daemon starts, there are no sessions.
    package func removeAll() throws {
        try Directory(path: root).removeContents()
    }

    private static func folder(_ kind: String, _ principal: String) -> FileName {
        NameEscaping.escape("\(kind):\(principal)")
    }

    private static func create(_ wanted: FileName, in folder: Directory) throws -> (OpenDescriptor, FileName) {
        var number = 1
        while true {
            let name = number == 1 ? wanted : numbered(wanted, number)
            do {
                return (try folder.create(name), name)
            } catch let error as FileSystemError where error.code == .exists {
                number += 1
            }
        }
    }

    /// Turns `report.txt` into `report 2.txt`, shortened if it would be too long.
    static func numbered(_ name: FileName, _ number: Int) -> FileName {
        let dot = name.bytes.dropFirst().lastIndex(of: UInt8(ascii: "."))
        var stem = dot.map { name.bytes[..<$0] } ?? name.bytes[...]
        var suffix = dot.map { name.bytes[$0...] } ?? []
        if suffix.count > 32 { (stem, suffix) = (name.bytes[...], []) }
        let mark = Array(" \(number)".utf8)
        return FileName(unchecked: stem.prefix(FileName.maximumLength - mark.count - suffix.count) + mark + suffix)
    }
}
