import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostTesting
import Records
import Rights
import Saving
import Storage
import Testing

@testable import HostServices

/// The versions of granted documents.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct DocumentVersionsTests {
    private static func document(_ host: TestHost, saves: Int = 2) async throws -> ItemKey {
        let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "0"))
        try await host.grant(key)
        for number in 1...saves { try await host.client().save(key, "\(number)", operation: "\(number)") }
        return key
    }

    @Test("3.1: the current version comes first, then the others, newest first, with who saved them")
    func lists() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let page = try await host.services.versions.list(host.session(), key)
            #expect(page.nextPage == nil && page.versions.map(\.isCurrent) == [true, nil, nil])
            #expect(
                page.versions[0].identifier == "current" && page.versions[0].savedBy?.identifier == writer.identifier)
            #expect(page.versions.dropFirst().map(\.reason) == ["superseded", "superseded"])
            #expect(page.versions.map { $0.savedBy?.identifier } == [writer.identifier, writer.identifier, nil])
            let opened = try await host.services.versions.open(host.session(), key, page.versions[1].identifier)
            #expect(opened.file.text == "1" && opened.version.hasLocalContents)
            #expect(try await host.services.versions.list(host.session(), key, isUnresolved: true).versions.isEmpty)
        }
    }

    @Test("3.1: thousands of versions come in pages")
    func pages() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host, saves: 1)
            for number in 0..<1200 {
                try await host.services.remote.kept.add(
                    KeptVersion(
                        id: "x\(number)", key: key, name: "a.txt", reason: .superseded, size: 1, folder: "f", file: "g")
                )
            }
            var (found, page) = ([String](), nil as String?)
            repeat {
                let next = try await host.services.versions.list(host.session(), key, page: page)
                found += next.versions.map(\.identifier)
                page = next.nextPage
            } while page != nil
            #expect(found.count == 1202 && Set(found).count == 1202 && found.first == "current")
            let failure = await #expect(throws: Failure.self) {
                try await host.services.versions.list(host.session(), key, page: "gone")
            }
            #expect(failure?.code == .conflict)
            // Their content is not there.
            let lost = await #expect(throws: (any Error).self) {
                try await host.services.versions.open(host.session(), key, "x1")
            }
            #expect((lost as? Failure)?.code == .notFound)
        }
    }

    @Test(
        "V5: a client without a right to the document learns nothing, and a version of another document does not exist")
    func rights() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let other = TestProviderKind.inPlace.key(host.store(.inPlace).add("b.txt", "b"))
            try await host.grant(other, to: viewer)
            let (versions, session) = (host.services.versions, host.session(viewer))
            let identifier = try #require(try await host.services.remote.kept.list(of: key).first?.id)
            func refusal(_ body: () async throws -> Void) async -> FailureCode? {
                do {
                    try await body()
                    return nil
                } catch { return (error as? Failure)?.code }
            }
            #expect(await refusal { _ = try await versions.list(session, key) } == .notPermitted)
            #expect(await refusal { _ = try await versions.list(session, key, isUnresolved: true) } == .notPermitted)
            #expect(await refusal { _ = try await versions.open(session, key, identifier) } == .notPermitted)
            #expect(
                await refusal { _ = try await versions.restore(session, key, identifier, operation: "r") }
                    == .notPermitted)
            #expect(await refusal { _ = try await versions.remove(session, key, nil) } == .notPermitted)
            #expect(await refusal { try await versions.settle(session, key, [identifier]) } == .notPermitted)
            // Through a document of its own.
            #expect(await refusal { _ = try await versions.open(session, other, identifier) } == .notFound)
            #expect(
                await refusal { _ = try await versions.restore(session, other, identifier, operation: "r") }
                    == .notFound)
            #expect(await refusal { _ = try await versions.remove(session, other, [identifier]) } == .notFound)
            #expect(await refusal { _ = try await versions.remove(session, other, ["current"]) } == .invalidArgument)
            #expect(try await host.services.remote.kept.list(of: key).count == 2)
            #expect(host.store(.inPlace).text(other.identifier) == "b")
        }
    }

    @Test("V5: the right to read lets a client see versions, and not change them")
    func reader() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "0"))
            try await host.grant(key)
            try await host.grant(key, .read, to: viewer)
            for number in 1...2 { try await host.client().save(key, "\(number)", operation: "\(number)") }
            let (versions, session) = (host.services.versions, host.session(viewer))
            let listed = try await versions.list(session, key).versions
            // It does not learn who saves.
            #expect(listed.count == 3 && listed.allSatisfy { $0.savedBy == nil && $0.host == nil })
            let identifier = try #require(listed.last?.identifier)
            #expect(try await versions.open(session, key, identifier).file.text == "0")
            for attempt in 0..<3 {
                let failure = await #expect(throws: Failure.self) {
                    switch attempt {
                    case 0: _ = try await versions.restore(session, key, identifier, operation: "r")
                    case 1: _ = try await versions.remove(session, key, [identifier])
                    default: try await versions.settle(session, key, [identifier])
                    }
                }
                #expect(failure?.code == .notPermitted)
            }
        }
    }

    @Test("V5: a version from before the right of a confined client does not exist for it")
    func before() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let user = Principal(kind: .unconfined, identifier: "org.docent.cli")
            try await host.grant(key, to: user)
            // The saves were in the past, so that no two moments are the same.
            try await Task.sleep(for: .milliseconds(20))
            try await host.grant(key, to: viewer)
            let versions = host.services.versions
            let (session, all) = (host.session(viewer), host.session(user))
            #expect(try await versions.list(session, key).versions.map(\.identifier) == ["current"])
            let listed = try await versions.list(all, key).versions
            #expect(listed.count == 3 && listed[0].savedBy?.identifier == writer.identifier && listed[0].host != nil)
            let old = try #require(listed.last?.identifier)
            for attempt in 0..<4 {
                let failure = await #expect(throws: Failure.self) {
                    switch attempt {
                    case 0: _ = try await versions.open(session, key, old)
                    case 1: _ = try await versions.restore(session, key, old, operation: "r")
                    case 2: _ = try await versions.remove(session, key, [old])
                    default: try await versions.settle(session, key, [old])
                    }
                }
                #expect(failure?.code == .notFound)
            }
            // What was there when it got the right is kept when it saves: it has seen that, and then its own saves.
            try await host.client(viewer).save(key, "viewer", operation: "v1")
            try await host.client(viewer).save(key, "again", operation: "v2")
            let own = try await versions.list(session, key).versions
            #expect(own.map { $0.savedBy?.identifier } == [viewer.identifier, viewer.identifier, nil])
            #expect(try await versions.open(session, key, own[2].identifier).file.text == "2")
            #expect(try await versions.list(all, key).versions.count == 5)
        }
    }

    /// A remote document that was changed here and elsewhere.
    private static func collision(_ host: TestHost) async throws -> ItemKey {
        let store = host.store(.remote)
        let key = TestProviderKind.remote.key(store.add("a.txt", "old"))
        try await host.grant(key)
        #expect(try await host.client().read(key) == "old")
        store.fail(.modify, .busy)
        try await host.client().save(key, "mine", operation: "mine")
        try await host.grant(key, to: viewer)
        store.edit(key.identifier, "theirs")
        await host.clock.pass("TransferQueue", within: .seconds(10))
        try await TransferSupport.eventually { try await host.services.remote.kept.conflicts(of: key).count > 0 }
        return key
    }

    @Test("V6: an unresolved conflict names the version that both sides started from")
    func common() async throws {
        try await TestHost.with(environment: ["DOCENT_FRESH_SECONDS": "0"]) { host in
            let key = try await Self.collision(host)
            let listed = try await host.services.versions.list(host.session(), key, isUnresolved: true).versions
            let conflict = try #require(listed.first)
            let base = try #require(conflict.base)
            #expect(try await host.services.versions.open(host.session(), key, base).file.text == "old")
            let mine = try await host.services.versions.open(host.session(), key, conflict.identifier)
            #expect(mine.file.text == "mine")
            // What no longer matters, and what is not kept, is not named.
            let user = Principal(kind: .unconfined, identifier: "org.docent.cli")
            try await host.grant(key, to: user)
            _ = try await host.services.versions.remove(host.session(user), key, [base])
            let without = try await host.services.versions.list(host.session(), key, isUnresolved: true).versions
            #expect(without.first?.base == nil)
            try await host.services.versions.settle(host.session(), key, listed.map(\.identifier))
            let settled = try await host.services.versions.list(host.session(), key).versions
            #expect(settled.allSatisfy { $0.base == nil })
        }
    }

    @Test("V5: a confined client does not learn of a common version from before its right")
    func hiddenCommon() async throws {
        try await TestHost.with(environment: ["DOCENT_FRESH_SECONDS": "0"]) { host in
            let key = try await Self.collision(host)
            let listed = try await host.services.versions.list(host.session(viewer), key, isUnresolved: true).versions
            #expect(listed.count == 1 && listed[0].base == nil)
        }
    }

    @Test("V6: settled conflicts are ordinary versions; removing the others spares what is not settled")
    func conflicts() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let source = try #require(try await host.services.remote.kept.list(of: key).first)
            for id in ["mine", "yours"] {
                var version = source
                version.id = id
                version.reason = .conflict
                version.standing = .conflict
                try await host.services.remote.kept.add(version)
            }
            let (versions, session) = (host.services.versions, host.session())
            #expect(try await versions.list(session, key, isUnresolved: true).versions.count == 2)
            try await versions.settle(session, key, ["mine"])
            let left = try await versions.list(session, key, isUnresolved: true).versions
            #expect(left.map(\.identifier) == ["yours"] && left[0].isConflict == true && left[0].isResolved == nil)
            // A confined program cannot remove what its saves have replaced.
            #expect(try await versions.remove(session, key, nil) == 1)
            let refused = await #expect(throws: Failure.self) {
                _ = try await versions.remove(session, key, [source.id])
            }
            #expect(refused?.code == .notPermitted)
            let user = Principal(kind: .unconfined, identifier: "org.docent.cli")
            try await host.grant(key, to: user)
            #expect(try await versions.remove(host.session(user), key, nil) == 2)
            #expect(try await versions.list(session, key).versions.map(\.identifier) == ["current", "yours"])
            #expect(try await versions.remove(session, key, ["yours"]) == 1)
        }
    }
}
