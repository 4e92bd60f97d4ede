import Foundation
import GRDB
import HostTesting
import Testing

@testable import Rights

@Suite struct ProviderConsentStoreTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
    }

    func pin(_ identifier: String) -> ProviderPin {
        ProviderPin(
            identifier: identifier, manifestPaths: ["/m/\(identifier).plist"], libraryPaths: ["/l/a.so", "/l/b.so"],
            ownerUserID: 1000, digest: "digest", isUnsandboxed: true, enabledAt: start)
    }

    @Test("S3: a consent is stored unchanged; disabling is a decision too")
    func pins() async throws {
        let store = ProviderConsentStore(database: database)
        #expect(try await store.consents().decisions.isEmpty)
        try await store.enable(pin("p"))
        try await store.disable("system", at: start)
        let other = ProviderConsentStore(database: try HostDatabase(directory: directory.path))
        #expect(try await other.consents().decisions == ["p": .enabled(pin("p")), "system": .disabled(since: start)])
        try await store.disable("p", at: start + 1)
        #expect(try await other.consents().decisions["p"] == .disabled(since: start + 1))
    }

    @Test("S3: a group belongs to the provider first enabled with it; joining is a consent of its own")
    func groups() async throws {
        let store = ProviderConsentStore(database: database)
        let shared = ProviderGroup(kind: .document, name: "group.shared")
        let keys = ProviderGroup(kind: .keychain, name: "group.shared")
        try await store.enable(pin("first"), groups: [shared])
        await #expect(throws: ConsentError.groupOwnedByAnother(shared, owner: "first")) {
            try await store.enable(pin("second"), groups: [keys, shared])
        }
        // All or nothing: neither the provider nor its other group was added.
        #expect(try await store.consents().decisions["second"] == nil)
        #expect(try await store.owner(of: keys) == nil)
        // Disabled is not removed.
        try await store.disable("first")
        await #expect(throws: ConsentError.self) { try await store.enable(pin("second"), groups: [shared]) }
        try await store.enable(pin("second"), groups: [keys, shared], joining: [shared])
        #expect(try await store.owner(of: shared) == "first")
        #expect(try await store.owner(of: keys) == "second")
        #expect(try await store.isMember("second", of: shared))
        #expect(try await store.isMember("third", of: shared) == false)
        // After one consent, enabling again after an update asks for no other.
        try await store.enable(pin("second"), groups: [shared])
        try await store.forget("first")
        #expect(try await store.owner(of: shared) == nil)
        #expect(try await store.isMember("second", of: shared) == false)
    }

    @Test("Law 3: crashes are counted over time, and a quarantine lasts until it is released")
    func quarantine() async throws {
        let store = ProviderConsentStore(database: database)
        for minute in 0..<60 {
            try await store.recordCrash("p", detail: "signal 11", at: start + Double(minute * 60))
        }
        #expect(try await store.crashes(of: "p", since: start).count == 50)
        #expect(try await store.crashes(of: "p", since: start + 57 * 60).count == 3)
        #expect(try await store.crashes(of: "q", since: start).isEmpty)
        try await store.quarantine("p", reason: "crashed 3 times", at: start)
        try await store.quarantine("p", reason: "again", at: start + 9)
        #expect(
            try await store.consents().quarantines.values
                .map { [$0.provider, $0.reason, "\($0.since == start)"] } == [["p", "crashed 3 times", "true"]])
        try await store.release("p")
        #expect(try await store.consents().quarantines.isEmpty)
        #expect(try await store.crashes(of: "p", since: start).isEmpty)
    }

    @Test("Domains: added, changed and removed by identifier")
    func domains() async throws {
        let store = ProviderConsentStore(database: database)
        let work = ProviderDomain(
            provider: "p", identifier: "work", displayName: "Work", folderPath: "/srv/work", created: start)
        let home = ProviderDomain(provider: "p", identifier: "home", displayName: "Home", created: start + 1)
        for domain in [work, home] { try await store.setDomain(domain) }
        #expect(try await store.domains() == [work, home])
        let renamed = ProviderDomain(provider: "p", identifier: "work", displayName: "Job", created: start + 5)
        try await store.setDomain(renamed)
        let first = try await store.domains(of: "p").first
        #expect(first?.displayName == "Job" && first?.folderPath == nil && first?.created == start)
        #expect(try await store.removeDomain("work", of: "p"))
        #expect(try await store.removeDomain("work", of: "p") == false)
        #expect(try await store.domains(of: "q").isEmpty)
    }

    @Test("O7: the state of a domain's logout is stored; an unknown state keeps the domain closed")
    func signOut() async throws {
        let store = ProviderConsentStore(database: database)
        var domain = ProviderDomain(
            provider: "p", identifier: "work", displayName: "Work",
            credential: CredentialReference(kind: .oauth, source: .keyring, username: "ada", rung: "secretService"),
            created: start)
        for state in [nil, .signingOut, .discarding, .signedOut, nil] as [ProviderDomain.SignOut?] {
            domain.signOut = state
            try await store.setDomain(domain)
            #expect(try await store.domains() == [domain])
        }
        try await database.write { try $0.execute(sql: "UPDATE domain SET sign_out = 'from the future'") }
        #expect(try await store.domains().first?.signOut == .signingOut)
    }
}
