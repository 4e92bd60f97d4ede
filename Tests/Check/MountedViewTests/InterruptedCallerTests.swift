import Glibc
import MountedView
import Testing

@Suite struct InterruptedCallerTests {
    private static func status(pending: [CInt], shared: [CInt] = [], blocked: [CInt] = []) -> String {
        func mask(_ signals: [CInt]) -> String {
            String(signals.reduce(0 as UInt64) { $0 | 1 << UInt64($1 - 1) }, radix: 16)
        }
        return """
            Name:\tcat
            SigQ:\t1/96000
            SigPnd:\t\(mask(pending))
            ShdPnd:\t\(mask(shared))
            SigBlk:\t\(mask(blocked))
            SigIgn:\t0000000000000000
            """
    }

    @Test(
        "a program that is to end, or that a person interrupted, gets its call back",
        arguments: [
            SIGKILL, SIGINT, SIGTERM, SIGHUP, SIGALRM,
        ])
    func ends(signal: CInt) {
        #expect(InterruptedCaller.mustReturn(Self.status(pending: [signal])))
        #expect(InterruptedCaller.mustReturn(Self.status(pending: [], shared: [signal])))
    }

    @Test("signals of every day do not end a call", arguments: [SIGCHLD, SIGURG, SIGWINCH, SIGPROF, SIGUSR1])
    func goesOn(signal: CInt) {
        #expect(!InterruptedCaller.mustReturn(Self.status(pending: [signal])))
        #expect(InterruptedCaller.mustReturn(Self.status(pending: [signal], shared: [SIGINT])))
    }

    @Test("a blocked signal does not count, except the one that cannot be blocked")
    func blocked() {
        #expect(!InterruptedCaller.mustReturn(Self.status(pending: [SIGINT], shared: [SIGCHLD], blocked: [SIGINT])))
        #expect(InterruptedCaller.mustReturn(Self.status(pending: [SIGKILL], blocked: [SIGKILL])))
    }

    @Test("a program that is frozen has no signal pending, and one that has gone no status")
    func frozen() {
        #expect(InterruptedCaller.mustReturn(Self.status(pending: [])))
        #expect(InterruptedCaller.mustReturn(nil))
        #expect(InterruptedCaller.mustReturn("Name:\tcat\n"))
    }
}
