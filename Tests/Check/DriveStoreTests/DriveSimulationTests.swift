import DriveStore
import Testing

/// Several devices with every fault that the rules of replication speak of.
struct DriveSimulationTests {
    @Test(arguments: 1...60)
    func allDevicesAgreeAndNothingConfirmedIsLost(seed: UInt64) async throws {
        let world = try DriveWorld(MemoryStore(), seed: seed, machines: 2 + Int(seed % 3))
        try await world.run(steps: 400)
    }

    @Test(arguments: 1...10)
    func aDirectoryServesAsWell(seed: UInt64) async throws {
        let scratch = try Scratch()
        let world = try DriveWorld(
            DirectoryStore(try scratch.directory("store")), seed: 1000 + seed, machines: 2 + Int(seed % 3))
        try await world.run(steps: 250)
    }
}
