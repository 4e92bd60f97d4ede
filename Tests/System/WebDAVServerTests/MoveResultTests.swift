import DocentTestSupport
import FileProvider
import Testing

@testable import WebDAV

/// Servers that report a MOVE and do not make it, make half of it, or refuse it for ever.
@Suite(.needs(.server)) struct MoveResultTests {
    private static let operation = ChangeOperation(identifier: "operation", digest: "digest")

    @Test(
        "a replacement that the server only reports is not believed, even if both contents have the same size",
        arguments: [201, 204])
    func replacement(_ status: Int) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": \#(status), "method": "MOVE"}"#)
                let provider = try fixture.another(through: proxy.url)
                let first = await code {
                    try await fixture.modify(
                        made.identifier, from: made.version, "two", with: provider, operation: "op")
                }
                #expect(first == .serverUnreachable)
                #expect(try fixture.get("a.txt") == "one")
                _ = try await fixture.modify(
                    made.identifier, from: made.version, "two", with: provider, operation: "op")
                #expect(try fixture.get("a.txt") == "two")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test("on a server without locks the old document is kept until the new one is seen in its place")
    func displaced() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 500, "method": "LOCK", "times": 0}"#)
                try proxy.add(#"{"action": "status", "status": 201, "method": "MOVE", "nth": 2}"#)
                let provider = try fixture.another(through: proxy.url)
                let first = await code {
                    try await fixture.modify(
                        made.identifier, from: made.version, "two", with: provider, operation: "op")
                }
                #expect(first == .busy)
                #expect(try fixture.get(".docent-upload-op.old") == "one")
                _ = try await fixture.modify(
                    made.identifier, from: made.version, "two", with: provider, operation: "op")
                #expect(try fixture.get("a.txt") == "two")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test("a displaced document that cannot be put back is not taken for deleted, and is put back later")
    func putBack() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            // The state after a kill between the two renames; the content did not arrive.
            try fixture.move("a.txt", to: ".docent-upload-op.old")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 500, "method": "MOVE"}"#)
                let provider = try fixture.another(through: proxy.url)
                for expected in [FileProviderError.Code.serverUnreachable, nil] {
                    let result = await code {
                        try await fixture.modify(
                            made.identifier, from: made.version, "two", with: provider, operation: "op")
                    }
                    #expect(result == expected)
                }
                #expect(try fixture.get("a.txt") == "two")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test("a rename that the server only reports is not believed")
    func renameNotMade() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 201, "method": "MOVE"}"#)
                let provider = try fixture.another(through: proxy.url)
                let error = await #expect(throws: FileProviderError.self) {
                    try await provider.moveItem(
                        made.identifier, baseVersion: made.version, to: .rootContainer, named: "b.txt",
                        operation: ChangeOperation(identifier: "first"))
                }
                #expect(error?.code == .failed)
                #expect(error?.message.contains("but did not") == true, "\(String(describing: error))")
                #expect(try fixture.names() == ["a.txt"])
                let moved = try await provider.moveItem(
                    made.identifier, baseVersion: made.version, to: .rootContainer, named: "b.txt",
                    operation: ChangeOperation(identifier: "second"))
                #expect(moved.filename == "b.txt")
                #expect(try fixture.names() == ["b.txt"])
            }
        }
    }

    @Test("a rename that leaves the document under its old name too is reported as a copy")
    func renameCopies() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "hold", "method": "MOVE"}"#)
                try proxy.add(#"{"action": "status", "status": 201, "method": "MOVE"}"#)
                let provider = try fixture.another(through: proxy.url)
                async let outcome = message {
                    try await provider.moveItem(
                        made.identifier, baseVersion: made.version, to: .rootContainer, named: "b.txt",
                        operation: Self.operation)
                }
                while try !proxy.methods().contains("MOVE") { try await Task.sleep(for: .milliseconds(20)) }
                try fixture.put("one", at: "b.txt")
                try proxy.post("release")
                let text = await outcome
                #expect(text?.contains("copied \"a.txt\" to \"b.txt\"") == true, "\(text ?? "no error")")
                #expect(try fixture.names() == ["a.txt", "b.txt"])
            }
        }
    }

    @Test("a rename succeeds although another document gets the old name at once")
    func renameAndSuccessor() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "hold", "stage": "reply", "method": "MOVE"}"#)
                let provider = try fixture.another(through: proxy.url)
                async let outcome = message {
                    try await provider.moveItem(
                        made.identifier, baseVersion: made.version, to: .rootContainer, named: "b.txt",
                        operation: Self.operation)
                }
                while try fixture.get("b.txt") == nil { try await Task.sleep(for: .milliseconds(20)) }
                try fixture.put("another", at: "a.txt")
                try proxy.post("release")
                let text = await outcome
                #expect(text == nil)
                #expect(try fixture.get("a.txt") == "another")
                #expect(try fixture.get("b.txt") == "one")
            }
        }
    }

    // MARK: Packages

    private static let elements = [PackageElement(path: "x.txt", isFolder: false, size: 3, digest: "x")]

    @Test("a new package that the server only reports is not taken for stored, and not for deleted")
    func package() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 201, "method": "MOVE"}"#)
                let provider = try fixture.another(through: proxy.url)
                let target = PackageTarget.new(parent: .rootContainer, filename: "n.rtfd")
                let change = try await provider.beginPackage(
                    target, elements: Self.elements, operation: Self.operation)
                try await change.stage("x.txt", contents: WebDAVFixture.contents("one"))
                #expect(await code { try await change.commit() } == .busy)
                let again = try await provider.beginPackage(
                    target, elements: Self.elements, operation: Self.operation)
                #expect(again.neededPaths.isEmpty)
                #expect(try fixture.get("n.rtfd/x.txt") == "one")
                #expect(try fixture.names() == ["n.rtfd"])
            }
        }
    }

    @Test("a package that cannot be put back after a conflict is put back by the next attempt")
    func packagePutBack() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let package = try await fixture.createFolder("p.rtfd")
            try fixture.put("old", at: "p.rtfd/x.txt")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "hold", "method": "MOVE"}"#)
                try proxy.add(#"{"action": "status", "status": 500, "method": "MOVE", "nth": 2}"#)
                let provider = try fixture.another(through: proxy.url)
                let target = PackageTarget.existing(package.identifier, baseVersion: nil)
                let change = try await provider.beginPackage(
                    target, elements: Self.elements, operation: Self.operation)
                try await change.stage("x.txt", contents: WebDAVFixture.contents("new"))
                async let outcome = code { try await change.commit() }
                while try !proxy.methods().contains("MOVE") { try await Task.sleep(for: .milliseconds(20)) }
                try fixture.put("theirs, longer", at: "p.rtfd/x.txt")
                try proxy.post("release")
                let result = await outcome
                #expect(result == .serverUnreachable)
                #expect(try fixture.get("p.rtfd/x.txt") == nil)
                let next = await code {
                    try await provider.beginPackage(target, elements: Self.elements, operation: Self.operation)
                }
                #expect(next == .versionOutOfDate)
                #expect(try fixture.get("p.rtfd/x.txt") == "theirs, longer")
                #expect(try fixture.names() == ["p.rtfd"])
            }
        }
    }

    // MARK: Refusals

    @Test("a server that always refuses to replace an unchanged document is not asked for ever")
    func refused() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 412, "method": "MOVE", "times": 0}"#)
                for expected in [FileProviderError.Code.busy, .busy, .failed] {
                    let provider = try fixture.another(through: proxy.url)
                    let result = await code {
                        try await fixture.modify(
                            made.identifier, from: made.version, "two", with: provider, operation: "op")
                    }
                    #expect(result == expected)
                }
                #expect(try fixture.get("a.txt") == "one")
                #expect(try fixture.names() == ["a.txt"])
                try proxy.post("rules/clear")
                _ = try await fixture.modify(
                    made.identifier, from: made.version, "two", with: fixture.another(through: proxy.url),
                    operation: "op")
                #expect(try fixture.get("a.txt") == "two")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }
}

/// The message of the error that the body throws; nil if it throws none.
private func message(_ body: () async throws -> some Sendable) async -> String? {
    do {
        _ = try await body()
        return nil
    } catch {
        return FileProviderError(wrapping: error).message
    }
}
