import DocentTestSupport
import FoundationEssentials
import Glibc
import Testing

@testable import FileProvider
@testable import WebDAV

/// Packages on the server: the old or the new one, never a mixture (N3, M4).
@Suite(.needs(.server)) struct PackageTests {
    private static let old = ["a.txt": "old a", "b/c.txt": "old c", "b/same.txt": "same", "gone.txt": "gone"]

    private static func prepare(_ fixture: WebDAVFixture) async throws -> FileProviderItem {
        let package = try await fixture.createFolder("p.rtfd")
        _ = try await fixture.createFolder("b", in: package.identifier)
        for (path, text) in old { try fixture.put(text, at: "p.rtfd/" + path) }
        return package
    }

    /// The elements of the package with their versions, as listed by the provider.
    private static func versions(
        _ fixture: WebDAVFixture, _ folder: ItemIdentifier, _ prefix: String = ""
    ) async throws -> [String: ItemVersion] {
        var found: [String: ItemVersion] = [:]
        for item in try await WebDAVFixture.list(fixture.provider, folder) {
            if item.isFolder {
                found.merge(try await versions(fixture, item.identifier, prefix + item.filename + "/")) { $1 }
            } else {
                found[prefix + item.filename] = item.version
            }
        }
        return found
    }

    private static func texts(_ fixture: WebDAVFixture, _ paths: [String]) throws -> [String: String] {
        var found: [String: String] = [:]
        for path in paths { found[path] = try fixture.get("p.rtfd/" + path) }
        return found
    }

    /// a.txt is replaced, b/same.txt stays, b/c.txt is moved to d/moved.txt, gone.txt is removed.
    private static func elements(_ versions: [String: ItemVersion]) -> [PackageElement] {
        [
            PackageElement(path: "a.txt", isFolder: false, size: 5, digest: "x"),
            PackageElement(path: "b", isFolder: true),
            PackageElement(path: "b/same.txt", isFolder: false, version: versions["b/same.txt"]),
            PackageElement(
                path: "d/moved.txt", isFolder: false, version: versions["b/c.txt"], source: "b/c.txt"),
        ]
    }
    private static let new = ["a.txt": "new a", "b/same.txt": "same", "d/moved.txt": "old c"]
    private static let paths = Array(Set(old.keys).union(new.keys))
    private static let operation = ChangeOperation(identifier: "operation", digest: "digest")

    @Test(
        "N3: a package is replaced as a whole; unchanged and moved elements are copied on the server",
        arguments: ServerKind.real)
    func replaces(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let package = try await Self.prepare(fixture)
            let versions = try await Self.versions(fixture, package.identifier)
            let change = try await fixture.provider.beginPackage(
                .existing(package.identifier, baseVersion: nil), elements: Self.elements(versions),
                operation: Self.operation)
            #expect(change.neededPaths == ["a.txt"])
            try await change.stage("a.txt", contents: WebDAVFixture.contents("new a"))
            #expect(try Self.texts(fixture, Self.paths) == Self.old)
            let done = try await change.commit()
            #expect(done.item.identifier == package.identifier && done.conflict == nil)
            #expect(try Self.texts(fixture, Self.paths) == Self.new)
            #expect(try fixture.names() == ["p.rtfd"])
            // Repeated, also by another process: the same answer, and nothing to do.
            let again = try await fixture.another().beginPackage(
                .existing(package.identifier, baseVersion: nil), elements: Self.elements(versions),
                operation: Self.operation)
            #expect(again.neededPaths.isEmpty)
            #expect(try await again.commit().item.identifier == package.identifier)
            #expect(try Self.texts(fixture, Self.paths) == Self.new)
        }
    }

    @Test(
        "HAZARDS 5: an element changed elsewhere meanwhile is a conflict, and nothing is changed",
        arguments: ServerKind.real)
    func conflict(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let package = try await Self.prepare(fixture)
            let versions = try await Self.versions(fixture, package.identifier)
            let change = try await fixture.provider.beginPackage(
                .existing(package.identifier, baseVersion: nil), elements: Self.elements(versions),
                operation: Self.operation)
            try await change.stage("a.txt", contents: WebDAVFixture.contents("new a"))
            try fixture.put("theirs, longer", at: "p.rtfd/gone.txt")
            #expect(await code { try await change.commit() } == .versionOutOfDate)
            var expected = Self.old
            expected["gone.txt"] = "theirs, longer"
            #expect(try Self.texts(fixture, Self.paths) == expected)
            // Repeated with the old versions of the unchanged elements it continues; with other versions it does not.
            try fixture.put("theirs too", at: "p.rtfd/b/same.txt")
            #expect(
                await code {
                    try await fixture.provider.beginPackage(
                        .existing(package.identifier, baseVersion: nil), elements: Self.elements(versions),
                        operation: Self.operation)
                } == .versionOutOfDate)
        }
    }

    @Test("C3: a new package appears completely, and never replaces anything", arguments: ServerKind.real)
    func creates(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            func begin(_ operation: String) async throws -> any PackageReplacement {
                try await fixture.provider.beginPackage(
                    .new(parent: .rootContainer, filename: "n.rtfd"),
                    elements: [PackageElement(path: "x/y.txt", isFolder: false, size: 3, digest: "x")],
                    operation: ChangeOperation(identifier: operation, digest: operation))
            }
            let change = try await begin("one")
            let second = try await begin("two")
            try await change.stage("x/y.txt", contents: WebDAVFixture.contents("one"))
            #expect(try await WebDAVFixture.list(fixture.provider).isEmpty)
            #expect(try await change.commit().item.filename == "n.rtfd")
            #expect(try fixture.get("n.rtfd/x/y.txt") == "one")
            try await second.stage("x/y.txt", contents: WebDAVFixture.contents("two"))
            #expect(await code { try await second.commit() } == .filenameCollision)
            #expect(await code { try await begin("three") } == .filenameCollision)
            #expect(try fixture.get("n.rtfd/x/y.txt") == "one")
            #expect(try fixture.names() == ["n.rtfd"])
        }
    }

    @Test(
        "W: the remains of a kill between the two renames are finished by the next attempt", arguments: [false, true])
    func interrupted(isChanged: Bool) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let package = try await Self.prepare(fixture)
            let versions = try await Self.versions(fixture, package.identifier)
            let change = try await fixture.provider.beginPackage(
                .existing(package.identifier, baseVersion: nil), elements: Self.elements(versions),
                operation: Self.operation)
            try await change.stage("a.txt", contents: WebDAVFixture.contents("new a"))
            // The state after a process was killed after the first rename.
            let base = PackageBase(
                try await fixture.provider.server.tree(RemotePath([try #require(LocalName("p.rtfd"))])))
            try fixture.provider.notes.add(Self.operation, Array(JSONEncoder().encode(base)))
            let displaced = fixture.url + ".docent-upload-operation.old/"
            let moved = try Shell.curl("-X MOVE -H 'Destination: \(displaced)'", fixture.url + "p.rtfd/").status
            try #require(moved == 201)
            if isChanged { try fixture.put("theirs, longer", at: ".docent-upload-operation.old/gone.txt") }
            let next = try fixture.another()
            if isChanged {
                #expect(
                    await code {
                        try await next.beginPackage(
                            .existing(package.identifier, baseVersion: nil), elements: Self.elements(versions),
                            operation: Self.operation)
                    } == .versionOutOfDate)
                #expect(
                    try Self.texts(fixture, ["gone.txt", "a.txt"]) == ["gone.txt": "theirs, longer", "a.txt": "old a"])
            } else {
                let again = try await next.beginPackage(
                    .existing(package.identifier, baseVersion: nil), elements: Self.elements(versions),
                    operation: Self.operation)
                #expect(again.neededPaths.isEmpty)
                #expect(try Self.texts(fixture, Self.paths) == Self.new)
            }
            #expect(try fixture.names() == ["p.rtfd"])
        }
    }
}
