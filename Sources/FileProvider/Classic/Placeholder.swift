import CLinux
import FoundationEssentials

/// Placeholder files: hidden files beside the documents that they stand for.
///
/// The usual name is `.<name>.docent-placeholder`. Where that is too long, or taken by a document that really has this
/// name, it is `.<hash>.docent-placeholder` with 32 digits. The file always contains the document's name. A document
/// cannot pass for a placeholder by its content: placeholders have the sticky bit, which no saved file gets.
enum Placeholder {
    private static let ending = Array(".docent-placeholder".utf8)
    private static let version = 1
    private static let maximumSize = 1 << 16
    private static let mark: UInt32 = 0o1000

    private struct Body: Codable {
        var docentPlaceholder: Int
        var metadata: PlaceholderMetadata
    }

    /// Where the placeholder of a document is stored.
    static func url(for url: URL) -> URL {
        let folder = url.deletingLastPathComponent()
        guard let name = LocalName(url.lastPathComponent) else { return url }
        let usual = usualName(name)
        if let usual, let directory = try? LocalDirectory(path: folder.path),
            (try? directory.facts(of: usual)) != nil, metadata(at: usual, in: directory) == nil
        {
            return folder.appending(path: hashedName(name).text, directoryHint: .notDirectory)
        }
        return folder.appending(path: (usual ?? hashedName(name)).text, directoryHint: .notDirectory)
    }

    /// Writes a placeholder under a temporary name and renames it.
    static func write(_ metadata: PlaceholderMetadata, at url: URL) throws {
        let folder = try LocalDirectory(path: url.deletingLastPathComponent().path)
        guard let name = LocalName(url.lastPathComponent), let document = LocalName(metadata.name),
            name == usualName(document) || name == hashedName(document)
        else {
            throw FileProviderError(
                .invalidArgument, "\(url.lastPathComponent) is not the placeholder of \"\(metadata.name)\".")
        }
        guard (metadata.thumbnail?.utf8.count ?? 0) <= FileProviderItem.maximumThumbnailLength,
            (metadata.version?.utf8.count ?? 0) <= ItemVersion.maximumLength
        else {
            throw FileProviderError(
                .invalidArgument, "The version or the thumbnail reference of \"\(metadata.name)\" is too long.")
        }
        if (try? folder.facts(of: name)) != nil, self.metadata(at: name, in: folder) == nil {
            throw FileProviderError(.filenameCollision, "A document has the name of the placeholder.")
        }
        try write(metadata, name, in: folder)
    }

    /// The content of a document's placeholder; nil if it has none.
    static func metadata(of document: LocalName, in directory: LocalDirectory) -> PlaceholderMetadata? {
        for name in [usualName(document), hashedName(document)].compactMap({ $0 }) {
            if let metadata = metadata(at: name, in: directory), metadata.name == document.text {
                return metadata
            }
        }
        return nil
    }

    /// The content of a placeholder file; nil for documents, including those with a placeholder's name.
    static func metadata(at name: LocalName, in directory: LocalDirectory) -> PlaceholderMetadata? {
        guard hasForm(name), let file = try? directory.openFile(name),
            let facts = try? LocalFileFacts(descriptor: file.descriptor), facts.size <= maximumSize,
            facts.permissions & mark != 0,
            let reader = try? ContentReader(owning: file.release()), let data = try? reader.readAll(),
            let body = try? JSONDecoder().decode(Body.self, from: data), body.docentPlaceholder == version,
            let document = LocalName(body.metadata.name),
            name == usualName(document) || name == hashedName(document)
        else { return nil }
        return body.metadata
    }

    /// Removes the placeholder of a document, if it has one.
    static func remove(of document: LocalName, in directory: LocalDirectory) {
        for name in [usualName(document), hashedName(document)].compactMap({ $0 })
        where metadata(at: name, in: directory)?.name == document.text {
            try? directory.remove(name)
        }
    }

    /// Moves another document's placeholder out of the way of a document with the same name.
    static func makeWay(for document: LocalName, in directory: LocalDirectory) throws {
        guard let metadata = metadata(at: document, in: directory), let owner = LocalName(metadata.name),
            hashedName(owner) != document
        else { return }
        try write(metadata, hashedName(owner), in: directory)
        try directory.remove(document)
    }

    private static func write(
        _ metadata: PlaceholderMetadata, _ name: LocalName, in directory: LocalDirectory
    ) throws {
        let data = try JSONEncoder().encode(Body(docentPlaceholder: version, metadata: metadata))
        let temporary = TemporaryName.stage()
        let flags = CLINUX_O_WRONLY | CLINUX_O_CREAT | CLINUX_O_EXCL | CLINUX_O_NOFOLLOW
        do {
            let raw = temporary.withCString { clinux_openat(directory.descriptor, $0, flags, 0o600 | mark) }
            let file = OpenFile(owning: try SystemFailure.check(raw, "write the placeholder"))
            do {
                try FileCopy.write(data, to: file.descriptor, at: 0)
                try SystemFailure.check(clinux_fsync(file.descriptor), "make the placeholder durable")
                try SystemFailure.check(directory.exchangeNames(temporary, name, 0), "publish the placeholder")
            } catch {
                _ = directory.unlink(temporary)
                throw error
            }
        } catch let failure as SystemFailure {
            throw failure.providerError
        }
        try directory.synchronize()
    }

    private static func usualName(_ name: LocalName) -> LocalName? {
        LocalName(bytes: [UInt8(ascii: ".")] + name.bytes + ending)
    }

    private static func hashedName(_ name: LocalName) -> LocalName {
        let digits = TemporaryName.save(name.displayed).bytes.suffix(32)
        return LocalName(trusted: [UInt8(ascii: ".")] + digits + ending)
    }

    private static func hasForm(_ name: LocalName) -> Bool {
        name.bytes.first == UInt8(ascii: ".") && name.bytes.count > ending.count + 1
            && name.bytes.suffix(ending.count).elementsEqual(ending)
    }
}
