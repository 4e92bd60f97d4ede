import DaemonCore
import DocentInterfaces
import DocentTestSupport
import Foundation
import HostCore
import HostServices
import HostTesting
import Keyring
import Rights
import Testing

@testable import RemoteDocuments

/// What is said of listings and items that come from memory, because their account cannot be used now.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct RememberedTests {
    private static let account = DomainKey(TestProviderKind.remote.root)

    /// Why the folder's listing, and the document in it by its place and by its reference, are from memory.
    private static func remembered(
        _ host: TestHost, _ session: Session, _ key: ItemKey
    ) async throws -> [Wire.Remembered?] {
        // An answer of the last two milliseconds counts as new.
        let end = ContinuousClock.now + .milliseconds(5)
        try await TransferSupport.eventually { ContinuousClock.now > end }
        let services = host.services
        let listed = try await services.gateway.listing(of: TestProviderKind.remote.root, path: "/", page: nil)
        #expect(listed.items.map(\.name) == ["a.txt"])
        var asked = Date.now
        let placed = try await services.picker.item(at: TestProviderKind.remote.place("/a.txt"))
        let named = try await services.picker.remembered(placed, asked: asked)
        asked = Date.now
        let described = try await services.documents.info(session, key)
        return [listed.remembered, named, try await services.documents.remembered(described, asked: asked)]
    }

    @Test(
        "a listing and an item from memory say that the keyring is locked, whether they are still fresh or not",
        arguments: ["0", "3600"])
    func locked(freshSeconds: String) async throws {
        try await Self.check(
            freshSeconds, .locked(message: LockedCredential(.locked, Self.account).failure.message), says: "keyring")
    }

    @Test("a listing and an item that are still fresh say that their account is not signed in any more")
    func refused() async throws {
        try await Self.check("3600", .refused(message: "The password is wrong."), says: "is not signed in")
    }

    private static func check(
        _ freshSeconds: String, _ outcome: DomainMonitor.Outcome, says word: String
    ) async throws {
        try await TestHost.with(environment: ["DOCENT_FRESH_SECONDS": freshSeconds]) { host in
            let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", "old"))
            try await host.grant(key)
            let session = host.session()
            #expect(try await Self.remembered(host, session, key) == [nil, nil, nil])
            let monitor = host.services.remote.monitor
            monitor.note(outcome, account.provider, account.domain)
            for known in try await Self.remembered(host, session, key) {
                #expect(known?.reason.contains(word) == true, "\(String(describing: known))")
                #expect(known?.since != nil)
            }
            // The account can be used again: its service is asked.
            monitor.reset(account.provider, account.domain)
            #expect(try await Self.remembered(host, session, key) == [nil, nil, nil])
        }
    }
}
