import FileProvider
import FoundationEssentials
import Synchronization

/// The documents of a domain: a small, correct service in memory and in the domain's folder, so that the next process
/// has everything that was confirmed. Safe to use from any task.
final class DocumentTree: Sendable {
    let files: TreeFiles
    /// The sequence number at the start of this process.
    let beginning: Int
    private let state: Mutex<TreeState>
    private let keepsHistory: Bool
    private let former = Mutex<[String: String]?>(nil)

    /// Reads the folder. A new folder gets some documents.
    ///
    /// - Parameters:
    ///   - storage: The domain's own folder.
    ///   - remembering: How many changes are kept for clients that ask for changes.
    ///   - keepsFormer: Keeps replaced content for ``formerContent(of:)``.
    ///   - keepsHistory: Keeps replaced content as earlier versions.
    /// - Throws: ``FileProviderError`` when the folder cannot be used.
    init(
        storage: String, remembering: Int = TreeState.rememberedChanges, keepsFormer: Bool = false,
        keepsHistory: Bool = false
    ) throws {
        self.keepsHistory = keepsHistory
        state = Mutex(TreeState(remembering: remembering))
        if keepsFormer { former.withLock { $0 = [:] } }
        files = try TreeFiles(storage: storage)
        let lines = try files.lines()
        let isNew = lines.isEmpty
        beginning = lines.last?.sequence ?? 0
        try state.withLock { state in
            for change in isNew ? [try SampleDocuments.make(files)] : lines { state.apply(change) }
            guard isNew || lines.count > 1_000 + 2 * state.entries.count else { return }
            // The rewrite drops the history: older anchors expire.
            try files.rewrite([state.snapshot] + state.recognised.map { TreeChange(done: $0) })
        }
    }

    /// Reads a consistent state.
    func read<Value: Sendable>(_ body: (TreeState) throws -> Value) throws -> Value {
        try state.withLock { try body($0) }
    }

    /// A number that has never been used.
    func number() -> Int {
        state.withLock { state in
            state.serial += 1
            return state.serial
        }
    }

    /// The content of a document before its last change in this process.
    func formerContent(of identifier: String) -> String? { former.withLock { $0?[identifier] } }

    /// Makes a change, first on disk and then in memory.
    ///
    /// - Parameter isKept: false for a change that the next process must not know.
    func commit<Value: Sendable>(
        isKept: Bool = true, _ body: (TreeState) throws -> (TreeChange, Value)
    ) throws -> Value {
        let (obsolete, value) = try state.withLock { state in
            var (change, value) = try body(state)
            change.sequence = state.sequence + 1
            change.serial = state.serial
            if keepsHistory { change.earlier = state.replaced(by: change) }
            if isKept { try files.append(change) }
            var before = (change.removed + change.entries.map(\.identifier)).compactMap { state.entries[$0] }
            before += (change.untrashed ?? []).flatMap { state.trash[$0]?.entries ?? [] }
            before += state.unreachable(after: change)
            state.apply(change)
            let kept = change.entries + (change.trashed ?? []).flatMap(\.entries) + (change.earlier ?? [])
            let after = Set(kept.compactMap(\.content))
            return (before.filter { $0.content.map { !after.contains($0) } ?? false }, value)
        }
        let keepsFormer = former.withLock { former in
            for entry in obsolete { former?[entry.identifier] = entry.content }
            return former != nil
        }
        if isKept, !keepsFormer { files.remove(obsolete.compactMap(\.content)) }
        return value
    }
}
