import Foundation
import HostTesting
import Testing

@testable import Rights

/// Who may use which keychain group, and where its secrets are (O6, S3).
@Suite struct KeychainGroupStoreTests {
    let directory: TemporaryDirectory
    let database: HostDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
    }

    private func pin(_ identifier: String) -> ProviderPin {
        ProviderPin(
            identifier: identifier, manifestPaths: ["/m"], libraryPaths: ["/l"], ownerUserID: 1, digest: "d",
            isUnsandboxed: false)
    }

    @Test("S3: a group belongs to the first provider enabled with it; others are admitted after consent")
    func consent() async throws {
        let consents = ProviderConsentStore(database: database)
        let groups = KeychainGroupStore(database: database)
        let shared = ProviderGroup(kind: .keychain, name: "g")
        try await consents.enable(pin("first"), groups: [shared])
        #expect(try await groups.admits("first", to: "g", at: 1))
        #expect(try await !groups.admits("second", to: "g", at: 1))
        await #expect(throws: ConsentError.self) { try await consents.enable(pin("second"), groups: [shared]) }
        #expect(try await !groups.admits("second", to: "g", at: 1))
        try await consents.enable(pin("second"), groups: [shared], joining: [shared])
        #expect(try await groups.admits("second", to: "g", at: 1))
    }

    @Test("S3: a group without an owner belongs to the first provider that uses it, and no other takes it over")
    func unowned() async throws {
        let consents = ProviderConsentStore(database: database)
        let groups = KeychainGroupStore(database: database)
        #expect(try await groups.admits("system", to: "g", at: 1))
        #expect(try await groups.admits("system", to: "g", at: 2))
        #expect(try await !groups.admits("other", to: "g", at: 3))
        #expect(try await consents.owner(of: ProviderGroup(kind: .keychain, name: "g")) == "system")
        await #expect(throws: ConsentError.self) {
            try await consents.enable(pin("other"), groups: [ProviderGroup(kind: .keychain, name: "g")])
        }
    }

    @Test("The place of a group's secrets is recorded for each group")
    func rungs() async throws {
        let groups = KeychainGroupStore(database: database)
        #expect(try await groups.rung(of: "g") == nil)
        try await groups.setRung("secretService", of: "g")
        try await groups.setRung("sealedFile", of: "h")
        #expect(try await groups.rung(of: "g") == "secretService")
        try await groups.setRung("encryptedFile", of: "g")
        #expect(try await groups.rung(of: "g") == "encryptedFile")
        #expect(try await groups.rung(of: "h") == "sealedFile")
    }
}
