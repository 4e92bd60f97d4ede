import CLinux
import Cryptography
import Synchronization

/// The pictures of documents that were made or fetched before, one folder for each account, and in it the layout of the
/// desktop's own cache: a folder for each size, and files named by the digest of the document's address. All of them
/// can be made again. Blocks; thread-safe.
package final class ThumbnailStore: Sendable {
    /// Where a picture is kept.
    package struct Place: Sendable, Hashable {
        package var provider: String
        package var domain: String
        /// The name of the folder for its size.
        package var folder: String
        /// The document's address.
        package var address: String

        package init(provider: String, domain: String, folder: String, address: String) {
            (self.provider, self.domain) = (provider, domain)
            (self.folder, self.address) = (folder, address)
        }
    }

    /// The most bytes of all pictures.
    package static let standardLimit: UInt64 = 256 << 20

    // A picture, and the texts in it.
    private static let mostBytes: UInt64 = 5 << 20

    private let root: OwnPath
    private let limit: UInt64
    /// The bytes of all pictures; nil until they are counted.
    private let total = Mutex<UInt64?>(nil)

    package init(layout: StorageLayout, limit: UInt64 = standardLimit) {
        root = layout.thumbnailsDirectory
        self.limit = limit
    }

    /// Reads a picture; nil if there is none.
    package func read(_ place: Place) -> (bytes: [UInt8], path: String)? {
        let name = Self.name(of: place.address)
        guard let folder = try? account(place.provider, place.domain).directory(FileName(place.folder)),
            let file = try? folder.open(name), let status = try? FileStatus(of: file.number), status.kind == .regular,
            status.size <= Self.mostBytes, let bytes = try? file.beginning(Int(status.size))
        else { return nil }
        return (bytes, folder.shown(name))
    }

    /// Keeps a picture in the place of an earlier one. The oldest ones are removed if there are too many bytes.
    ///
    /// - Returns: the path of its file.
    /// - Throws: ``FileSystemError``.
    package func put(_ bytes: [UInt8], at place: Place) throws -> String {
        let top = try Directory.make(path: root)
        let folder = try top.makeDirectory(NameEscaping.escape(place.provider))
            .makeDirectory(Self.folder(of: place.domain)).makeDirectory(FileName(place.folder))
        let name = Self.name(of: place.address)
        let temporary = FileName(unchecked: Array(".new-\(UInt64.random(in: .min ... .max))".utf8))
        do {
            let file = try folder.create(temporary)
            try file.writeBeginning(bytes)
            try checked(folder.rename(temporary, to: folder, as: name, flags: 0), "keep", path: folder.shown(name))
        } catch {
            try? folder.remove(temporary)
            throw error
        }
        try makeRoom(adding: UInt64(bytes.count), in: top)
        return folder.shown(name)
    }

    /// Removes the pictures of an account.
    package func remove(provider: String, domain: String) throws {
        guard let top = try? Directory(path: root), let folder = try? top.directory(NameEscaping.escape(provider)),
            let account = try? folder.directory(Self.folder(of: domain))
        else { return }
        try account.removeContents()
        try folder.removeEmptyDirectory(Self.folder(of: domain))
        total.withLock { $0 = nil }
    }

    // MARK: Parts

    private static func folder(of domain: String) -> FileName {
        StorageLayout.folder(ofDomain: domain.isEmpty ? nil : domain)
    }

    private static func name(of address: String) -> FileName {
        var digest = RunningDigest(.md5)
        Array(address.utf8).withUnsafeBytes { digest.update($0) }
        let text = digest.finish().map { FileName.hexadecimal($0) }.joined().lowercased()
        return FileName(unchecked: Array("\(text).png".utf8))
    }

    private func account(_ provider: String, _ domain: String) throws -> Directory {
        try Directory(path: root).directory(NameEscaping.escape(provider)).directory(Self.folder(of: domain))
    }

    private struct Kept {
        let folder: Directory
        let name: FileName
        let size: UInt64
        let modified: Int64
    }

    private func makeRoom(adding count: UInt64, in top: Directory) throws {
        let isEnough = total.withLock { total in
            total = total.map { $0 + count }
            return total.map { $0 <= limit } ?? false
        }
        guard !isEnough else { return }
        var kept = try all(in: top)
        var sum = kept.reduce(0) { $0 + $1.size }
        if sum > limit {
            // Down to nine tenths, so that the next pictures find room.
            kept.sort { $0.modified < $1.modified }
            for file in kept where sum > limit / 10 * 9 {
                try file.folder.remove(file.name)
                sum -= file.size
            }
        }
        total.withLock { $0 = sum }
    }

    private func all(in top: Directory) throws -> [Kept] {
        var kept: [Kept] = []
        for provider in try top.names() {
            guard let provider = try? top.directory(provider) else { continue }
            for account in try provider.names() {
                guard let account = try? provider.directory(account) else { continue }
                for size in try account.names() {
                    guard let folder = try? account.directory(size) else { continue }
                    for name in try folder.names() {
                        guard let status = try folder.status(of: name), status.kind == .regular else { continue }
                        kept.append(Kept(folder: folder, name: name, size: status.size, modified: status.modified))
                    }
                }
            }
        }
        return kept
    }
}
