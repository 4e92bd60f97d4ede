import FileProvider
import FoundationEssentials
import Synchronization
import UniformTypes

extension FaultyBehaviour {
    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await core.trouble("create", template.parent, name: template.filename)
        try allows(.write, "write")
        let script = core.script
        let fault = { (name: String) in script.strikes("create.\(name)", template.filename) }
        if let done = try core.tree.read({ try $0.answer(operation) }), !fault("doubleApply") {
            return core.describe(done.entry, in: .answer)
        }
        var new = try entry(template, fault)
        try check(new, fault)
        if contents?.metadata != nil, script.strikes("metadata.refused") { throw Trouble.notSupported }
        if let contents {
            new.content = "c\(new.identifier)"
            new.size = contents.size
            do {
                try await store(contents, new, progress, fault)
            } catch let lost as FileProviderError where lost.code == .serverUnreachable {
                guard fault("savedWhenCut") else { throw lost }
                return core.describe(new, in: .answer)
            }
            try apply(contents.metadata, to: &new)
        }
        if fault("lost") { return core.describe(new, in: .answer) }
        let isOrphan = fault("orphans")
        let made = new
        do {
            try core.tree.commit(isKept: !fault("volatile")) { state in
                if !isOrphan { try folder(made.parent, state) }
                var taken = state.child(made.name, of: made.parent)
                if taken != nil, fault("doubles") { taken = nil }
                guard taken == nil || fault("replaces") else { throw collision(made.name) }
                let done = TreeChange.Done(operation: operation.identifier, digest: operation.digest, entry: made)
                return (TreeChange(entries: [made], removed: taken.map { [$0.identifier] } ?? [], done: done), ())
            }
        } catch {
            core.tree.files.remove([made.content].compactMap { $0 })
            throw error
        }
        if fault("unanswered") { Calamity.crash() }
        core.signal(changed: [made.parent, made.identifier])
        return core.describe(made, in: .answer)
    }

    func collision(_ name: String) -> FileProviderError {
        FileProviderError(.filenameCollision, "There is already a \"\(name)\".")
    }

    private func entry(_ template: ItemTemplate, _ fault: (String) -> Bool) throws -> Entry {
        let number = core.tree.number()
        let now = Date().timeIntervalSince1970
        return Entry(
            identifier: "i\(number)", parent: fault("elsewhere") ? TreeState.root : core.known(template.parent),
            name: NameRules(script: core.script).stored(template.filename), isFolder: template.isFolder,
            version: "v\(number)", created: now, modified: now, contentType: template.contentType?.identifier)
    }

    // Checks before content is stored in vain. The same checks are repeated when it is put in its place.
    private func check(_ new: Entry, _ fault: (String) -> Bool) throws {
        if core.script.has("create.orphans") || core.script.has("create.doubles") || core.script.has("create.replaces")
        {
            return
        }
        try core.tree.read { state in
            try folder(new.parent, state)
            if state.child(new.name, of: new.parent) != nil { throw collision(new.name) }
        }
    }

    private func folder(_ identifier: String, _ state: TreeState) throws {
        guard try state.entry(identifier).isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(identifier)\" is a document and not a folder.")
        }
    }

    private func store(
        _ contents: ContentReader, _ new: Entry, _ progress: TransferProgress, _ fault: (String) -> Bool
    ) async throws {
        let files = core.tree.files
        let name = new.content ?? ""
        var early = new
        early.size = 0
        if let seconds = core.script.number("create.early", new.name, otherwise: 3) {
            try files.store([], as: name)
            let shown = early
            try core.tree.commit(isKept: false) { _ in (TreeChange(entries: [shown]), ()) }
            await Task.detached { try? await Task.sleep(for: .seconds(seconds)) }.value
            try core.tree.commit(isKept: false) { _ in (TreeChange(removed: [shown.identifier]), ()) }
        }
        do {
            if contents.size > 1 << 20, fault("cancelKeeps") { try await Task.sleep(for: .seconds(2)) }
            core.transfers.add(1, ordering: .relaxed)
            defer { core.transfers.subtract(1, ordering: .relaxed) }
            try await files.store(contents, as: name, progress: progress, service: core.service)
        } catch {
            if core.script.has("create.cancelKeeps") {
                try files.store(Array(try contents.read(at: 0, count: contents.size / 2)), as: name)
                early.size = contents.size / 2
                let half = early
                try core.tree.commit { _ in (TreeChange(entries: [half]), ()) }
            } else {
                files.remove([name])
            }
            throw error
        }
        try spoil(name, size: contents.size, truncates: fault("truncates"), isWrong: fault("wrongBytes"))
    }
}
