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
        #expect(InterruptedCaller.decision(Self.status(pending: [signal])) == .end)
        #expect(InterruptedCaller.decision(Self.status(pending: [], shared: [signal])) == .end)
    }

    @Test(
        "signals of every day do not end a call",
        arguments: [SIGCHLD, SIGURG, SIGWINCH, SIGPROF, SIGUSR1, SIGTSTP, SIGSTOP])
    func goesOn(signal: CInt) {
        #expect(InterruptedCaller.decision(Self.status(pending: [signal])) == .goOn)
        #expect(InterruptedCaller.decision(Self.status(pending: [signal], shared: [SIGINT])) == .end)
    }

    @Test("a blocked signal does not count, except the one that cannot be blocked")
    func blocked() {
        let status = Self.status(pending: [SIGINT], shared: [SIGCHLD], blocked: [SIGINT])
        #expect(InterruptedCaller.decision(status) == .goOn)
        #expect(InterruptedCaller.decision(Self.status(pending: [SIGKILL], blocked: [SIGKILL])) == .end)
    }

    @Test("a program that has gone has no status; without a signal nobody knows why it was woken")
    func unexplained() {
        #expect(InterruptedCaller.decision(Self.status(pending: [])) == .unexplained)
        #expect(InterruptedCaller.decision(nil) == .end)
        #expect(InterruptedCaller.decision("Name:\tcat\n") == .end)
    }

    @Test("a change has more time than what can be asked again")
    func patience() {
        #expect(InterruptedCaller.patience(isChange: true) > InterruptedCaller.patience(isChange: false))
        #expect(
            InterruptedCaller.patience(isChange: false) < .seconds(1), "freezing a program takes less than a second")
    }
}
