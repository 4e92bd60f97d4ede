import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostServices
import HostTesting
import Records
import Rights
import Storage
import Testing
import Transfers

@testable import RemoteDocuments

/// Local copies that were saved on this machine: another machine may have replaced them on the server without having
/// seen them, so they are kept as versions when they have to go.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct SavedCopiesTests {
    private static let asking = ["DOCENT_FRESH_SECONDS": "0"]

    private static func kept(_ host: TestHost) async throws -> [String] {
        var texts: [String] = []
        for version in try await host.services.remote.kept.list() {
            texts.append(try await host.services.remoteAdministrator.openVersion(version.id).file.text)
        }
        return texts
    }

    /// A document whose content was saved here and sent, or only read here.
    private static func document(_ host: TestHost, isSaved: Bool) async throws -> ItemKey {
        let key = try await RemoteUploadsTests.document(host)
        if isSaved {
            _ = try await RemoteUploadsTests.save(host, key, "mine")
            try await RemoteUploadsTests.sent(host)
            try await TransferSupport.eventually { host.services.remote.states.state(of: key) == nil }
        } else {
            _ = try await host.client().read(key)
        }
        return key
    }

    @Test(
        "O3: what was saved here stays when a listing no longer has its document, as after a rename elsewhere",
        arguments: [true, false])
    func gone(isSaved: Bool) async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let key = try await Self.document(host, isSaved: isSaved)
            host.store(.remote).remove(key.identifier)
            for _ in 0..<2 { _ = try await host.services.remote.reading.catalog.list(TestProviderKind.remote.root) }
            #expect(try await host.services.remote.index.item(key) == nil)
            #expect(try await Self.kept(host) == (isSaved ? ["mine"] : []))
        }
    }

    @Test("O3: it stays when the folder around it is gone")
    func folderGone() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let store = host.store(.remote)
            let folder = store.addFolder("F")
            let key = TestProviderKind.remote.key(store.add("a.txt", "old", in: folder))
            let catalog = host.services.remote.reading.catalog
            _ = try await catalog.list(TestProviderKind.remote.root)
            _ = try await catalog.list(TestProviderKind.remote.key(folder))
            try await host.grant(key)
            _ = try await RemoteUploadsTests.save(host, key, "mine")
            try await RemoteUploadsTests.sent(host)
            try await TransferSupport.eventually { host.services.remote.states.state(of: key) == nil }
            store.remove(folder)
            _ = try await catalog.list(TestProviderKind.remote.root)
            #expect(try await host.services.remote.index.item(key) == nil)
            #expect(try await Self.kept(host) == ["mine"])
        }
    }

    @Test(
        "O3: it stays when it is out of date and its place is freed",
        arguments: [(true, true), (true, false), (false, true)])
    func evicted(isSaved: Bool, isOutdated: Bool) async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let key = try await Self.document(host, isSaved: isSaved)
            if isOutdated {
                host.store(.remote).edit(key.identifier, "theirs")
                _ = try await host.services.remote.reading.catalog.item(key, forced: true)
            }
            #expect(try await host.services.remote.reading.evictor.evict(key) > 0)
            let before = isSaved ? ["old"] : []
            let texts = try await Self.kept(host).filter { !before.contains($0) }
            #expect(texts == (isSaved && isOutdated ? ["mine"] : []))
        }
    }
}
