import FoundationEssentials
import Testing

@testable import DriveStore

/// The file of a device's state.
struct StateLogTests {
    private func reopen(_ directory: String) throws -> Int {
        let (log, changes) = try StateLog.open(directory)
        return withExtendedLifetime(log) { changes.count }
    }

    @Test("whatever a crash leaves the changes before are kept")
    func whateverACrashLeavesTheChangesBeforeAreKept() throws {
        let scratch = try Scratch()
        let directory = try scratch.directory("state")
        let file = URL(filePath: directory + "/state")
        do {
            let (log, _) = try StateLog.open(directory)
            try log.append([.joining(.random())])
            try log.append([.joining(.random()), .identityLost])
        }
        let whole = try Data(contentsOf: file)
        let first = 8 + 16 + 19 + 1
        for count in 0...whole.count {
            try whole.prefix(count).write(to: file)
            #expect(try reopen(directory) == (count == whole.count ? 3 : count >= first ? 1 : 0))
            // What was half-written is gone, and the next change stands after the last whole one.
            let (log, _) = try StateLog.open(directory)
            try log.append([.identityLost])
            withExtendedLifetime(log) {}
        }
    }

    @Test("a file that is damaged in its middle is refused")
    func aFileThatIsDamagedInItsMiddleIsRefused() throws {
        let scratch = try Scratch()
        let directory = try scratch.directory("state")
        let file = URL(filePath: directory + "/state")
        do {
            let (log, _) = try StateLog.open(directory)
            for _ in 0..<3 { try log.append([.joining(.random())]) }
        }
        var bytes = try Data(contentsOf: file)
        bytes[30] ^= 1
        try bytes.write(to: file)
        #expect(throws: DriveError.self) { try reopen(directory) }
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test("one process at a time uses it")
    func oneProcessAtATimeUsesIt() throws {
        let scratch = try Scratch()
        let directory = try scratch.directory("state")
        let (log, _) = try StateLog.open(directory)
        #expect(throws: DriveError.local("Another process uses this drive.")) { try reopen(directory) }
        withExtendedLifetime(log) {}
    }

    @Test("a rewritten file leads to the same state")
    func aRewrittenFileLeadsToTheSameState() async throws {
        let store = MemoryStore()
        let keys = DriveKeys.new()
        let one = try TestDevice(store, keys)
        let other = try TestDevice(store, keys)
        let folder = try await one.drive.create("folder", in: .root)
        _ = try await one.drive.createDocument("a", [UInt8](repeating: 1, count: 50_000), in: folder)
        try await one.drive.append()
        try await other.drive.append()
        try await other.drive.read()
        _ = try await other.drive.create("unsent", in: folder)
        let state = await other.drive.state
        var rebuilt = DeviceState()
        for change in state.rebuilding { rebuilt.apply(try StateChange(CBORDecoder.decode(change.value.encoded))) }
        #expect(rebuilt.records == state.records)
        #expect(rebuilt.journal == state.journal && rebuilt.own == state.own && rebuilt.pending == state.pending)
        #expect(rebuilt.positions == state.positions && rebuilt.seen == state.seen)
        #expect(rebuilt.device == state.device && rebuilt.lamport == state.lamport)
        #expect(rebuilt.chunks == state.chunks && rebuilt.members == state.members)
        #expect(rebuilt.membersTag == state.membersTag)
    }
}
