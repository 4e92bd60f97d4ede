import CommandConsole
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import ClientRunning

@Suite struct TerminalPumpTests {
    @Test("I2: a question directly after another one is asked: the pump pauses again")
    func restsAgain() async throws {
        let output = open("/dev/null", O_RDWR | O_CLOEXEC)
        try #require(output >= 0)
        defer { close(output) }
        let pump = TerminalPump(try PseudoTerminal(like: output), input: -1, output: output)
        let hasRested = Atomic(false)
        // On its own thread: a pump that does not pause would block the caller.
        try #require(
            Thread.start {
                for _ in 0..<20_000 {
                    pump.rest()
                    pump.goOn()
                }
                hasRested.store(true, ordering: .releasing)
            })
        let end = ContinuousClock.now + .seconds(120)
        while !hasRested.load(ordering: .acquiring), .now < end { try await Task.sleep(for: .milliseconds(20)) }
        let isDone = hasRested.load(ordering: .acquiring)
        try #require(isDone, "it waits for a pause for ever")
        pump.finish()
        pump.rest()
    }
}
