import DocentTestSupport
import FileProvider
import FoundationEssentials
import Testing

@testable import WebDAV

/// Faults of the network and false answers of servers.
@Suite(.needs(.server)) struct FaultTests {
    @Test(
        "a lost reply to the last step of creating is not a collision, also in another process",
        arguments: ServerKind.real
    )
    func lostCreate(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "dropReply", "method": "MOVE"}"#)
                let cut = try fixture.another(through: proxy.url)
                #expect(
                    await code { try await fixture.create("a.txt", "ours", with: cut, operation: "op") }
                        == .serverUnreachable)
                #expect(try fixture.get("a.txt") == "ours")
                let again = try fixture.another(through: proxy.url)
                let item = try await fixture.create("a.txt", "ours", with: again, operation: "op")
                #expect(item.size == 4)
                #expect(try fixture.names() == ["a.txt"])
                #expect(
                    await code { try await fixture.create("a.txt", "ours", with: again, operation: "other") }
                        == .filenameCollision)
            }
        }
    }

    @Test(
        "a lost reply to the last step of a change is not a conflict, also in another process",
        arguments: ServerKind.real)
    func lostModify(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "dropReply", "method": "MOVE"}"#)
                let cut = try fixture.another(through: proxy.url)
                #expect(
                    await code {
                        try await fixture.modify(
                            made.identifier, from: made.version, "second", with: cut, operation: "op")
                    } == .serverUnreachable)
                let again = try fixture.another(through: proxy.url)
                let item = try await fixture.modify(
                    made.identifier, from: made.version, "second", with: again, operation: "op")
                #expect(item.size == 6)
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test(
        "a document that a failed replacement left empty is replaced only by the same save, even if the server reported success",
        arguments: [500, 204, 207])
    func leftEmpty(status: Int) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": \#(status), "method": "MOVE"}"#)
                let failing = try fixture.another(through: proxy.url)
                let failure = await code {
                    try await fixture.modify(
                        made.identifier, from: made.version, "second", with: failing, operation: "op")
                }
                #expect(failure == .serverUnreachable)
                // WsgiDAV's MOVE removes the document first, and fails if another client locks the name then.
                try fixture.put("", at: "a.txt")
                let again = try fixture.another(through: proxy.url)
                let other = await code {
                    try await fixture.modify(
                        made.identifier, from: made.version, "third", with: again, operation: "other")
                }
                #expect(other == .versionOutOfDate)
                _ = try await fixture.modify(
                    made.identifier, from: made.version, "second", with: again, operation: "op")
                #expect(try fixture.get("a.txt") == "second")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test(
        "a document that is missing while it is compared, as between the two steps of a replacement, is checked again")
    func goneForAMoment() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try fixture.put("theirs", at: "a.txt")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 404, "method": "GET"}"#)
                let provider = try fixture.another(through: proxy.url)
                for expected in [FileProviderError.Code.busy, .versionOutOfDate] {
                    let result = await code {
                        try await fixture.modify(
                            made.identifier, from: made.version, "second", with: provider, operation: "op")
                    }
                    #expect(result == expected)
                }
                #expect(try fixture.get("a.txt") == "theirs")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test(
        "a document that another client replaces between the look and the download is fetched as it is then",
        arguments: [403, 404])
    func replacedBeforeDownload(status: Int) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "hold", "method": "GET"}"#)
                try proxy.add(#"{"action": "status", "status": \#(status), "method": "GET"}"#)
                let provider = try fixture.another(through: proxy.url)
                async let fetched = WebDAVFixture.fetch(provider, made.identifier)
                while try !proxy.methods().contains("GET") { try await Task.sleep(for: .milliseconds(20)) }
                try fixture.put("theirs", at: "a.txt")
                try proxy.post("release")
                #expect(try await fetched.text == "theirs")
            }
        }
    }

    // As rclone's server answers while others rename documents in the folder.
    @Test(
        "a server that fails in the middle of its answer is asked again, at most twice",
        arguments: [
            #"<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\"></D:multistatus>Internal Server Error"#,
            #"<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\"><D:response>"#,
        ])
    func breakdown(_ answer: String) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                func fail(_ times: Int) throws {
                    try proxy.add(
                        #"{"action": "status", "status": 207, "method": "PROPFIND", "times": \#(times), "body": "\#(answer)"}"#
                    )
                }
                try fail(2)
                #expect(try await WebDAVFixture.fetch(provider, made.identifier).text == "one")
                try fail(3)
                #expect(
                    await code { try await WebDAVFixture.fetch(provider, made.identifier).text } == .serverUnreachable)
                #expect(try await WebDAVFixture.fetch(provider, made.identifier).text == "one")
            }
        }
    }

    @Test("a document that the server does not let the user read is asked for once")
    func notAllowed() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 403, "method": "GET", "times": 0}"#)
                let provider = try fixture.another(through: proxy.url)
                let result = await code { try await WebDAVFixture.fetch(provider, made.identifier).text }
                #expect(result == .notPermitted)
                #expect(try proxy.methods().count { $0 == "GET" } == 1)
            }
        }
    }

    @Test("a known document that is missing for a moment is not taken for deleted")
    func missingForAMoment() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "status", "status": 404, "method": "PROPFIND", "path": "a.txt"}"#)
                let provider = try fixture.another(through: proxy.url)
                #expect(try await provider.item(for: made.identifier).version == made.version)
            }
        }
    }

    @Test("a lost reply to a move is not a missing document, also in another process", arguments: ServerKind.real)
    func lostMove(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "dropReply", "method": "MOVE"}"#)
                let operation = ChangeOperation(identifier: "op")
                for (attempt, expected) in [(1, FileProviderError.Code.serverUnreachable), (2, nil)] {
                    let provider = try fixture.another(through: proxy.url)
                    let result = await code {
                        try await provider.moveItem(
                            made.identifier, baseVersion: nil, to: .rootContainer, named: "b.txt", operation: operation)
                    }
                    #expect(result == expected, "attempt \(attempt)")
                }
                #expect(try fixture.names() == ["b.txt"])
            }
        }
    }

    @Test("a cut upload never leaves a partial document under the name", arguments: ServerKind.real)
    func cutUpload(_ kind: ServerKind) async throws {
        let text = String(repeating: "0123456789", count: 100_000)
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                // Twice: what is cut on a kept connection is sent once more.
                try proxy.add(#"{"action": "cutRequest", "method": "PUT", "after": 300000, "times": 2}"#)
                let result = await code {
                    try await fixture.modify(made.identifier, from: made.version, text, with: provider, operation: "op")
                }
                #expect(result == .serverUnreachable)
                #expect(try fixture.get("a.txt") == "one")
                #expect(try await WebDAVFixture.list(provider).map(\.filename) == ["a.txt"])
                try proxy.post("rules/clear")
                let item = try await fixture.modify(
                    made.identifier, from: made.version, text, with: provider, operation: "op")
                #expect(item.size == text.utf8.count)
                #expect(try fixture.get("a.txt") == text)
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test(
        "a server killed between removing the old and naming the new document loses neither", arguments: ServerKind.real
    )
    func killedWhileReplacing(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try fixture.put("second", at: ".docent-upload-op")
            _ = try Shell.curl("-X DELETE", fixture.url + "a.txt")
            let item = try await fixture.modify(made.identifier, from: made.version, "second", operation: "op")
            #expect(item.size == 6)
            #expect(try fixture.names() == ["a.txt"])
        }
    }

    @Test("a cut download resumes, and false ranges are refused", arguments: ServerKind.real)
    func cutDownload(_ kind: ServerKind) async throws {
        let text = String(repeating: "0123456789", count: 100_000)
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", text)
            // SeaweedFS derives its tags from size and second.
            try await Task.sleep(for: .milliseconds(2_100))
            _ = try await fixture.create("b.txt", String(repeating: "x", count: text.utf8.count))
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                try proxy.add(#"{"action": "cutResponse", "method": "GET", "after": 500000}"#)
                #expect(
                    await code { try await WebDAVFixture.fetch(provider, made.identifier).text } == .serverUnreachable)
                let rest = try await WebDAVFixture.fetch(
                    provider, made.identifier, have: String(text.prefix(500_000)), of: made.version)
                #expect(rest.text == text)
                #expect(rest.beginning == 500_000)
                let path = fixture.url.split(separator: "/").dropFirst(2).map { "/" + $0 }.joined() + "/b.txt"
                for lie in [
                    #"{"action": "truncate", "method": "GET"}"#,
                    #"{"action": "wrongLength", "method": "GET", "delta": 7}"#,
                    #"{"action": "wrongLength", "method": "GET", "delta": -7}"#,
                    #"{"action": "wrongLength", "method": "GET", "delta": 7, "chunked": true}"#,
                    #"{"action": "wrongLength", "method": "GET", "delta": -7, "chunked": true}"#,
                    #"{"action": "swap", "method": "GET", "with": "\#(path)", "etag": "own"}"#,
                ] {
                    try proxy.post("reset")
                    try proxy.add(lie)
                    #expect(
                        await code { try await WebDAVFixture.fetch(provider, made.identifier).text } != nil, "\(lie)")
                }
                try proxy.post("reset")
                #expect(try await WebDAVFixture.fetch(provider, made.identifier).text == text)
            }
        }
    }

    @Test("HAZARDS 3: a server that answers every request with \"not found\" has deleted nothing")
    func nothingThere() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                for status in [404, 410] {
                    try proxy.post("reset")
                    try proxy.add(#"{"action": "status", "status": \#(status), "times": 0}"#)
                    #expect(await code { try await provider.item(for: made.identifier) } == .serverUnreachable)
                    #expect(
                        await code { try await provider.children(of: .rootContainer, page: nil) } == .serverUnreachable)
                    #expect(
                        await code { try await WebDAVFixture.fetch(provider, made.identifier).text }
                            == .serverUnreachable)
                    #expect(
                        await code { try await fixture.modify(made.identifier, from: nil, "x", with: provider) }
                            == .serverUnreachable)
                    #expect(await code { try await fixture.create("b", "x", with: provider) } == .serverUnreachable)
                }
                try proxy.post("refuse")
                #expect(await code { try await provider.item(for: made.identifier) } == .serverUnreachable)
            }
        }
    }

    @Test(
        "the server's answer is mapped to the right error at every step",
        arguments: [
            (401, FileProviderError.Code.notAuthenticated), (403, .notPermitted), (423, .busy), (429, .busy),
            (503, .busy),
            (500, .serverUnreachable), (502, .serverUnreachable), (507, .insufficientQuota),
        ])
    func answers(_ status: Int, _ expected: FileProviderError.Code) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                func fault(_ method: String) throws {
                    try proxy.post("reset")
                    try proxy.add(
                        #"{"action": "status", "status": \#(status), "retryAfter": "7", "method": "\#(method)"}"#)
                }
                // Reading needs no space.
                let reading = status == 507 ? FileProviderError.Code.serverUnreachable : expected
                try fault("PROPFIND")
                do {
                    _ = try await provider.item(for: made.identifier)
                    Issue.record("no error")
                } catch let error as FileProviderError {
                    #expect(error.code == reading)
                    if expected == .busy { #expect(error.retryAfter == 7) }
                }
                try fault("GET")
                #expect(await code { try await WebDAVFixture.fetch(provider, made.identifier).text } == reading)
                for method in ["PUT", "MOVE"] {
                    try fault(method)
                    #expect(
                        await code {
                            try await fixture.modify(made.identifier, from: made.version, "new", with: provider)
                        }
                            == expected, "\(method)")
                    try fault(method)
                    #expect(
                        await code { try await fixture.create("b.txt", "new", with: provider) } == expected, "\(method)"
                    )
                }
                try fault("MKCOL")
                let folder = ItemTemplate(parent: .rootContainer, filename: "f", isFolder: true)
                #expect(
                    await code {
                        try await provider.createItem(
                            basedOn: folder, contents: nil, operation: ChangeOperation(identifier: "f"))
                    } == expected)
                try fault("DELETE")
                #expect(
                    await code { try await provider.deleteItem(made.identifier, baseVersion: nil, recursive: false) }
                        == expected)
                #expect(try fixture.get("a.txt") == "one")
                #expect(try fixture.get("b.txt") == nil)
            }
        }
    }

    @Test("a redirect to another server is not followed, and the credentials are not sent to it")
    func redirect() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            try await Proxy.with(fixture.url) { trap in
                try await Proxy.with(fixture.url) { proxy in
                    let provider = try fixture.another(through: proxy.url)
                    let location =
                        #"{"action": "status", "status": 302, "times": 0, "headers": {"Location": "\#(trap.url)"}}"#
                    try proxy.add(location)
                    let result = await code {
                        try await provider.signIn(Credential(username: "anna", secret: "hush-fault2c64d"))
                    }
                    #expect(result == .failed)
                    #expect(try trap.requests().contains("PROPFIND") == false)
                }
            }
        }
    }

    @Test("a token is sent as a bearer token")
    func bearer() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                _ = try await provider.signIn(Credential(kind: .token, secret: "hush-t0ken88e1"))
                #expect(try proxy.requests().contains("Bearer hush-t0ken88e1"))
            }
        }
    }

    @Test("a document that another client has locked is busy", arguments: ServerKind.real)
    func foreignLock(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", "one")
            let body =
                "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>"
            let status = try Shell.curl(
                "-X LOCK -H 'Timeout: Second-600' -H 'Depth: 0' --data-binary '\(body)'", fixture.url + "a.txt"
            ).status
            #expect((200...201).contains(status))
            #expect(await code { try await fixture.modify(made.identifier, from: made.version, "x") } == .busy)
            #expect(try fixture.get("a.txt") == "one")
        }
    }

    @Test(
        "a folder with a lock left by our killed upload can be deleted; with another client's lock it is busy")
    func folderWithLock() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let folder = try await fixture.createFolder("f")
            let item = try await fixture.create("a.txt", "one", in: folder.identifier)
            let body =
                "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>"
            let url = fixture.url + "f/a.txt"
            let answer = try Shell.curl(
                "-X LOCK -H 'Timeout: Second-600' -H 'Depth: 0' --data-binary '\(body)'", url)
            #expect((200...201).contains(answer.status))
            let delete = { () async throws -> Void in
                try await fixture.provider.deleteItem(folder.identifier, baseVersion: nil, recursive: true)
            }
            #expect(await code(delete) == .busy)
            #expect(try fixture.get("f/a.txt") == "one")
            let token = try #require(answer.body.split(separator: "opaquelocktoken:").dropFirst().first).prefix {
                $0 != "<"
            }
            LockNotes(directory: fixture.storage).add("<opaquelocktoken:\(token)>", on: url)
            try await fixture.another().deleteItem(folder.identifier, baseVersion: nil, recursive: true)
            #expect(await code { _ = try await fixture.provider.item(for: item.identifier) } == .noSuchItem)
        }
    }

    @Test("a cancelled download ends")
    func cancel() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", String(repeating: "x", count: 1_000_000))
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(
                    #"{"action": "hang", "stage": "responseBody", "method": "GET", "after": 1000, "times": 0}"#)
                let provider = try fixture.another(through: proxy.url)
                let task = Task { try await WebDAVFixture.fetch(provider, made.identifier).text }
                while try !proxy.requests().contains("GET") {
                    try await Task.sleep(for: .milliseconds(50))
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }
}
