import FileProvider
import Synchronization

extension WebDAVProvider {
    /// Refuses a name that the server would not give back as it is: some (rclone) take control characters, and list something else.
    ///
    /// - Throws: `FileProviderError` invalidArgument; what the server says when it cannot be tried.
    func requireStorable(_ name: LocalName, in folder: RemotePath) async throws {
        guard name.bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return }
        let known = try await server.traits().altersControlCharacters ? false : keepsControlCharacters.withLock { $0 }
        let isKept: Bool
        if let known {
            isKept = known
        } else {
            isKept = try await tryControlCharacters(in: folder)
            keepsControlCharacters.withLock { $0 = isKept }
        }
        guard isKept else {
            throw FileProviderError(
                .invalidArgument,
                "This server cannot keep the control characters in “\(name.displayed)”. Choose another name.")
        }
    }

    // In a hidden folder of its own, which goes again.
    private func tryControlCharacters(in folder: RemotePath) async throws -> Bool {
        let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        guard let hidden = TemporaryUpload.name(ChangeOperation(identifier: "probe-" + mark, digest: nil)),
            let name = LocalName("a\u{9}b\u{A}c\u{D}d\u{1}e\u{7F}f")
        else { return false }
        let place = folder.appending(hidden)
        let made = try await server.makeFolder(place)
        guard made.isSuccess else {
            throw try await parentError(made, place, cannot: "make a folder in “\(folder.displayed)”")
        }
        let inner = try await server.makeFolder(place.appending(name))
        let listed = inner.isSuccess ? try await server.entries(in: place) : []
        try await removeFolder(place, isRecursive: true)
        return listed.contains { $0.path.name == name }
    }
}
