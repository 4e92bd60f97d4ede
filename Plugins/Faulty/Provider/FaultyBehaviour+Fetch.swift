import FileProvider
import Synchronization

extension FaultyBehaviour {
    func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await core.trouble("fetch", identifier)
        let entry = try core.entry(identifier)
        let shown = try await mixed(entry)
        let fault = { (name: String) in core.script.strikes("fetch.\(name)", entry.identifier, entry.name) }
        guard !entry.isFolder else {
            if fault("folderSucceeds") { return core.describe(entry, in: .answer) }
            throw FileProviderError(.invalidArgument, "\"\(entry.name)\" is a folder.")
        }
        var former = core.tree.formerContent(of: entry.identifier)
        let isForeign = core.former(of: entry.identifier) != nil
        if former != nil, !fault("stale"), !(isForeign && fault("staleForOthers")) { former = nil }
        let content = try Content(files: core.tree.files, entry: shown, former: former)
        core.transfers.add(1, ordering: .relaxed)
        defer { core.transfers.subtract(1, ordering: .relaxed) }
        core.fetches.add(1, ordering: .relaxed)
        defer { core.fetches.subtract(1, ordering: .relaxed) }
        try await tell(entry, content.size, progress, fault)
        var shift = 0
        if let start, start.offset <= content.size,
            start.version.content == entry.version || fault("resumesAnyVersion")
        {
            try destination.begin(at: start.offset)
            if fault("resumeRepeats") { shift = start.offset }
        }
        let isSlow = core.script.number("fetch.ignoresCancel", entry.identifier, entry.name, otherwise: 3)
        let isMixed = fault("mixed")
        let isCut = fault("cut")
        let spoilt = Spoilt(size: content.size, wrong: fault("wrongBytes"), hole: fault("hole"))
        let end = fault("empty") ? 0 : fault("short") ? max(0, content.size - 1) : content.size
        let pieces = max(1, content.size / TreeFiles.piece)
        while destination.bytesWritten < end {
            let offset = destination.bytesWritten
            var bytes = try content.bytes(at: offset - shift, count: min(TreeFiles.piece, end - offset))
            spoilt.spoil(&bytes, at: offset)
            if isMixed {
                try await Task.sleep(for: .milliseconds(20))
                if core.fetches.load(ordering: .relaxed) > 1 { bytes = bytes.reversed().map { $0 ^ 1 } }
            }
            do {
                try await core.service.pass(pieceOf: pieces)
            } catch let lost as FileProviderError where lost.code == .serverUnreachable {
                guard fault("wholeWhenCut") else { throw lost }
                return answer(entry, fault)
            }
            try destination.write(bytes)
            if let isSlow {
                // In a separate task, because the current one may be cancelled.
                await Task.detached { try? await Task.sleep(for: .seconds(isSlow / Double(pieces))) }.value
            } else {
                try await progress.report(completed: destination.bytesWritten, total: content.size)
            }
            if isCut, 2 * destination.bytesWritten >= content.size {
                try await cut(progress, destination.bytesWritten, of: content.size)
            }
        }
        if fault("long") { try destination.write([0x21]) }
        return answer(entry, fault)
    }

    // A provider with one shared state for all calls delivers the document that was requested last.
    private func mixed(_ entry: Entry) async throws -> Entry {
        guard core.script.strikes("fetch.swapped", entry.identifier, entry.name) else { return entry }
        core.latest.withLock { $0.entry = entry }
        try await Task.sleep(for: .milliseconds(1))
        return core.latest.withLock { $0.entry } ?? entry
    }

    private func cut(_ progress: TransferProgress, _ count: Int, of size: Int) async throws -> Never {
        // So that the SDK sends this report too.
        try await Task.sleep(for: .milliseconds(150))
        try await progress.report(completed: count, total: size)
        core.bury(try core.others.act(before: "cut", on: core.tree))
        throw FileProviderError(.serverUnreachable, "The connection broke.")
    }

    private func answer(_ entry: Entry, _ fault: (String) -> Bool) -> FileProviderItem {
        var item = core.describe(entry, in: .answer)
        if fault("sizeLies") { item.size = entry.size + 3 }
        if fault("wrongVersion") { item.version = ItemVersion(content: entry.version + "-other") }
        if fault("otherItem") {
            item.identifier = ItemIdentifier("i1")
            item.filename = "Welcome.txt"
        }
        return item
    }

    private func tell(
        _ entry: Entry, _ size: Int, _ progress: TransferProgress, _ fault: (String) -> Bool
    ) async throws {
        if fault("progressBack") {
            try await progress.report(completed: size, total: size)
            // So that the SDK sends the next report too.
            try await Task.sleep(for: .milliseconds(150))
            try await progress.report(completed: 0, total: size)
        }
        if fault("progressBeyond") { try await progress.report(completed: 2 * size + 1, total: size) }
        if let seconds = core.script.number("fetch.stands", entry.identifier, entry.name, otherwise: 3) {
            for _ in 0..<Int(seconds * 5) {
                try await progress.report(completed: 0, total: size)
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        if let seconds = core.script.number("fetch.silent", entry.identifier, entry.name, otherwise: 3) {
            try await Task.sleep(for: .seconds(seconds))
        }
    }
}

/// Deliberately wrong content.
struct Spoilt: Sendable {
    let size: Int
    let wrong: Bool
    let hole: Bool

    /// Spoils a part of the content.
    func spoil(_ bytes: inout [UInt8], at offset: Int) {
        if wrong, bytes.indices.contains(size / 2 - offset) { bytes[size / 2 - offset] ^= 0x20 }
        guard hole else { return }
        for index in bytes.indices where (size / 3..<max(size / 3 + 1, 2 * size / 3)).contains(offset + index) {
            bytes[index] = 0
        }
    }
}
