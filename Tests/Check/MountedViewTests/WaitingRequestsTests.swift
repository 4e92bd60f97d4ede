import DocentTestSupport
import FileSystemMessages
import Glibc
import Synchronization
import Testing

@testable import MountedView

/// Requests whose answers come late.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct WaitingRequestsTests {
    private static let request = KernelRequest(
        unique: 6, node: 1, caller: .init(user: 0, group: 0, process: 0), operation: .open(flags: 0))

    /// What is written to the kernel, and a channel to it.
    private static func channel() throws -> (KernelChannel, CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        return (KernelChannel(owning: ends[0]), ends[1])
    }

    private static func error(_ end: CInt) -> Int32 {
        var message = [UInt8](repeating: 0, count: 256)
        guard recv(end, &message, message.count, 0) >= 16 else { return -1 }
        return message.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: Int32.self) }
    }

    @Test("an answer in time is sent, and not undone")
    func inTime() async throws {
        let (channel, end) = try Self.channel()
        defer { close(end) }
        let undone = Mutex(0)
        WaitingRequests(channel: channel).start(Self.request, within: .seconds(60)) { _ in
            undone.withLock { $0 += 1 }
        } _: {
            .opened(.init(handle: 3))
        }
        #expect(Self.error(end) == 0 && undone.withLock { $0 } == 0)
    }

    @Test("the program gets an error at the deadline, and what the late answer opened is closed")
    func late() async throws {
        let (channel, end) = try Self.channel()
        defer { close(end) }
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let undone = Mutex<KernelReply?>(nil)
        let requests = WaitingRequests(channel: channel)
        requests.start(Self.request, within: .milliseconds(1)) { reply in
            undone.withLock { $0 = reply }
        } _: {
            // It does not notice that it was cancelled.
            await Task.detached { for await _ in gate { break } }.value
            return .opened(.init(handle: 3))
        }
        #expect(Self.error(end) == -ETIMEDOUT)
        opening.finish()
        while undone.withLock({ $0 == nil }) { try await Task.sleep(for: .milliseconds(2)) }
        #expect(undone.withLock { $0 } == .opened(.init(handle: 3)))
        #expect(recv(end, nil, 0, CInt(MSG_DONTWAIT)) < 0, "there is one reply")
        withExtendedLifetime(requests) {}
    }
}
