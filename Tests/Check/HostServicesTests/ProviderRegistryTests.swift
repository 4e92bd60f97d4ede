import Rights
import Testing

@testable import ExtensionHosting

/// What the registry keeps in memory is what is stored and installed.
@Suite struct ProviderRegistryTests {
    @Test("A decision that was made past the registry holds from its next call on")
    func decisions() async throws {
        let world = try ProviderWorld()
        try world.install([:])
        #expect(try await world.provider().state == .ready)
        try await world.consents.quarantine("org.example.Drive", reason: "it kept crashing")
        #expect(try await world.provider().state == .quarantined)
        try await world.consents.release("org.example.Drive")
        #expect(try await world.provider().state == .ready)
        try await world.consents.setDomain(
            ProviderDomain(provider: "org.example.Drive", identifier: "work", displayName: "Work"))
        #expect(try await world.provider().domains.map(\.identifier) == ["work"])
        try await world.consents.disable("org.example.Drive")
        #expect(try await world.provider().state == .disabled)
        // Forgotten, it is again a provider that starts enabled.
        try await world.consents.forget("org.example.Drive")
        #expect(try await world.provider().state == .ready)
    }

    @Test("What was agreed to is not remembered longer than it is stored")
    func forgotten() async throws {
        let world = try ProviderWorld()
        try world.install([:])
        _ = try await world.provider()
        try world.install(["com.apple.security.network.client": true])
        #expect(try await world.provider().withheld.count == 1)
        try await world.consents.forget("org.example.Drive")
        // The present version is the first one that is seen.
        #expect(try await world.provider().withheld.isEmpty)
    }

    @Test("Calls at the same time as decisions never leave an old answer behind")
    func concurrent() async throws {
        let world = try ProviderWorld()
        try world.install([:])
        let (registry, consents) = (world.registry, world.consents)
        for _ in 0..<50 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try await registry.providers() } }
                group.addTask { try await consents.quarantine("org.example.Drive", reason: "it kept crashing") }
                try await group.waitForAll()
            }
            #expect(try await world.provider().state == .quarantined)
            try await world.consents.release("org.example.Drive")
        }
    }
}
