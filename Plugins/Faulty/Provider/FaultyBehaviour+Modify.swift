import FileProvider
import FoundationEssentials
import Synchronization

extension FaultyBehaviour {
    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        try await core.trouble("modify", identifier)
        try allows(.write, "write")
        let known = core.known(identifier)
        let fault = { (name: String) in core.script.strikes("modify.\(name)", known) }
        let done = try core.tree.read({ try $0.answer(operation) })
        let isAgain = done != nil && fault("doubleApply")
        if let done, !isAgain {
            return ModifiedItem(
                item: core.describe(done.entry, in: .answer), conflict: done.conflict.map { ItemIdentifier($0) })
        }
        let old = try former(known, fault)
        guard !old.isFolder else { throw FileProviderError(.invalidArgument, "\"\(old.name)\" is a folder.") }
        let isStale = baseVersion != nil && baseVersion?.content != core.describe(old, in: .answer).version?.content
        let isForeign = isStale && core.former(of: known)??.version == baseVersion?.content
        let isBlind =
            isAgain || isStale && fault("ignoresBase") || isForeign && fault("ignoresOthers")
            || core.script.has("modify.conflictNotKept")
        try check(old, baseVersion, isBlind: isBlind || core.keepsConflicts || core.script.has("modify.conflictIsNew"))
        if contents.metadata != nil, core.script.strikes("metadata.refused") { throw Trouble.notSupported }
        var isRace = false
        if let seconds = core.script.number("writers.race", known, otherwise: 0.2) {
            isRace = true
            try await Task.sleep(for: .seconds(seconds))
        }
        var new: Entry
        do {
            new = try await changed(old, contents, progress, fault)
        } catch let lost as FileProviderError where lost.code == .serverUnreachable {
            guard fault("savedWhenCut") else { throw lost }
            var saved = old
            (saved.size, saved.version) = (contents.size, "v\(core.tree.number())")
            return ModifiedItem(item: core.describe(saved, in: .answer))
        }
        if fault("lost") { return ModifiedItem(item: core.describe(new, in: .answer)) }
        if fault("newIdentifier") { new.identifier = "i\(core.tree.number())" }
        let result = try replace(
            old, with: new, baseVersion: isBlind || isRace ? nil : baseVersion, operation, isKept: !fault("volatile"))
        if fault("unanswered") { Calamity.crash() }
        core.signal(changed: [result.entry.identifier] + (result.conflict == nil ? [] : [old.parent]))
        var modified = ModifiedItem(
            item: core.describe(result.entry, in: .answer), conflict: result.conflict.map { ItemIdentifier($0) })
        if let base = baseVersion, base.content != old.version, fault("conflictNotKept") {
            modified.conflict = ItemIdentifier("i0")
        }
        return modified
    }

    private func former(_ known: String, _ fault: (String) -> Bool) throws -> Entry {
        do {
            return try core.entry(ItemIdentifier(known))
        } catch {
            guard let grave = core.graves.withLock({ $0[known] }), fault("resurrects") else { throw error }
            return grave
        }
    }

    private func check(_ old: Entry, _ base: ItemVersion?, isBlind: Bool) throws {
        guard isBlind || base == nil || base?.content == core.describe(old, in: .answer).version?.content else {
            throw FileProviderError(.versionOutOfDate, "\"\(old.name)\" was changed meanwhile.")
        }
    }

    private func changed(
        _ old: Entry, _ contents: ContentReader, _ progress: TransferProgress, _ fault: (String) -> Bool
    ) async throws -> Entry {
        let number = core.tree.number()
        let files = core.tree.files
        var new = old
        new.content = "c\(number)"
        new.size = contents.size
        new.version = "v\(number)"
        new.modified = Date().timeIntervalSince1970
        if fault("progressBack") {
            try await progress.report(completed: contents.size, total: contents.size)
            try await Task.sleep(for: .milliseconds(150))
            try await progress.report(completed: 0, total: contents.size)
        }
        let isInPlace = fault("inPlace")
        if isInPlace { new.content = old.content }
        let content = new.content ?? ""
        do {
            core.transfers.add(1, ordering: .relaxed)
            defer { core.transfers.subtract(1, ordering: .relaxed) }
            core.latest.withLock { $0.contents = contents }
            try await files.store(
                contents, as: content, progress: progress, isInPlace: isInPlace, service: core.service)
            // A provider that stages all content under one name stores what was staged last.
            if fault("swapped"), let staged = core.latest.withLock({ $0.contents }), staged !== contents {
                new.size = staged.size
                try files.store([UInt8](staged.readAll()), as: content)
            }
        } catch {
            if !isInPlace { files.remove([content]) }
            throw error
        }
        try spoil(content, size: new.size, truncates: fault("truncates"), isWrong: fault("wrongBytes"))
        if fault("appends") {
            let before = try Content(files: files, entry: old)
            let bytes = try before.bytes(at: 0, count: before.size)
            try files.store(bytes + [UInt8](contents.readAll()), as: "c\(number)")
            new.size += bytes.count
        }
        try apply(contents.metadata, to: &new)
        return new
    }

    private func replace(
        _ old: Entry, with new: Entry, baseVersion: ItemVersion?, _ operation: ChangeOperation, isKept: Bool
    ) throws -> TreeChange.Done {
        let number = core.tree.number()
        return try core.tree.commit(isKept: isKept) { state in
            let now = state.entries[old.identifier] ?? old
            var change = TreeChange(entries: [new])
            var done = TreeChange.Done(operation: operation.identifier, digest: operation.digest, entry: new)
            // A name or folder that another client changed meanwhile is kept.
            (done.entry.name, done.entry.parent) = (now.name, now.parent)
            if let baseVersion, baseVersion.content != core.describe(now, in: .answer).version?.content {
                let isNew = core.script.strikes("modify.conflictIsNew")
                guard core.keepsConflicts || isNew else {
                    core.tree.files.remove([new.content].compactMap { $0 })
                    throw FileProviderError(.versionOutOfDate, "\"\(old.name)\" was changed meanwhile.")
                }
                var beside = isNew ? done.entry : now
                beside.identifier = "i\(number)"
                beside.name += " (conflict \(number))"
                done.conflict = beside.identifier
                change.entries.append(beside)
            }
            change.entries[0] = done.entry
            change.done = done
            if new.identifier != old.identifier { change.removed = [old.identifier] }
            return (change, done)
        }
    }

    /// Applies the metadata.
    func apply(_ metadata: ItemMetadata?, to entry: inout Entry) throws {
        guard let metadata else { return }
        if let date = metadata.modificationDate {
            let isWrong = core.script.strikes("metadata.wrongDate", entry.identifier, entry.name)
            entry.modified = date.timeIntervalSince1970 + (isWrong ? 315_576_000 : 0)
        }
        if let date = metadata.creationDate { entry.created = date.timeIntervalSince1970 }
        entry.attributes = metadata.extendedAttributes
        if core.script.strikes("metadata.contentLost", entry.identifier, entry.name), let content = entry.content {
            try core.tree.files.store([], as: content)
        }
    }

    /// Spoils stored content.
    func spoil(_ content: String, size: Int, truncates: Bool, isWrong: Bool) throws {
        guard truncates || isWrong, size > 0 else { return }
        let path = core.tree.files.path(content)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        if truncates { bytes.removeLast() }
        if isWrong, !bytes.isEmpty { bytes[bytes.count / 2] ^= 0x20 }
        try core.tree.files.store(bytes, as: content)
    }
}
