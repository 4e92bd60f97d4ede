import Foundation
import GRDB
import HostTesting
import Testing

@testable import Rights

@Suite struct ConsentRevisionTests {
    /// A change of what is stored about providers, by its name.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let run: @Sendable (ProviderConsentStore) async throws -> Void
    }

    private static let group = ProviderGroup(kind: .document, name: "group.p")

    static let changes = [
        Change(testDescription: "enable") { store in
            try await store.enable(pin("p"), groups: [group], requests: ["network"])
        },
        Change(testDescription: "disable") { try await $0.disable("q") },
        Change(testDescription: "admit") { store in
            _ = try await store.admit("r", requests: ["network"], groups: [:])
        },
        Change(testDescription: "add an account") { store in
            try await store.setDomain(ProviderDomain(provider: "p", identifier: "work", displayName: "Work"))
        },
        Change(testDescription: "change an account") { store in
            try await store.setDomain(
                ProviderDomain(provider: "p", identifier: "home", displayName: "Home", signOut: .signedOut))
        },
        Change(testDescription: "remove an account") { try await $0.removeDomain("home", of: "p") },
        Change(testDescription: "quarantine") { try await $0.quarantine("p", reason: "crashed") },
        Change(testDescription: "release") { try await $0.release("bad") },
        Change(testDescription: "forget") { try await $0.forget("p") },
    ]

    private static func pin(_ identifier: String) -> ProviderPin {
        ProviderPin(
            identifier: identifier, manifestPaths: [], libraryPaths: [], ownerUserID: 0, digest: "",
            isUnsandboxed: false)
    }

    @Test("A change of a decision is counted before its call returns", arguments: changes)
    func counts(_ change: Change) async throws {
        let directory = try TemporaryDirectory()
        let store = ProviderConsentStore(database: try HostDatabase(directory: directory.path))
        try await store.enable(Self.pin("p"))
        try await store.setDomain(ProviderDomain(provider: "p", identifier: "home", displayName: "Home"))
        try await store.quarantine("bad", reason: "crashed")
        let before = store.revision
        try await change.run(store)
        #expect(store.revision > before)
    }

    @Test("Neither a change that was undone nor one of something else is counted")
    func others() async throws {
        let directory = try TemporaryDirectory()
        let database = try HostDatabase(directory: directory.path)
        let store = ProviderConsentStore(database: database)
        try await store.enable(Self.pin("owner"), groups: [Self.group])
        let before = store.revision
        await #expect(throws: ConsentError.self) { try await store.enable(Self.pin("p"), groups: [Self.group]) }
        try await store.recordCrash("owner", detail: "signal 11")
        _ = try await store.consents()
        #expect(store.revision == before)
        try await store.disable("owner")
        #expect(store.revision == before + 1)
    }
}
