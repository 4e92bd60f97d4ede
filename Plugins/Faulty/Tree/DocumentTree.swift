import FileProvider
import FoundationEssentials
import Synchronization

/// The documents of a domain: a correct little service, kept in memory and in the domain's folder, so that the next
/// process has what was answered before. Safe to use from any task.
final class DocumentTree: Sendable {
    let files: TreeFiles
    /// The sequence number with which this process began.
    let beginning: Int
    private let state: Mutex<TreeState>
    private let former = Mutex<[String: String]?>(nil)

    /// Reads what is there; a folder that is new gets some documents.
    ///
    /// - Parameters:
    ///   - storage: The domain's own folder.
    ///   - remembering: How many changes are told to those who ask for what is new.
    ///   - keepsFormer: Keeps content that was replaced, for ``formerContent(of:)``.
    /// - Throws: ``FileProviderError`` when the folder cannot be used.
    init(storage: String, remembering: Int = TreeState.rememberedChanges, keepsFormer: Bool = false) throws {
        state = Mutex(TreeState(remembering: remembering))
        if keepsFormer { former.withLock { $0 = [:] } }
        files = try TreeFiles(storage: storage)
        let lines = try files.lines()
        let isNew = lines.isEmpty
        beginning = lines.last?.sequence ?? 0
        try state.withLock { state in
            for change in isNew ? [try SampleDocuments.make(files)] : lines { state.apply(change) }
            guard isNew || lines.count > 1_000 + 2 * state.entries.count else { return }
            // What is dropped with the old lines is the history: older anchors expire.
            try files.rewrite([state.snapshot] + state.recognised.map { TreeChange(done: $0) })
        }
    }

    /// Looks at the documents at one moment.
    func read<Value: Sendable>(_ body: (TreeState) throws -> Value) throws -> Value {
        try state.withLock { try body($0) }
    }

    /// A number that was never given before.
    func number() -> Int {
        state.withLock { state in
            state.serial += 1
            return state.serial
        }
    }

    /// The content that a document had before its last change, while this process lives.
    func formerContent(of identifier: String) -> String? { former.withLock { $0?[identifier] } }

    /// Makes a change: on disk first, then for those who ask.
    ///
    /// - Parameter isKept: false for a change that the next process shall not know of.
    func commit<Value: Sendable>(
        isKept: Bool = true, _ body: (TreeState) throws -> (TreeChange, Value)
    ) throws -> Value {
        let (obsolete, value) = try state.withLock { state in
            var (change, value) = try body(state)
            change.sequence = state.sequence + 1
            change.serial = state.serial
            if isKept { try files.append(change) }
            let before = (change.removed + change.entries.map(\.identifier)).compactMap { state.entries[$0] }
            state.apply(change)
            let after = Set(change.entries.compactMap(\.content))
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
