import DocentInterfaces
import Synchronization
import Testing
import Varlink

@testable import Documents

/// Claims and restarts of the daemon (D3).
@Suite struct CoordinationLossTests {
    private let reference = DocumentReference(FakeDaemon.reference)

    @Test("D3: a waiting claim is requested again automatically")
    func waiting() async throws {
        let fake = CoordinationFake()
        fake.set { $0.waits = true }
        let daemon = try fake.daemon()
        let coordinator = FileCoordinator(client: fake.client(daemon))
        let task = Task { [reference] in
            try await coordinator.coordinate(readingItemAt: reference) { _ in daemon.note("accessor") }
        }
        #expect(await eventually { daemon.log.contains("waiting") })
        try daemon.die()
        #expect(await eventually { fake.claims.count == 2 })
        fake.set { $0.waits = false }
        try await task.value
        #expect(fake.claims.allSatisfy { $0.knownVersion == nil })
        #expect(Set(fake.claims.map(\.operation)).count == 1)
        #expect(daemon.log.count { $0 == "accessor" } == 1)
    }

    @Test(
        "D3: a read over a restart succeeds if nothing has changed, and is claimLost otherwise",
        arguments: ["1", "2", nil])
    func reading(version: String?) async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let task = Task { [reference] in
            try await FileCoordinator(client: client).coordinate(readingItemAt: reference) { access in
                try daemon.die()
                fake.set { $0.version = version }
            }
        }
        if version == "1" {
            try await task.value
        } else {
            let error = await #expect(throws: DocumentsError.self) { try await task.value }
            #expect(error?.code == .claimLost)
        }
        #expect(fake.claims.map(\.knownVersion) == [nil, "1"])
        #expect(fake.claims.last?.open == nil)
    }

    @Test(
        "D3: a write that lost its claim requests it once more, and publishes only if nothing has changed",
        arguments: ["1", "7"])
    func writing(version: String) async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let task = Task { [reference] in
            try await FileCoordinator(client: client).coordinate(writingItemAt: reference) { access in
                _ = try await access.session()
                try daemon.die()
                fake.set { $0.version = version }
            }
        }
        if version == "1" {
            try await task.value
            #expect(daemon.log.contains("commit"))
        } else {
            let error = await #expect(throws: DocumentsError.self) { try await task.value }
            #expect(error?.code == .claimLost)
            #expect(!daemon.log.contains("commit"))
        }
        #expect(fake.claims.map(\.knownVersion) == [nil, "1"])
        #expect(await eventually { fake.script.withLock { $0.held.isEmpty } })
    }

    @Test("D3: a commit from before the restart is not lost")
    func committed() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        try await FileCoordinator(client: fake.client(daemon)).coordinate(writingItemAt: reference) { access in
            try await access.session().commit()
            try daemon.die()
        }
        #expect(fake.claims.count == 1)
    }

    @Test("Cancelling a call ends no claim of the same session")
    func others() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        try await FileCoordinator(client: client).coordinate(writingItemAt: reference) { access in
            fake.set { $0.waits = true }
            let other = FileCoordinator(client: client)
            let task = Task { [reference] in
                try await other.coordinate(readingItemAt: reference) { _ in }
            }
            #expect(await eventually { daemon.log.contains("waiting") })
            other.cancel()
            _ = await task.result
            fake.set { $0.waits = false }
            #expect(!access.claim.isLost)
            try await access.session().commit()
        }
        #expect(!daemon.log.contains("commit without its claim"))
        #expect(fake.claims.count == 2)
    }
}
