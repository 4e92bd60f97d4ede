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
