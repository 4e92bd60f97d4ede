import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Storage
import Testing

@testable import Saving

/// Saves of remote packages: what they wait for, and what is cached afterwards.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PackagePublisherTests {
    /// Every cached description is out of date at once.
    private static let stale = ["DOCENT_FRESH_SECONDS": "0", "DOCENT_POLL_SECONDS": "0"]

    /// A package with one element, which its client has begun to change.
    private static func begun(_ host: TestHost, _ session: Session) async throws -> ItemKey {
        let folder = host.store(.remote).addFolder("a.rtfd")
        host.store(.remote).add("TXT.rtf", "old", in: folder)
        let key = TestProviderKind.remote.key(folder)
        try await host.grant(key)
        // A client that has chosen it has listed its folder.
        _ = try await host.services.hierarchy.location(key)
        _ = try await host.services.packages.begin(session, key, isReplacing: false, operation: "save", claim: nil)
        return key
    }

    private static func stage(_ host: TestHost, _ session: Session, _ path: String, _ text: String) async throws {
        let place = host.root + "/element"
        try Data(text.utf8).write(to: URL(filePath: place))
        let file = OpenDescriptor(owning: open(place, O_RDONLY | O_CLOEXEC))
        try await host.services.packages.stage(session, "save", path, .content(file))
    }

    @Test("W: from the commit to its reply the provider is asked nothing, even if everything cached is out of date")
    func asksNothing() async throws {
        try await TestHost.with(environment: Self.stale) { host in
            let session = host.session()
            let key = try await Self.begun(host, session)
            try await Self.stage(host, session, "TXT.rtf", "new")
            let store = host.store(.remote)
            // The upload stops here, so every other call belongs to the save.
            let upload = store.hold(.modify)
            let before = store.calls().count
            let saved = try await host.services.writes.commit(session, "save")
            #expect(saved.name == "a.rtfd" && !saved.isUploaded && saved.version != nil)
            // A client whose reply was lost repeats the commit.
            let again = try await host.services.writes.commit(session, "save")
            #expect(again.version == saved.version)
            let asked = store.calls().dropFirst(before).filter { $0.method != .modify }
            #expect(asked.isEmpty, "\(asked)")
            upload.open()
            try await TransferSupport.eventually { store.contents(of: key.identifier) == ["TXT.rtf": "new"] }
            #expect(try await host.services.gateway.item(key).version == saved.version)
        }
    }

    @Test(
        "Law 6: a folder that a save has created is known at once, even if the provider is unreachable right afterwards"
    )
    func newFolder() async throws {
        try await TestHost.with(environment: Self.stale) { host in
            let session = host.session()
            let key = try await Self.begun(host, session)
            try await host.services.packages.stage(session, "save", "Pictures", .folder)
            try await Self.stage(host, session, "Pictures/one.txt", "picture")
            let saved = try await host.services.writes.commit(session, "save")
            for method in [ProviderCall.Method.item, .children] {
                host.store(.remote).fail(method, .serverUnreachable, times: 1_000)
            }
            #expect(try await host.services.gateway.item(key).version == saved.version && saved.version != nil)
        }
    }
}
