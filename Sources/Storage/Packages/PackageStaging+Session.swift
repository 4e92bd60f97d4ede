import CLinux
import FoundationEssentials

extension PackageStaging {
    /// The record of an unfinished package: how it began; its changes are recorded separately.
    package struct Session: Sendable, Codable {
        /// The elements when the session began.
        package var base: [PackageManifest.Base]
        /// The package's version when the session began.
        package var baseVersion: String
        /// Whether the new content started empty.
        package var isReplacing: Bool

        package init(base: [PackageManifest.Base], baseVersion: String, isReplacing: Bool) {
            self.base = base
            self.baseVersion = baseVersion
            self.isReplacing = isReplacing
        }
    }

    private static let sessionName = FileName(unchecked: Array("session".utf8))
    private static let changesName = FileName(unchecked: Array("changes".utf8))

    /// Records how a session begins. The record survives a restart of the daemon, as the clients do, but not
    /// necessarily a power failure.
    package func record(_ session: Session, of id: String) throws {
        let folder = try Directory(path: layout.stagingDirectory).directory(try FileName(id))
        try Self.write(Array(JSONEncoder().encode(session)), to: folder.create(Self.sessionName))
        _ = try folder.create(Self.changesName)
    }

    /// Records one more change.
    package func record(_ change: PackageChange, of id: String) throws {
        let line = Array(try JSONEncoder().encode(change)) + [UInt8(ascii: "\n")]
        let folder = try Directory(path: layout.stagingDirectory).directory(try FileName(id))
        let file = try folder.openForWriting(Self.changesName)
        let end = try FileStatus(of: file.number).size
        let written = line.withUnsafeBytes { buffer in
            buffer.baseAddress.map { clinux_pwrite(file.number, $0, line.count, Int64(clamping: end)) } ?? 0
        }
        guard try checked(written, "record a change") == line.count else {
            // An incomplete line must not swallow the next one.
            try checked(clinux_ftruncate(file.number, Int64(clamping: end)), "record a change")
            throw FileSystemError(.noSpace, "A change of the package cannot be recorded.")
        }
    }

    /// The record of an uncommitted session; nil when an older daemon began it, or the daemon was killed before writing
    /// it.
    ///
    /// - Throws: `.corrupt`.
    package func session(_ id: String) throws -> (session: Session, changes: [PackageChange])? {
        try takeBack(FileName(id))
        let staging = try Directory(path: layout.stagingDirectory)
        guard try staging.status(of: FileName(id))?.kind == .directory else { return nil }
        let folder = try staging.directory(try FileName(id))
        guard try folder.status(of: Self.sessionName) != nil, try folder.status(of: Self.changesName) != nil else {
            return nil
        }
        do {
            let session = try JSONDecoder().decode(
                Session.self, from: Data(Self.read(Self.sessionName, in: folder)))
            let bytes = try Self.read(Self.changesName, in: folder)
            // An incomplete last line belongs to a change that was never confirmed to the client.
            let whole = bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex)]
            let changes = try whole.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(PackageChange.self, from: Data($0))
            }
            return (session, changes)
        } catch is DecodingError {
            throw FileSystemError(.corrupt, "The record of an unfinished package cannot be read.")
        }
    }
}
