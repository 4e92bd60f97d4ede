import DriveStore
import Testing

/// Several devices with every fault that the rules of replication speak of.
struct DriveSimulationTests {
    @Test("R5, R2: all devices agree and nothing confirmed is lost", arguments: 1...60)
    func allDevicesAgreeAndNothingConfirmedIsLost(seed: UInt64) async throws {
        let world = try DriveWorld(MemoryStore(), seed: seed, machines: 2 + Int(seed % 3))
        try await world.run(steps: 400)
    }

    @Test("R6, R7: also when machines are removed and let in again, and space is freed", arguments: 1...24)
    func machinesAreRemovedAndSpaceIsFreed(seed: UInt64) async throws {
        let world = try DriveWorld(MemoryStore(), seed: 5000 + seed, machines: 2 + Int(seed % 3), isHarsh: true)
        try await world.run(steps: 120)
    }

    @Test("R9: a directory serves as well", arguments: 1...10)
    func aDirectoryServesAsWell(seed: UInt64) async throws {
        let scratch = try Scratch()
        let world = try DriveWorld(
            DirectoryStore(try scratch.directory("store")), seed: 1000 + seed, machines: 2 + Int(seed % 3))
        try await world.run(steps: 250)
    }
}
