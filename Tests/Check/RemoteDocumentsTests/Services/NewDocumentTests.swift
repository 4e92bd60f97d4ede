import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import HostCore
import HostServices
import HostTesting
import Records
import Rights
import Storage
import Testing
import Transfers

@testable import RemoteDocuments

/// Saves of a new document while its provider gives it another identifier.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct NewDocumentTests {
    private typealias Uploads = RemoteUploadsTests

    @Test("N: a new document gets its identifier only while nobody else works under that")
    func locked() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.remote.root
            try await host.grant(root)
            let gate = host.store(.remote).hold(.create, when: .done)
            let client = host.client()
            try await client.begin(new: "b.txt", in: root, "text", operation: "make")
            let provisional = try await client.commit("make").reference.key
            await gate.reached()
            let key = TestProviderKind.remote.key(try #require(host.store(.remote).identifier("b.txt")))
            let locks = host.services.remote.parts.locks
            try await locks.withExactLock(on: key) {
                gate.open()
                try await TransferSupport.eventually { await locks.waitingCount(of: key) == 1 }
                let now = try await host.services.gateway.currentKey(provisional)
                #expect(now == provisional)
            }
            try await Uploads.sent(host, "make")
            #expect(try await host.services.gateway.currentKey(provisional) == key)
        }
    }

    @Test("O3: a save looks for what it replaces under the lock of its document, which may get another identifier")
    func replacedUnderLock() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.remote.root
            try await host.grant(root)
            let gate = host.store(.remote).hold(.create)
            let client = host.client()
            try await client.begin(new: "b.txt", in: root, "text", operation: "make")
            let provisional = try await client.commit("make").reference.key
            await gate.reached()
            try await client.begin(provisional, "next", operation: "save")
            let locks = host.services.remote.parts.locks
            let saving = try await locks.withExactLock(on: provisional) {
                let saving = Task { try await host.client().commit("save") }
                try await TransferSupport.eventually { await locks.waitingCount(of: provisional) == 1 }
                #expect(host.files(in: "Versions").isEmpty)
                return saving
            }
            _ = try await saving.value
            gate.open()
            try await Uploads.sent(host, "save")
            let key = try await host.services.gateway.currentKey(provisional)
            let version = try #require(try await host.services.remote.kept.list(of: key).first)
            #expect(try await host.services.remoteAdministrator.openVersion(version.id).file.text == "text")
        }
    }

    @Test("N: a change that is queued again while it is being recorded as sent is not sent again")
    func queuedAgain() async throws {
        try await TestHost.with { host in
            let key = try await Uploads.document(host)
            host.store(.remote).fail(.modify, .notPermitted)
            _ = try await Uploads.save(host, key, "new")
            let journal = host.services.journal
            try await TransferSupport.eventually { try await journal.outcome("save", writer)?.state == .failed }
            let locks = host.services.remote.parts.locks
            try await locks.withExactLock(on: key) {
                let retried = try await host.services.transfers.retry(identifier: nil, provider: nil, domain: nil)
                #expect(retried == 1)
                try await TransferSupport.eventually { await locks.waitingCount(of: key) == 1 }
                #expect(host.store(.remote).calls(.modify).count == 1)
            }
            try await Uploads.sent(host)
            #expect(host.store(.remote).calls(.modify).count == 2)
        }
    }

    @Test("N: a transfer under a document's former identifier leaves its changes to the one under the current")
    func queuedUnderFormerIdentifier() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.remote.root
            try await host.grant(root)
            let client = host.client()
            try await client.begin(new: "b.txt", in: root, "text", operation: "make")
            let provisional = try await client.commit("make").reference.key
            try await Uploads.sent(host, "make")
            let key = try await host.services.gateway.currentKey(provisional)
            try await host.grant(key)
            let gate = host.store(.remote).hold(.modify)
            _ = try await Uploads.save(host, key, "new")
            await gate.reached()
            let remote = host.services.remote
            await RemoteUploads(remote.parts).enqueue(provisional, name: "b.txt")
            let former = TransferKey(kind: .upload, item: provisional)
            try await TransferSupport.eventually {
                await !remote.parts.queue.snapshots().contains { $0.key == former }
            }
            #expect(host.store(.remote).calls(.modify).count == 1)
            gate.open()
            try await Uploads.sent(host)
            #expect(host.store(.remote).calls(.modify).count == 1)
            #expect(try await Uploads.kept(host).isEmpty)
        }
    }

    @Test("N: a save is sent even if its document gets its identifier while a transfer waits for it")
    func identifierDuringWait() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.remote.root
            try await host.grant(root)
            let client = host.client()
            host.store(.remote).fail(.create, .busy)
            try await client.begin(new: "b.txt", in: root, "first", operation: "make")
            let provisional = try await client.commit("make").reference.key
            try await host.grant(provisional)
            let remote = host.services.remote
            await host.clock.sleeper("TransferQueue", within: .seconds(10))
            _ = try await Uploads.save(host, provisional, "second")
            let key = TestProviderKind.remote.key(host.store(.remote).add("b.txt", "first"))
            let make = try #require(try await host.services.journal.outcome("make", writer))
            try await remote.parts.locks.withExactLock(on: provisional) {
                _ = try await host.services.transfers.retry(identifier: nil, provider: nil, domain: nil)
                try await TransferSupport.eventually { await remote.parts.locks.waitingCount(of: provisional) == 1 }
                // As if the document had been sent with its package.
                let made = ItemDescription(
                    identifier: key.identifier, parent: root.identifier, name: "b.txt", contentType: nil, size: 5,
                    modificationDate: nil, creationDate: nil, isFolder: false, version: "v1", capabilities: nil,
                    thumbnail: nil)
                try await remote.parts.places.rekey(provisional, to: made, remote.parts)
                remote.parts.states.rekey(provisional, to: key)
                _ = try await host.services.journal.uploaded(make.id, version: "v1")
                _ = try await host.services.journal.finished(make.id)
            }
            try await Uploads.sent(host)
            #expect(host.store(.remote).contents() == ["b.txt": "second"])
            #expect(try await Uploads.kept(host).isEmpty)
        }
    }

    @Test("N, law 6: a save right after the creation is sent once, and never conflicts with it")
    func savedAtOnce() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.remote.root
            try await host.grant(root)
            let client = host.client()
            for number in 0..<25 {
                let name = "\(number).txt"
                try await client.begin(new: name, in: root, "first", operation: "make-\(number)")
                let made = try await client.commit("make-\(number)").reference.key
                try await host.grant(made)
                for save in 1...2 {
                    _ = try await Uploads.save(
                        host, made, "\(number) \(save)", operation: "save-\(number)-\(save)")
                }
            }
            let left = try await Uploads.drain(host)
            #expect(left.pending == 0 && left.failed == 0)
            let expected = Dictionary(uniqueKeysWithValues: (0..<25).map { ("\($0).txt", "\($0) 2") })
            #expect(host.store(.remote).contents() == expected)
            #expect(try await Uploads.kept(host).isEmpty)
            let sent = host.store(.remote).calls(.create) + host.store(.remote).calls(.modify)
            #expect(sent.count == 75 && Set(sent.map(\.operation)).count == 75)
        }
    }
}
