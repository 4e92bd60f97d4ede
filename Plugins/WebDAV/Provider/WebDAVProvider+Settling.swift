import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Waits until the description of a document identifies one content only, if the server's versions are in whole
    /// seconds.
    ///
    /// - Parameters:
    ///   - entry: The description a moment ago.
    ///   - age: The age in seconds that the version has to have.
    /// - Returns: The description now; nil when the document is gone. The earlier description when waiting does not
    ///   help.
    func settled(_ entry: RemoteEntry, _ age: Double) async throws -> RemoteEntry? {
        guard entry.settling(age) > 0, try await !server.traits().isNextcloud else { return entry }
        let deadline = ContinuousClock.now + .seconds(10)
        var entry = entry
        while case let rest = entry.settling(age), rest > 0, ContinuousClock.now < deadline {
            // The server's time is in whole seconds, so the wait may end earlier.
            try await Task.sleep(for: .seconds(min(rest, 0.25)))
            guard let now = try await optional(entry.path) else { return nil }
            entry = now
        }
        return entry
    }

    /// Describes an existing document, as soon as its description identifies one content only.
    func settledExisting(_ path: RemotePath, _ identifier: ItemIdentifier) async throws -> RemoteEntry {
        let entry = try await existing(path, identifier)
        guard let settled = try await settled(entry, Settling.ageToRead) else {
            throw FileProviderError(.noSuchItem, "\"\(path.displayed)\" is not on the server any more.")
        }
        return settled
    }
}
