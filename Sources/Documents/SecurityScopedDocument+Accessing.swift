import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// Begins to use the document (G3). Each call that returned true is to be balanced by one of
    /// ``stopAccessingSecurityScopedResource()``. Counted, without a limit. Blocks the calling thread, briefly.
    ///
    /// Opening, reading and writing through this object need no start: it holds its own access (G11).
    ///
    /// - Returns: false without a right to the document, or when the daemon cannot be reached: then there is nothing to stop.
    public func startAccessingSecurityScopedResource() -> Bool {
        let reply = try? client.callBlocking(
            DocumentsInterface.StartAccessing.self, .init(reference: reference.wire))
        return noteStart(reply?.value)
    }

    /// The same from asynchronous code, without blocking a thread.
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

    /// Ends what one start began. To be called once for each that returned true; one more is nothing. Returns at once.
    public func stopAccessingSecurityScopedResource() { client.endStartedAccess(reference) }

    /// Runs a body while the document is in use, and ends that also when the body throws.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document; what the body throws.
    public func withAccess<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard await startAccessingSecurityScopedResource() else {
            throw DocumentsError(
                .notPermitted, "There is no right to this document any more, or the daemon does not answer.",
                suggestion: "Choose the document again.")
        }
        defer { stopAccessingSecurityScopedResource() }
        return try await body()
    }
}
