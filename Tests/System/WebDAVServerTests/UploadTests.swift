import DocentTestSupport
import FileProvider
import Testing

@testable import WebDAV

/// Temporary uploads: none is sent twice under one name, and none stays.
@Suite(.needs(.server)) struct UploadTests {
    @Test(
        "an upload that breaks on a kept connection is sent again under another name, and nothing of the first stays",
        arguments: [
            #""action": "cutRequest", "after": 300000"#, #""action": "cutRequest", "after": 300000, "reset": true"#,
            #""action": "dropReply""#,
        ])
    func keptConnection(_ rule: String) async throws {
        let text = String(repeating: "0123456789", count: 100_000)
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                // The connection of this transfer is kept. libcurl would by itself repeat what fails on it.
                #expect(try await WebDAVFixture.fetch(provider, made.identifier).text == "one")
                try proxy.add(#"{"method": "PUT", "path": "docent-upload-op", "# + rule + "}")
                let saved = try await fixture.modify(
                    made.identifier, from: made.version, text, with: provider, operation: "op")
                #expect(saved.size == text.utf8.count)
                let uploads = try proxy.paths("PUT").filter { $0.contains("docent-upload-op") }
                #expect(uploads.count == 2 && Set(uploads).count == 2, "\(uploads)")
                #expect(try fixture.get("a.txt") == text)
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test("content of a package that breaks on a kept connection leaves no second element")
    func keptConnectionOfPackage() async throws {
        // It stores a second upload under another name.
        try await WebDAVFixture.with(.copyparty) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                let change = try await provider.beginPackage(
                    .new(parent: .rootContainer, filename: "n.rtfd"),
                    elements: [PackageElement(path: "x.txt", isFolder: false, size: 3, digest: "x")],
                    operation: ChangeOperation(identifier: "op", digest: "digest"))
                #expect(try await WebDAVFixture.fetch(provider, made.identifier).text == "one")
                try proxy.add(#"{"action": "dropReply", "method": "PUT", "path": "x.txt"}"#)
                try await change.stage("x.txt", contents: WebDAVFixture.contents("new"))
                _ = try await change.commit()
                let package = try await WebDAVFixture.list(fixture.provider).first { $0.filename == "n.rtfd" }
                let elements = try await WebDAVFixture.list(fixture.provider, #require(package).identifier)
                #expect(elements.map(\.filename) == ["x.txt"])
                #expect(try fixture.get("n.rtfd/x.txt") == "new")
            }
        }
    }

    @Test("what a server made of the first upload under another name is removed when the second one succeeds")
    func variant() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                // Twice: what is cut on a kept connection is sent once more.
                try proxy.add(#"{"action": "dropReply", "method": "PUT", "times": 2}"#)
                let provider = try fixture.another(through: proxy.url)
                let first = await code {
                    try await fixture.modify(
                        made.identifier, from: made.version, "two", with: provider, operation: "op")
                }
                #expect(first == .serverUnreachable)
                try proxy.post("rules/clear")
                try fixture.put("two", at: ".docent-upload-op-1795487583.459321-HQCjmDKw")
                _ = try await fixture.modify(
                    made.identifier, from: made.version, "two", with: provider, operation: "op")
                #expect(try fixture.get("a.txt") == "two")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test("content of a package that is staged again does not meet the earlier one on the server")
    func stagedAgain() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                let change = try await provider.beginPackage(
                    .new(parent: .rootContainer, filename: "n.rtfd"),
                    elements: [PackageElement(path: "x.txt", isFolder: false, size: 3, digest: "x")],
                    operation: ChangeOperation(identifier: "op", digest: "digest"))
                let before = try proxy.methods().count
                try await change.stage("x.txt", contents: WebDAVFixture.contents("one"))
                try await change.stage("x.txt", contents: WebDAVFixture.contents("two"))
                let sent = try proxy.methods().dropFirst(before).filter { $0 == "PUT" || $0 == "DELETE" }
                #expect(sent == ["PUT", "DELETE", "PUT"])
                _ = try await change.commit()
                #expect(try fixture.get("n.rtfd/x.txt") == "two")
                #expect(try fixture.names() == ["n.rtfd"])
            }
        }
    }
}
