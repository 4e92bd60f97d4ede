import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Describes the resource of an identifier. If the recorded path is outdated, searches for the number again.
    func existing(_ path: RemotePath, _ identifier: ItemIdentifier) async throws -> RemoteEntry {
        guard let number = IdentityMap.number(of: identifier) else {
            let entry = try await optional(path)
            guard let entry = try await entry == nil ? returning(path) : entry else {
                throw FileProviderError(.noSuchItem, "\"\(path.displayed)\" is not on the server any more.")
            }
            return entry
        }
        if let entry = try await optional(path), entry.fileIdentifier == number { return entry }
        identities.forget(path)
        let found = try await self.path(of: identifier)
        guard let entry = try await optional(found), entry.fileIdentifier == number else {
            throw FileProviderError(.noSuchItem, "\"\(path.displayed)\" is not on the server any more.")
        }
        return entry
    }

    /// Describes the resource at a path; nil if it certainly does not exist. On some servers it is missing for a moment
    /// while we replace it, so this waits for our replacement.
    func optional(_ path: RemotePath) async throws -> RemoteEntry? {
        for _ in 0..<100 {
            let start = replacements.now
            if let entry = try await server.optional(path) { return entry }
            guard replacements.touched(in: path.parent, since: start).contains(path) else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw FileProviderError(.serverUnreachable, "\"\(path.displayed)\" is being replaced. Try again later.")
    }

    /// Looks at an empty place once more: the server may be replacing the document in two steps, as Apache does. On a
    /// server without locks that keep others out, looks for a while: another client may be replacing it with two
    /// renames.
    func returning(_ path: RemotePath) async throws -> RemoteEntry? {
        let hasLocks = try await server.usesLocks(on: path)
        for _ in 0..<(hasLocks ? 1 : 10) {
            try await Task.sleep(for: .milliseconds(100))
            if let entry = try await server.optional(path) { return entry }
        }
        return nil
    }

    /// Adds an entry that the listing missed because it was being replaced.
    func complete(_ entries: inout [RemoteEntry], _ path: RemotePath) async throws {
        guard let name = path.name, !entries.contains(where: { $0.path == path }),
            let entry = try await optional(path)
        else { return }
        let place = entries.firstIndex { $0.path.name.map { name < $0 } ?? false } ?? entries.endIndex
        entries.insert(entry, at: place)
    }
}
