import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import HostCore
import HostServices
import HostTesting
import Records
import RemoteDocuments
import Rights
import Storage
import Testing

@testable import Saving

/// Versions of packages that saves replace.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PackageVersionTests {
    /// A remote package with two elements.
    private struct World {
        let host: TestHost
        let folder: String
        var key: ItemKey { TestProviderKind.remote.key(folder) }
        var store: TestStore { host.store(.remote) }
        var versions: DocumentVersions { host.services.versions }

        static func with(_ body: (World) async throws -> Void) async throws {
            try await TestHost.with { host in
                let folder = host.store(.remote).addFolder("a.rtfd")
                host.store(.remote).add("TXT.rtf", "old", in: folder)
                host.store(.remote).add("pic.png", "p", in: folder)
                let world = World(host: host, folder: folder)
                try await host.grant(world.key)
                // A client that has chosen it has listed its folder.
                _ = try await host.services.hierarchy.location(world.key)
                _ = try await host.services.gateway.item(world.key)
                try await body(world)
            }
        }

        func fetch(_ names: String...) async throws {
            for name in names {
                let identifier = try #require(store.identifier(name, in: folder))
                _ = try await host.client().read(TestProviderKind.remote.key(identifier))
            }
        }

        /// Saves changes of elements, nil for a removal, and waits until the provider has them.
        func save(
            _ changes: [String: String?], operation: String, by principal: Principal = writer
        ) async throws {
            let session = host.session(principal)
            let packages = host.services.packages
            _ = try await packages.begin(session, key, isReplacing: false, operation: operation, claim: nil)
            for (path, text) in changes.sorted(by: { $0.key < $1.key }) {
                guard let text else {
                    try await packages.stage(session, operation, path, .removed)
                    continue
                }
                let place = host.root + "/element"
                try Data(text.utf8).write(to: URL(filePath: place))
                let file = OpenDescriptor(owning: open(place, O_RDONLY | O_CLOEXEC))
                try await packages.stage(session, operation, path, .content(file))
            }
            _ = try await host.services.writes.commit(session, operation)
            try await sent()
        }

        func sent() async throws {
            try await TransferSupport.eventually { try await host.services.journal.unsent(of: key).isEmpty }
        }

        func kept() async throws -> [KeptVersion] { try await host.services.remote.kept.list(of: key) }

        /// The texts in a kept version; nil for what is missing.
        func texts(_ version: KeptVersion) async throws -> [String: String?] {
            let session = host.session()
            var result: [String: String?] = [:]
            for element in try await versions.elements(session, key, version.id).elements where !element.isFolder {
                guard element.isMissing != true else {
                    result[element.path] = .some(nil)
                    continue
                }
                result[element.path] = try await versions.open(session, key, version.id, path: element.path).file.text
            }
            return result
        }

        func restore(_ version: KeptVersion, operation: String) async throws {
            _ = try await versions.restore(host.session(), key, version.id, operation: operation)
            try await sent()
        }
    }

    @Test("V1: a save keeps the replaced package as one version, with who saved it")
    func saves() async throws {
        try await World.with { world in
            try await world.fetch("TXT.rtf", "pic.png")
            try await world.host.grant(world.key, to: viewer)
            try await world.save(["TXT.rtf": "new"], operation: "1")
            try await world.save(["pic.png": "picture"], operation: "2", by: viewer)
            let kept = try await world.kept()
            #expect(kept.map(\.isPackage) == [true, true] && kept.map(\.reason) == [.superseded, .superseded])
            #expect(kept.map(\.name) == ["a.rtfd", "a.rtfd"] && kept.map(\.size) == [4, 4])
            #expect(kept.map(\.savedBy) == [nil, writer])
            #expect(try await world.texts(kept[0]) == ["TXT.rtf": "old", "pic.png": "p"])
            #expect(try await world.texts(kept[1]) == ["TXT.rtf": "new", "pic.png": "p"])
            let listed = try await world.versions.list(world.host.session(), world.key).versions
            #expect(listed.map(\.isPackage) == [true, true, true])
            #expect(listed.first?.isCurrent == true && listed.first?.savedBy == nil)
            #expect(world.store.contents(of: world.folder) == ["TXT.rtf": "new", "pic.png": "picture"])
        }
    }

    @Test("V1: what is not on this machine is not fetched to be kept")
    func absent() async throws {
        try await World.with { world in
            try await world.save(["TXT.rtf": "new"], operation: "1")
            #expect(try await world.kept().isEmpty && world.store.calls(.fetch).isEmpty)
            #expect(world.host.files(in: "Versions").isEmpty)
        }
    }

    @Test("V1: of a package that is partly on this machine the rest is missing, and comes from the present package")
    func partial() async throws {
        try await World.with { world in
            try await world.fetch("TXT.rtf")
            try await world.save(["TXT.rtf": "new"], operation: "1")
            let old = try #require(try await world.kept().first)
            #expect(try await world.texts(old) == ["TXT.rtf": "old", "pic.png": nil])
            let lost = await #expect(throws: Failure.self) {
                _ = try await world.versions.open(world.host.session(), world.key, old.id, path: "pic.png")
            }
            #expect(lost?.code == .notFound)
            try await world.restore(old, operation: "restore")
            #expect(world.store.contents(of: world.folder) == ["TXT.rtf": "old", "pic.png": "p"])
            #expect(world.store.calls(.fetch).count == 1)
            // Nothing of what the next save replaces is here.
            let before = try await world.kept().count
            try await world.save(["pic.png": "changed"], operation: "2")
            #expect(try await world.kept().count == before)
            let refused = await #expect(throws: Failure.self) { try await world.restore(old, operation: "again") }
            #expect(refused?.code == .notFound)
            #expect(world.store.contents(of: world.folder) == ["TXT.rtf": "old", "pic.png": "changed"])
        }
    }

    @Test("V1, V3: a save that changes nothing keeps nothing, and neither does one where the user wants nothing kept")
    func nothing() async throws {
        try await World.with { world in
            try await world.fetch("TXT.rtf", "pic.png")
            try await world.save(["TXT.rtf": "old"], operation: "1")
            #expect(try await world.kept().isEmpty && world.host.files(in: "Versions").isEmpty)
            _ = try await world.host.services.policies.set(VersionRule(.everything, isKept: false))
            try await world.save(["TXT.rtf": "new"], operation: "2")
            #expect(try await world.kept().isEmpty && world.host.files(in: "Versions").isEmpty)
        }
    }

    @Test("V4: a restored package is as it was, with its folders, and what it replaced is kept")
    func restores() async throws {
        try await World.with { world in
            try await world.fetch("TXT.rtf", "pic.png")
            try await world.save(["TXT.rtf": "new", "pic.png": nil, "b/c.txt": "c"], operation: "1")
            try await TransferSupport.eventually {
                Set(world.store.contents(of: world.folder).keys) == ["TXT.rtf", "b"]
            }
            _ = try await world.host.services.policies.set(VersionRule(.everything, isKept: false))
            let old = try #require(try await world.kept().first)
            try await world.restore(old, operation: "restore")
            try await TransferSupport.eventually {
                world.store.contents(of: world.folder) == ["TXT.rtf": "old", "pic.png": "p"]
            }
            let kept = try await world.kept()
            #expect(kept.map(\.reason) == [.superseded, .replaced])
            #expect(try await world.texts(try #require(kept.last)) == ["TXT.rtf": "new", "b/c.txt": "c"])
            // A repeated call, after a lost reply, changes nothing.
            try await world.restore(old, operation: "restore")
            #expect(try await world.kept().count == 2)
            try await world.restore(try #require(kept.last), operation: "back")
            try await TransferSupport.eventually {
                Set(world.store.contents(of: world.folder).keys) == ["TXT.rtf", "b"]
                    && world.store.contents(of: world.folder)["TXT.rtf"] == "new"
            }
        }
    }

    @Test("O16: saves of a package are taken back like any others, the last one and all of one client")
    func undone() async throws {
        try await World.with { world in
            let trash = world.host.services.trash
            let user = world.host.session(Principal(kind: .unconfined, identifier: "org.docent.cli"))
            try await world.fetch("TXT.rtf", "pic.png")
            for text in ["one", "two", "six"] { try await world.save(["TXT.rtf": text], operation: text) }
            let last = try #require(try await trash.lastChange())
            #expect(last.kind == "overwrite" && last.formerName == "a.rtfd" && last.obstacle == nil)
            _ = try await trash.undo(user, last.identifier)
            try await world.sent()
            #expect(world.store.contents(of: world.folder) == ["TXT.rtf": "two", "pic.png": "p"])
            // The newest first.
            let changes = try await trash.changes(by: writer.identifier, since: 0, page: nil).changes
            #expect(changes.map(\.kind) == ["overwrite", "overwrite"])
            for (change, text) in zip(changes, ["one", "old"]) {
                _ = try await trash.takeBack(user, change.identifier)
                try await world.sent()
                #expect(world.store.contents(of: world.folder) == ["TXT.rtf": text, "pic.png": "p"])
            }
            #expect(try await world.kept().count == 6)
        }
    }

    @Test("V2: thinned and removed packages leave nothing, and neither does one that was never published")
    func thins() async throws {
        try await World.with { world in
            let (host, content) = (world.host, world.host.services.remote.parts.superseded)
            try await world.fetch("TXT.rtf", "pic.png")
            for number in 1...3 { try await world.save(["TXT.rtf": "\(number)"], operation: "\(number)") }
            #expect(try await world.kept().count == 3)
            // As after a kill while a package is kept, and between that and the commit.
            try content.packages.begin("begun")
            try content.packages.begin("never-published")
            try content.packages.finish("never-published", KeptPackage(elements: [], version: ""), .superseded)
            let before = host.files(in: "Versions").count
            try await host.services.thinner.removeStrays()
            #expect(host.files(in: "Versions").count == before - 1)
            #expect(try content.packages.kept("never-published") == nil)
            let first = try #require(try await world.kept().first)
            let user = Principal(kind: .unconfined, identifier: "org.docent.cli")
            try await host.grant(world.key, to: user)
            #expect(try await world.versions.remove(host.session(user), world.key, [first.id]) == 1)
            #expect(try await world.kept().count == 2)
            _ = try await host.services.policies.set(VersionRule(.everything, space: 0))
            try await host.services.thinner.freeSpace()
            #expect(try await world.kept().isEmpty && host.files(in: "Versions").isEmpty)
            #expect(try await host.services.remote.kept.space() == (0, 0))
        }
    }

    @Test("V5, V8: a version of a package needs the right to it, has no path outside, and survives a restart")
    func rights() async throws {
        try await World.with { world in
            try await world.fetch("TXT.rtf", "pic.png")
            try await world.save(["TXT.rtf": "new"], operation: "1")
            let id = try #require(try await world.kept().first?.id)
            func refusal(_ body: () async throws -> Void) async -> FailureCode? {
                do {
                    try await body()
                    return nil
                } catch { return FailureMapping.failure(error).code }
            }
            let (versions, key, other) = (world.versions, world.key, world.host.session(viewer))
            #expect(await refusal { _ = try await versions.elements(other, key, id) } == .notPermitted)
            #expect(
                await refusal { _ = try await versions.open(other, key, id, path: "TXT.rtf") } == .notPermitted)
            let session = world.host.session()
            #expect(await refusal { _ = try await versions.open(session, key, id) } == .invalidArgument)
            for path in ["absent", "", ".", "../list", "TXT.rtf/x", "/TXT.rtf"] {
                #expect(await refusal { _ = try await versions.open(session, key, id, path: path) } != nil, "\(path)")
            }
            #expect(await refusal { _ = try await versions.elements(session, key, id, page: "-1") } == .invalidArgument)
            #expect(try await versions.elements(session, key, id, page: "2").elements.isEmpty)
            // A confined client that gets its right later does not see it.
            try await Task.sleep(for: .milliseconds(20))
            try await world.host.grant(key, to: viewer)
            #expect(await refusal { _ = try await versions.elements(other, key, id) } == .notFound)
            try await world.host.restarted { next async throws in
                let user = Principal(kind: .unconfined, identifier: "org.docent.cli")
                try await next.grant(key, to: user)
                let opened = try await next.services.versions.open(next.session(user), key, id, path: "TXT.rtf")
                #expect(opened.file.text == "old" && opened.version.isPackage == true)
            }
        }
    }
}
