import FileProvider
import HTTPTransport
import Synchronization

extension WebDAVProvider {
    /// Refuses a name that the server would not return unchanged. Some servers (rclone) accept control characters and
    /// list something else; some (nginx, copyparty) do not list names that begin with a dot; one (ASGIWebDAV) decodes
    /// the URL of a request twice.
    ///
    /// - Throws: `FileProviderError` invalidArgument; the server's error when the trial is not possible.
    func requireStorable(_ name: LocalName, in folder: RemotePath) async throws {
        if name.bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            let text = "a\u{9}b\u{A}c\u{D}d\u{1}e\u{7F}f"
            var isKept = try await !server.traits().altersControlCharacters
            if isKept { isKept = try await isListed(text, in: folder, known: keepsControlCharacters) }
            guard isKept else {
                throw FileProviderError(
                    .invalidArgument,
                    "This server cannot keep the control characters in \"\(name.displayed)\". Choose another name.")
            }
        }
        if name.bytes.first == UInt8(ascii: ".") {
            guard try await isListed(".hidden", in: folder, known: listsHiddenNames) else {
                throw FileProviderError(
                    .invalidArgument,
                    "This server does not list names that begin with a dot, such as \"\(name.displayed)\". Choose "
                        + "another name.")
            }
        }
        if SegmentEncoding.decode(name.bytes) != name.bytes {
            guard try await isListed("a%41b", in: folder, known: keepsEncodedNames) else {
                throw FileProviderError(
                    .invalidArgument,
                    "This server cannot keep the % in \"\(name.displayed)\", because it reads % and the two characters "
                        + "after it as one character. Choose another name.")
            }
        }
    }

    // Tried in a separate hidden folder, which is removed afterwards.
    private func isListed(_ text: String, in folder: RemotePath, known: borrowing Mutex<Bool?>) async throws -> Bool {
        if let known = known.withLock({ $0 }) { return known }
        guard let name = LocalName(text) else { return false }
        let isListed = try await withTrialFolder(in: folder) { place in
            let inner = try await server.makeFolder(place.appending(name))
            return inner.isSuccess ? try await server.entries(in: place).contains { $0.path.name == name } : false
        }
        guard let isListed else { return true }
        known.withLock { $0 = isListed }
        return isListed
    }
}
