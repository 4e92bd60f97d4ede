import FileProvider
import FoundationEssentials

extension FaultyBehaviour {
    func versions(of identifier: ItemIdentifier, page: String?) async throws -> EarlierVersionPage {
        try allows(.versions, "versions")
        core.bury(try core.others.act(before: "versions", on: core.tree))
        let known = core.known(identifier)
        let fault = { (name: String) in core.script.strikes("versions.\(name)", known) }
        if fault("hang") { while true { try await Task.sleep(for: .seconds(3_600)) } }
        let entry = try core.entry(identifier)
        guard !entry.isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(entry.name)\" is a folder.")
        }
        // In the order in which they were replaced: the host sorts.
        var found = try core.tree.read { $0.earlier[known] ?? [] }.map(Self.version)
        if let first = found.first, fault("repeats") { found.append(first) }
        if fault("current") { found.append(Self.version(entry)) }
        if fault("neverEnds") { return EarlierVersionPage(versions: found, nextPage: page ?? "again") }
        return EarlierVersionPage(versions: found)
    }

    // The version of a content is never used again.
    private static func version(_ entry: Entry) -> EarlierVersion {
        EarlierVersion(
            identifier: entry.version, modificationDate: entry.modified, size: entry.size,
            version: ItemVersion(content: entry.version), savedBy: "Faulty")
    }

    private func earlier(_ version: String, of identifier: ItemIdentifier) throws -> Entry {
        let known = core.known(identifier)
        _ = try core.entry(identifier)
        let isGone = core.script.strikes("versions.gone", known)
        let found = try core.tree.read { $0.earlier[known]?.last { $0.version == version } }
        guard let found, !isGone else {
            throw FileProviderError(.noSuchItem, "There is no version \"\(version)\" of this document.")
        }
        return found
    }

    func fetchVersion(
        _ version: String, of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws {
        try allows(.versions, "versions")
        let entry = try earlier(version, of: identifier)
        let fault = { (name: String) in core.script.strikes("versions.\(name)", entry.identifier, entry.name) }
        let content = try Content(files: core.tree.files, entry: entry)
        let end = fault("short") ? max(0, content.size - 1) : content.size
        let pieces = max(1, content.size / TreeFiles.piece)
        while destination.bytesWritten < end {
            let offset = destination.bytesWritten
            let bytes = try content.bytes(at: offset, count: min(TreeFiles.piece, end - offset))
            try await core.service.pass(pieceOf: pieces)
            try destination.write(bytes)
            try await progress.report(completed: destination.bytesWritten, total: content.size)
        }
        if fault("long") { try destination.write([0x21]) }
    }

    func restoreVersion(
        _ version: String, of identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try allows(.versions, "versions")
        if let done = try core.tree.read({ try $0.answer(operation) }) {
            return core.describe(done.entry, in: .answer)
        }
        let known = core.known(identifier)
        let fault = { (name: String) in core.script.strikes("versions.\(name)", known) }
        let source = try earlier(version, of: identifier)
        if fault("restoreLost") { return core.describe(try core.entry(identifier), in: .answer) }
        let ignoresBase = fault("ignoresBase")
        let content = try Content(files: core.tree.files, entry: source)
        let number = core.tree.number()
        try core.tree.files.store(content.bytes(at: 0, count: content.size), as: "c\(number)")
        let size = content.size
        let made: Entry = try core.tree.commit { state in
            var entry = try state.entry(known)
            if let baseVersion, baseVersion.content != core.describe(entry, in: .answer).version?.content, !ignoresBase
            {
                core.tree.files.remove(["c\(number)"])
                throw FileProviderError(.versionOutOfDate, "\"\(entry.name)\" was changed meanwhile.")
            }
            (entry.content, entry.size, entry.version) = ("c\(number)", size, "v\(number)")
            entry.modified = Date().timeIntervalSince1970
            let done = TreeChange.Done(operation: operation.identifier, digest: operation.digest, entry: entry)
            return (TreeChange(entries: [entry], done: done), entry)
        }
        core.signal(changed: [made.identifier])
        return core.describe(made, in: .answer)
    }
}
