import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// Starts using the document. Balance each call that returned true with one call of
    /// ``stopAccessingSecurityScopedResource()``. Calls are counted, without a limit. Blocks the calling thread
    /// briefly.
    ///
    /// Opening, reading and writing through this object need no start: the object holds its own access.
    ///
    /// - Returns: false without a right to the document, or when the daemon cannot be reached; there is then nothing to
    ///   stop.
    public func startAccessingSecurityScopedResource() -> Bool {
        let reply = try? client.callBlocking(
            DocumentsInterface.StartAccessing.self, .init(reference: reference.wire))
        return noteStart(reply?.value)
    }

    /// The asynchronous form; it does not block a thread.
    public func startAccessingSecurityScopedResource() async -> Bool {
        let reply = try? await client.call(
            DocumentsInterface.StartAccessing.self, .init(reference: reference.wire))
        return noteStart(reply?.value)
    }

    private func noteStart(_ reply: DocumentsInterface.StartAccessing.Reply?) -> Bool {
        guard reply?.started == true else { return false }
        client.beginStartedAccess(reference)
        return true
    }

    /// Ends what one start began. Call it once for each start that returned true; an extra call is ignored. Returns at
    /// once.
    public func stopAccessingSecurityScopedResource() { client.endStartedAccess(reference) }

    /// Runs a body while the document is in use; the use also ends when the body throws.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document, or what the body throws.
    public func withAccess<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard await startAccessingSecurityScopedResource() else {
            throw DocumentsError(
                .notPermitted, "This program no longer has access to the document, or the daemon does not answer.",
                suggestion: "Choose the document again.")
        }
        defer { stopAccessingSecurityScopedResource() }
        return try await body()
    }
}
