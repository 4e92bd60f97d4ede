import DocentTestSupport
import FileProvider
import Testing

@testable import WebDAV

/// Servers' handling of locks.
@Suite(.needs(.server)) struct LockTests {
    @Test("a lock with a lost reply is recognised as ours and released")
    func lostReply() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "dropReply", "method": "LOCK"}"#)
                let cut = try fixture.another(through: proxy.url)
                #expect(
                    await code { try await fixture.modify(made.identifier, from: made.version, "two", with: cut) }
                        == .serverUnreachable)
                let again = try fixture.another(through: proxy.url)
                _ = try await fixture.modify(made.identifier, from: made.version, "three", with: again)
                #expect(try fixture.get("a.txt") == "three")
            }
        }
    }

    @Test("a lock token that is only in the body of the reply is found, and the lock is released")
    func tokenInBody() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "headers", "method": "LOCK", "times": 0, "headers": {"Lock-Token": null}}"#)
                let provider = try fixture.another(through: proxy.url)
                let changed = try await fixture.modify(made.identifier, from: made.version, "two", with: provider)
                _ = try await fixture.modify(made.identifier, from: changed.version, "three", with: provider)
                #expect(try fixture.get("a.txt") == "three")
                #expect(try proxy.requests().contains("UNLOCK"))
            }
        }
    }

    @Test("a lock token without angle brackets in the header field is understood, and the lock is released")
    func bareToken() async throws {
        try await WebDAVFixture.with(.asgiwebdav) { fixture in
            let wish =
                "<lockinfo xmlns=\"DAV:\"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>b</owner></lockinfo>"
            let answer = try Shell.curl(
                "-i -X LOCK -H 'Timeout: Second-60' --data-binary '\(wish)'", fixture.url + "b.txt")
            #expect(answer.body.lowercased().contains("lock-token: opaquelocktoken:"), "\(answer)")
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                // The body contains the token too. Without the name of the element around it, only the header field
                // remains.
                try proxy.add(#"{"action": "corrupt", "method": "LOCK", "offset": 81, "times": 0}"#)
                let provider = try fixture.another(through: proxy.url)
                let changed = try await fixture.modify(made.identifier, from: made.version, "two", with: provider)
                _ = try await fixture.modify(made.identifier, from: changed.version, "three", with: provider)
                #expect(try fixture.get("a.txt") == "three")
                #expect(try proxy.methods().filter { $0 == "LOCK" || $0 == "UNLOCK" }.count == 4)
            }
            // This server deletes nothing that is locked.
            #expect(try Shell.curl("-X DELETE", fixture.url + "a.txt").status == 204)
        }
    }

    @Test("a lock without a token is reported with its end, waited for, and no other is requested from that server")
    func missingToken() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                let body = "<prop><activelock><timeout>Second-17</timeout></activelock></prop>"
                try proxy.add(
                    #"{"action": "status", "status": 200, "method": "LOCK", "stage": "reply", "body": "\#(body)"}"#)
                let provider = try fixture.another(through: proxy.url)
                let first = await #expect(throws: FileProviderError.self) {
                    try await fixture.modify(
                        made.identifier, from: made.version, "two", with: provider, operation: "op")
                }
                #expect(first?.code == .busy)
                #expect(first?.retryAfter == 17)
                #expect(first?.message.contains("sent no lock token") == true, "\(String(describing: first))")
                // The server still has the lock.
                let second = await #expect(throws: FileProviderError.self) {
                    try await fixture.modify(
                        made.identifier, from: made.version, "two", with: provider, operation: "op")
                }
                #expect(second?.code == .busy)
                #expect(
                    second?.message.contains("by an earlier attempt to save it from here, which lost its lock") == true,
                    "\(String(describing: second))")
                #expect(try fixture.get("a.txt") == "one")
                try release("a.txt", fixture)
                let saved = try await fixture.modify(
                    made.identifier, from: made.version, "two", with: provider, operation: "op")
                _ = try await fixture.modify(made.identifier, from: saved.version, "three", with: provider)
                #expect(try fixture.get("a.txt") == "three")
                #expect(try fixture.names() == ["a.txt"])
                #expect(try proxy.methods().filter { $0 == "LOCK" }.count == 1)
            }
        }
    }

    /// Ends the lock on a document directly.
    private func release(_ name: String, _ fixture: WebDAVFixture) throws {
        let wish = "<propfind xmlns=\"DAV:\"><prop><lockdiscovery/></prop></propfind>"
        let found = try Shell.curl("-X PROPFIND -H 'Depth: 0' --data-binary '\(wish)'", fixture.url + name).body
        let token = try #require(LockDescription.all(in: Array(found.utf8)).first?.token)
        try #require(try Shell.curl("-X UNLOCK -H 'Lock-Token: \(token)'", fixture.url + name).status == 204)
    }

    @Test(
        "where even the holder of a lock is refused because the server misreads an encoded name, the document is replaced without a lock"
    )
    func refusedHolder() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a b.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 423, "method": "MOVE", "header": "If", "times": 0}"#)
                let provider = try fixture.another(through: proxy.url)
                let changed = try await fixture.modify(made.identifier, from: made.version, "two", with: provider)
                _ = try await fixture.modify(made.identifier, from: changed.version, "three", with: provider)
                #expect(try fixture.get("a%20b.txt") == "three")
                #expect(
                    await code {
                        try await fixture.modify(made.identifier, from: changed.version, "four", with: provider)
                    } == .versionOutOfDate)
                #expect(try fixture.names() == ["a%20b.txt"])
                #expect(try proxy.methods().filter { $0 == "LOCK" || $0 == "UNLOCK" } == ["LOCK", "UNLOCK"])
            }
        }
    }

    @Test("a server that fails to lock is treated as one without locks, and documents are still replaced")
    func failingLocks() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 500, "method": "LOCK", "times": 0}"#)
                let provider = try fixture.another(through: proxy.url)
                let changed = try await fixture.modify(made.identifier, from: made.version, "two", with: provider)
                #expect(try fixture.get("a.txt") == "two")
                try fixture.put("theirs", at: "a.txt")
                #expect(
                    await code {
                        try await fixture.modify(made.identifier, from: changed.version, "three", with: provider)
                    } == .versionOutOfDate)
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test(
        "after a cut between the two renames on a server without locks, the next attempt finishes or restores the old content",
        arguments: [(2, "two"), (3, "two")])
    func cutRenames(_ nth: Int, _ expected: String) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 500, "method": "LOCK", "times": 0}"#)
                try proxy.add(#"{"action": "dropReply", "method": "MOVE", "nth": \#(nth - 1)}"#)
                let provider = try fixture.another(through: proxy.url)
                #expect(
                    await code {
                        try await fixture.modify(
                            made.identifier, from: made.version, "two", with: provider, operation: "op")
                    } == .serverUnreachable)
                let again = try fixture.another(through: proxy.url)
                _ = try await fixture.modify(
                    made.identifier, from: made.version, "two", with: again, operation: "op")
                #expect(try fixture.get("a.txt") == expected)
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test(
        "on a server that deletes no locked document, even for the lock's holder, it is deleted after the lock is released"
    )
    func lockedDeletion() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(
                    #"{"action": "status", "status": 423, "method": "DELETE", "header": "If", "times": 0}"#)
                let provider = try fixture.another(through: proxy.url)
                try await provider.deleteItem(made.identifier, baseVersion: made.version, recursive: false)
                #expect(try fixture.names() == [])
            }
        }
    }
}
