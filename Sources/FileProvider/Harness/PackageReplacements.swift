import Synchronization

/// The unfinished package replacements of one extension process, by operation: they are begun, filled and committed in
/// separate calls.
///
/// The number is limited: beyond it, the oldest replacement is dropped with its staged content. Thread-safe.
final class PackageReplacements: Sendable {
    private struct Entry {
        var digest: String
        /// nil once it is committed.
        var replacement: (any PackageReplacement)?
        var given: Set<ExactText> = []
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var order: [String] = []
    }

    private static let remembered = 1_000
    private let capacity: Int
    private let state = Mutex(State())
    private let beginnings = OperationMemory<[String]>(capacity: 0)
    private let commits = OperationMemory<ModifiedItem>(capacity: remembered)

    init(capacity: Int = 16) { self.capacity = capacity }

    /// Begins a replacement, or continues an unfinished one.
    ///
    /// - Returns: The paths whose content is still missing.
    /// - Throws: ``FileProviderError`` with `invalidArgument` for an operation that was begun with other elements; what
    ///   `make` throws.
    func begin(
        _ operation: ChangeOperation, _ make: @escaping @Sendable () async throws -> any PackageReplacement
    ) async throws -> [String] {
        if let known = try needed(operation) { return known }
        return try await beginnings.run(operation) { [self] _ in
            if let known = try needed(operation) { return known }
            let replacement = try await make()
            add(operation, replacement)
            return replacement.neededPaths
        }
    }

    private func needed(_ operation: ChangeOperation) throws -> [String]? {
        guard let entry = state.withLock({ $0.entries[operation.identifier] }) else { return nil }
        guard entry.digest == operation.digest else {
            throw FileProviderError(.invalidArgument, "The operation was begun with other elements.")
        }
        return entry.replacement?.neededPaths.filter { !entry.given.contains(ExactText($0)) } ?? []
    }

    private func add(_ operation: ChangeOperation, _ replacement: any PackageReplacement) {
        let dropped = state.withLock { state -> [Entry] in
            let identifier = operation.identifier
            state.entries[identifier] = Entry(digest: operation.digest ?? "", replacement: replacement)
            state.order.append(identifier)
            var excess: [String] = []
            let live = state.order.filter { state.entries[$0]?.replacement != nil }
            if live.count > capacity { excess.append(live[0]) }
            if state.order.count > Self.remembered { excess.append(state.order[0]) }
            state.order.removeAll { excess.contains($0) }
            return excess.compactMap { state.entries.removeValue(forKey: $0) }
        }
        // Its staged content is removed outside the lock.
        withExtendedLifetime(dropped) {}
    }

    /// Adds content to a replacement.
    ///
    /// - Throws: ``FileProviderError`` with `noSuchItem` when this process has no such unfinished replacement.
    func stage(_ operation: String, _ path: String, _ contents: ContentReader) async throws {
        guard let replacement = try entry(operation).replacement else { return }
        try await replacement.stage(path, contents: contents)
        state.withLock { _ = $0.entries[operation]?.given.insert(ExactText(path)) }
    }

    /// Commits a replacement. A repeated call gets the same answer. After a failure it has to be begun again.
    func commit(_ operation: String, metadata: ItemMetadata? = nil) async throws -> ModifiedItem {
        let entry = try entry(operation)
        let change = ChangeOperation(identifier: operation, digest: entry.digest)
        do {
            let result = try await commits.run(change) { _ in
                guard let replacement = entry.replacement else { throw Self.unknown(operation) }
                return try await replacement.commit(metadata: metadata)
            }
            state.withLock { $0.entries[operation]?.replacement = nil }
            return result
        } catch {
            state.withLock { state in
                state.entries[operation] = nil
                state.order.removeAll { $0 == operation }
            }
            throw error
        }
    }

    private func entry(_ operation: String) throws -> Entry {
        guard let entry = state.withLock({ $0.entries[operation] }) else { throw Self.unknown(operation) }
        return entry
    }

    private static func unknown(_ operation: String) -> FileProviderError {
        FileProviderError(.noSuchItem, "The operation \(operation) has no unfinished package.")
    }
}
