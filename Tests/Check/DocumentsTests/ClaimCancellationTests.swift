import Glibc
import Testing
import Varlink

@testable import Documents

@Suite("Cancelling a claim that waits")
struct ClaimCancellationTests {
    private func connection() throws -> VarlinkConnection {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        close(ends[1])
        return VarlinkConnection(descriptor: OwnedDescriptor(ends[0]))
    }

    @Test("after an answer its connection can be used by another call, after a cancellation it cannot")
    func connectionsUse() throws {
        let answered = ClaimCancellation()
        try answered.wait(on: connection())
        #expect(answered.pause())

        let cancelled = ClaimCancellation()
        let connection = try connection()
        try cancelled.wait(on: connection)
        cancelled.cancel()
        #expect(!cancelled.pause() && connection.isClosed)
        #expect(throws: DocumentsError.self) { try cancelled.grant() }
    }
}
