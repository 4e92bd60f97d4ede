import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Describes what has an identifier. A path that was learnt may be old: then the number is looked for again.
    func existing(_ path: RemotePath, _ identifier: ItemIdentifier) async throws -> RemoteEntry {
        guard let number = IdentityMap.number(of: identifier) else {
            let entry = try await optional(path)
            guard let entry = try await entry == nil ? returning(path) : entry else {
                throw FileProviderError(.noSuchItem, "“\(path.displayed)” is not on the server any more.")
            }
            return entry
        }
        if let entry = try await optional(path), entry.fileIdentifier == number { return entry }
        identities.forget(path)
        let found = try await self.path(of: identifier)
        guard let entry = try await optional(found), entry.fileIdentifier == number else {
            throw FileProviderError(.noSuchItem, "“\(path.displayed)” is not on the server any more.")
        }
        return entry
    }

    /// Describes what lies at a path, or nil if there is nothing for certain. While we replace it ourselves, some
    /// servers have nothing there for a moment: that is waited out.
    func optional(_ path: RemotePath) async throws -> RemoteEntry? {
        for _ in 0..<100 {
            let start = replacements.now
            if let entry = try await server.optional(path) { return entry }
            guard replacements.touched(in: path.parent, since: start).contains(path) else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw FileProviderError(.serverUnreachable, "“\(path.displayed)” is being replaced. Try again later.")
    }

    /// Looks for a while at a place where nothing is, on a server whose locks keep nobody out: somebody else may be
    /// replacing what was there, which is by two renames.
    func returning(_ path: RemotePath) async throws -> RemoteEntry? {
        let hasLocks = try await server.traits().hasLocks
        guard !hasLocks || server.lockTraits.isKept == false else { return nil }
        for _ in 0..<10 {
            try await Task.sleep(for: .milliseconds(100))
            if let entry = try await server.optional(path) { return entry }
        }
        return nil
    }

    /// Adds what a listing missed because it was being replaced.
    func complete(_ entries: inout [RemoteEntry], _ path: RemotePath) async throws {
        guard let name = path.name, !entries.contains(where: { $0.path == path }),
            let entry = try await optional(path)
        else { return }
        let place = entries.firstIndex { $0.path.name.map { name < $0 } ?? false } ?? entries.endIndex
        entries.insert(entry, at: place)
    }
}
