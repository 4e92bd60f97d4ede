import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Waits until what the server says of a document holds for one content only, where its versions are whole seconds.
    ///
    /// - Parameters:
    ///   - entry: What it said a moment ago.
    ///   - age: The age in seconds that the version has to have.
    /// - Returns: What it says now; nil when the document is gone. What it said before, when time does not help.
    func settled(_ entry: RemoteEntry, _ age: Double) async throws -> RemoteEntry? {
        guard entry.settling(age) > 0, try await !server.traits().isNextcloud else { return entry }
        let deadline = ContinuousClock.now + .seconds(10)
        var entry = entry
        while case let rest = entry.settling(age), rest > 0, ContinuousClock.now < deadline {
            // The server's time has no fractions: it is over at some moment before.
            try await Task.sleep(for: .seconds(min(rest, 0.25)))
            guard let now = try await optional(entry.path) else { return nil }
            entry = now
        }
        return entry
    }

    /// Describes a document that is there, as soon as that holds for one content only.
    func settledExisting(_ path: RemotePath, _ identifier: ItemIdentifier) async throws -> RemoteEntry {
        let entry = try await existing(path, identifier)
        guard let settled = try await settled(entry, Settling.ageToRead) else {
            throw FileProviderError(.noSuchItem, "“\(path.displayed)” is not on the server any more.")
        }
        return settled
    }
}
