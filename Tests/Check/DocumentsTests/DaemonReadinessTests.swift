import Glibc
import Testing

@testable import Documents

@Suite struct DaemonReadinessTests {
    private static func read(_ bytes: [UInt8]) throws -> DaemonReadiness {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        _ = Glibc.write(ends[1], bytes, bytes.count)
        close(ends[1])
        defer { close(ends[0]) }
        return DaemonReadiness.read(from: ends[0])
    }

    @Test("D2: a starting daemon reports that it is ready, or why it is not, or ends silently")
    func answers() throws {
        #expect(try Self.read([1]) == .ready)
        #expect(try Self.read(Array("no room.".utf8)).reason == "no room")
        #expect(try Self.read([]) == .silent)
        #expect(try Self.read([UInt8](repeating: 0x61, count: 60_000)).reason?.utf8.count ?? 0 < 10_000)
        #expect(DaemonReadiness.silent.reason == nil)
    }

    @Test("D2: the end of a silent daemon is described by its status")
    func endings() {
        #expect(DaemonReadiness.text(status: 127 << 8) == "it ended with status 127")
        #expect(DaemonReadiness.text(status: 9) == "it was ended by signal 9")
    }
}
