import CVarlinkSocket
import Glibc
import Testing

/// Sending to a peer that has disconnected.
@Suite struct BrokenPipeTests {
    @Test("sending to a disconnected peer is an error, without SIGPIPE, which would end the program")
    func sending() throws {
        // As in a program that embeds an SDK and keeps the default.
        signal(SIGPIPE, SIG_DFL)
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        close(ends[1])
        #expect(cvarlink_send(ends[0], "x", 1, nil, 0, 0) == -Int(EPIPE))
    }
}
