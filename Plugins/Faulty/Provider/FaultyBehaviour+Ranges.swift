import FileProvider
import Glibc
import Synchronization

extension FaultyBehaviour {
    func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        try await core.trouble("range", identifier)
        let entry = try core.entry(identifier)
        let fault = { (name: String) in core.script.strikes("range.\(name)", entry.identifier, entry.name) }
        guard !entry.isFolder else {
            if fault("folderSucceeds") { return PartialContent(version: version, totalBytes: 0) }
            throw FileProviderError(.invalidArgument, "\"\(entry.name)\" is a folder.")
        }
        guard version.content == entry.version || fault("otherVersion") else {
            throw FileProviderError(.versionOutOfDate, "\"\(entry.name)\" has another version.")
        }
        let content = try Content(files: core.tree.files, entry: entry)
        core.fetches.add(1, ordering: .relaxed)
        defer { core.fetches.subtract(1, ordering: .relaxed) }
        core.transfers.add(1, ordering: .relaxed)
        defer { core.transfers.subtract(1, ordering: .relaxed) }
        let answer = PartialContent(
            version: fault("wrongVersion") ? ItemVersion(content: entry.version + "-other") : version,
            totalBytes: content.size + (fault("totalLies") ? 7 : 0))
        let wanted = range.clamped(to: 0..<content.size)
        if wanted.isEmpty {
            if fault("beyondEnd") { try await destination.write([UInt8](repeating: 0, count: min(range.count, 100))) }
            return answer
        }
        do {
            try await write(wanted, of: content, entry, destination, fault)
        } catch  where destination.isUnwanted {
            if fault("diesWhenClosed") { exit(1) }
            if let seconds = core.script.number("range.ignoresClosed", entry.identifier, entry.name, otherwise: 3) {
                await Task.detached { try? await Task.sleep(for: .seconds(seconds)) }.value
            }
        }
        return answer
    }

    private func write(
        _ range: Range<Int>, of content: borrowing Content, _ entry: Entry, _ destination: PartialContentWriter,
        _ fault: (String) -> Bool
    ) async throws {
        let shift = fault("wrongOffset") ? (range.lowerBound > 0 ? -1 : min(1, content.size - range.count)) : 0
        let isMixed = fault("mixed")
        let pieces = max(1, content.size / TreeFiles.piece)
        let half = range.lowerBound + range.count / 2
        var offset = range.lowerBound
        var isFirstHalf = true
        // Without the last byte, which some faults write differently.
        let end = range.upperBound - 1
        while offset < end {
            var bytes = try content.bytes(at: offset + shift, count: min(TreeFiles.piece, end - offset))
            if isMixed {
                try await Task.sleep(for: .milliseconds(20))
                if core.fetches.load(ordering: .relaxed) > 1 { bytes = bytes.reversed().map { $0 ^ 1 } }
            }
            try await core.service.pass(pieceOf: pieces)
            try await destination.write(bytes)
            offset += bytes.count
            if isFirstHalf, offset >= half {
                isFirstHalf = false
                try await stop(entry, fault)
            }
        }
        if isFirstHalf { try await stop(entry, fault) }
        let last = try content.bytes(at: end + shift, count: 1)
        if fault("short") {
            destination.advance(by: 1)
        } else if fault("countLies") {
            try await writeUncounted(last, destination)
        } else {
            try await destination.write(last)
        }
        if fault("long") { try await writeUncounted([0x21], destination) }
    }

    // In the middle of a part.
    private func stop(_ entry: Entry, _ fault: (String) -> Bool) async throws {
        if fault("dies") { exit(1) }
        if let seconds = core.script.number("range.stalls", entry.identifier, entry.name, otherwise: 3) {
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    // Past the SDK, which would count it or refuse it.
    private func writeUncounted(_ bytes: [UInt8], _ destination: PartialContentWriter) async throws {
        for _ in 0..<500 {
            if Glibc.write(destination.descriptor, bytes, bytes.count) > 0 { return }
            guard errno == EAGAIN else { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
