import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The test sessions of login and logout behave as specified.
@Suite(.needs(.keyring)) struct KeyringServicesTests {
    private let secret = "hush-9f27c1aa"

    private func store(_ services: KeyringServices) async throws -> Outcome {
        try await services.secretTool("store", "--label", "A test", "provider", "p", "domain", "d", input: secret)
    }

    @Test("An open keyring keeps a secret over a restart; it gives the secret out only while unlocked")
    func life() async throws {
        try await KeyringServices.with(.unlocked) { services in
            try await store(services).succeeded()
            #expect(try await services.secret(provider: "p", domain: "d") == secret)
            await services.stopService()
            #expect(await services.isLocked == nil)
            #expect(try await services.secret(provider: "p", domain: "d") == nil)
            try await services.startService(password: nil)
            #expect(await services.isLocked == true)
            #expect(try await services.secret(provider: "p", domain: "d") == nil)
            try await services.unlock()
            #expect(try await services.secret(provider: "p", domain: "d") == secret)
            try await services.lock()
            #expect(await services.isLocked == true)
            await services.killService()
            #expect(await services.isLocked == nil)
            try await services.startService()
            #expect(try await services.secret(provider: "p", domain: "d") == secret)
        }
    }

    @Test("A locked keyring starts locked, and a wrong password does not open it")
    func locked() async throws {
        try await KeyringServices.with(.locked) { services in
            #expect(await services.isLocked == true)
            await #expect(throws: Problem.self) { try await services.unlock(password: "hush-wrong-000000") }
            #expect(await services.isLocked == true)
            try await services.unlock()
            #expect(await services.isLocked == false)
        }
    }

    @Test("A bus without the service answers only for itself; no bus has no address")
    func lacking() async throws {
        try await KeyringServices.with(.noService) { services in
            #expect(await services.isLocked == nil)
            #expect(try await store(services).status != 0)
            try await services.startService()
            try await store(services).succeeded()
        }
        try await KeyringServices.with(.noBus) { services in
            #expect(services.environment.isEmpty)
            let stored = try await store(services)
            #expect(stored.status != 0)
        }
    }

    @Test("Two concurrent sessions are independent, and leave nothing behind")
    func apart() async throws {
        let places = try await KeyringServices.with(.unlocked) { first in
            try await KeyringServices.with(.unlocked) { second in
                try await store(first).succeeded()
                #expect(try await first.secret(provider: "p", domain: "d") == secret)
                #expect(try await second.secret(provider: "p", domain: "d") == nil)
                return [first.directory, second.directory]
            }
        }
        for place in places { #expect(access(place, F_OK) != 0, "\(place)") }
    }
}
