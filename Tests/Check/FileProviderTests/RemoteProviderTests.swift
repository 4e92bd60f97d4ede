import DocentInterfaces
import FileProvider
import Foundation
import Glibc
import Synchronization
import Testing
import Varlink

@Suite struct RemoteProviderTests {
    private typealias Interface = FileProviderInterface

    private func host(_ settings: [String: String] = [:]) async throws -> ExtensionUnderTest {
        let host = try ExtensionUnderTest()
        try await host.initialize("FileProviderTests.FakeRemote", settings: settings)
        return host
    }

    private func fetch(
        _ host: ExtensionUnderTest, _ identifier: String, offset: Int?, version: String?, before: String
    ) async throws -> (Interface.Fetch.Reply, String) {
        let file = try Scratch.file(Array(before.utf8))
        defer { close(file) }
        let reply = try await host.connection.call(
            Interface.Fetch.self,
            .init(domain: "", identifier: identifier, destination: 0, offset: offset, version: version),
            descriptors: DescriptorList(OwnedDescriptor(dup(file))))
        return (reply.value, String(decoding: Scratch.contents(file), as: UTF8.self))
    }

    @Test(
        "HAZARDS 16: a download resumes where it was cut, and restarts if it cannot; no old bytes remain",
        arguments: [
            (nil, nil, "", 0), (4, "v1", "abcd", 4), (10, "v1", "abcdefghij", 10), (4, "v0", "abcd", 0),
            (4, nil, "abcd", 0), (0, "v1", "", 0),
        ] as [(Int?, String?, String, Int)])
    func resumes(offset: Int?, version: String?, before: String, beginning: Int) async throws {
        let host = try await host()
        let (reply, text) = try await fetch(host, "a", offset: offset, version: version, before: before)
        #expect(text == before.prefix(beginning) + "0123456789".dropFirst(beginning))
        #expect(reply.offset == beginning)
        #expect(reply.completedBytes == 10)
    }

    @Test(
        "The space of an account reaches the host as the provider gave it, also without values",
        arguments: [("100 40 60", 100, 40, 60), ("5 9 0", 5, 9, 0), ("- 7 -", nil, 7, nil), ("", nil, nil, nil)]
            as [(String, Int?, Int?, Int?)])
    func usage(setting: String, total: Int?, used: Int?, available: Int?) async throws {
        let host = try await host(["usage": setting])
        let reply = try await host.connection.call(Interface.Usage.self, .init(domain: "")).value
        #expect(reply == .init(totalBytes: total, usedBytes: used, availableBytes: available))
    }

    @Test("Negative space is an error of the provider", arguments: ["-1 - -", "- -9223372036854775808 -", "1 1 -5"])
    func negativeUsage(setting: String) async throws {
        let host = try await host(["usage": setting])
        let failure = await #expect(throws: Failure.self) {
            try await host.connection.call(Interface.Usage.self, .init(domain: ""))
        }
        #expect(failure?.message.contains("Space that is not known is nil.") == true)
    }

    @Test("A provider without the feature says so")
    func noUsage() async throws {
        let host = try ExtensionUnderTest()
        try await host.initialize("FileProviderTests.FakeProvider")
        let failure = await #expect(throws: Failure.self) {
            try await host.connection.call(Interface.Usage.self, .init(domain: ""))
        }
        #expect(failure?.code == .notSupported)
    }

    private func thumbnail(
        _ host: ExtensionUnderTest, _ identifier: String, size: Int = 256, into file: CInt
    ) async throws -> Interface.Thumbnail.Reply {
        try await host.connection.call(
            Interface.Thumbnail.self,
            .init(domain: "", identifier: identifier, version: "v1", size: size, destination: 0),
            descriptors: DescriptorList(OwnedDescriptor(dup(file)))
        ).value
    }

    @Test("A picture is written to the destination, with its type and version")
    func thumbnails() async throws {
        let host = try await host()
        let file = try Scratch.file([])
        defer { close(file) }
        let first = try await thumbnail(host, "a", into: file)
        #expect(first == .init(completedBytes: 3, contentType: "public.png", version: nil))
        #expect(Scratch.contents(file) == Array("256".utf8))
        let second = try await thumbnail(host, "jpeg", into: file)
        #expect(second == .init(completedBytes: 4, contentType: "public.jpeg", version: "v1"))
        #expect(Scratch.contents(file) == [0xFF, 0xD8, 0xFF, 1])
    }

    @Test("A picture that is empty or too large, a size that cannot be and a missing feature are refused")
    func refusedThumbnails() async throws {
        let host = try await host()
        let other = try ExtensionUnderTest()
        try await other.initialize("FileProviderTests.FakeProvider")
        let file = try Scratch.file([])
        defer { close(file) }
        let cases: [(ExtensionUnderTest, String, Int, FailureCode?)] = [
            (host, "huge", 256, nil), (host, "empty", 256, nil), (host, "a", 0, .invalidArgument),
            (host, "a", 4_097, .invalidArgument), (other, "a", 256, .notSupported),
        ]
        for (host, identifier, size, code) in cases {
            let failure = await #expect(throws: Failure.self) {
                _ = try await thumbnail(host, identifier, size: size, into: file)
            }
            if let code { #expect(failure?.code == code, "\(identifier)") }
            #expect(Scratch.contents(file).isEmpty)
        }
    }

    @Test("An action gets its arguments and answers with rows; what a provider does not have is refused")
    func actions() async throws {
        let host = try await host()
        let reply = try await host.connection.call(
            Interface.Perform.self, .init(domain: "", action: "count", arguments: ["a": "ä", "b": ""])
        ).value
        #expect(reply.rows.map(\.values) == [["arguments": "2"], ["a": "ä", "b": ""]])
        let other = try ExtensionUnderTest()
        try await other.initialize("FileProviderTests.FakeProvider")
        for (host, action) in [(host, "other"), (other, "count")] {
            let failure = await #expect(throws: Failure.self) {
                try await host.connection.call(
                    Interface.Perform.self, .init(domain: "", action: action, arguments: [:]))
            }
            #expect(failure?.code == .notSupported)
        }
    }

    @Test("A download cannot resume beyond the document's end")
    func keepsNoMore() async throws {
        let host = try await host()
        let failure = await #expect(throws: Failure.self) {
            _ = try await fetch(host, "greedy", offset: 8, version: "v1", before: "abcdefgh")
        }
        #expect(failure?.code == .invalidArgument)
    }

    @Test("A provider that writes nothing leaves none of the partial content")
    func empties() async throws {
        let (reply, text) = try await fetch(try await host(), "empty", offset: 4, version: "v1", before: "abcd")
        #expect(text.isEmpty)
        #expect(reply.offset == 0)
    }

    @Test("A provider without resumption starts at the beginning")
    func beginsAgain() async throws {
        let host = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let (reply, text) = try await fetch(host, "a", offset: 9, version: "v", before: "abcdefghi")
        #expect(text == "alpha")
        #expect(reply.offset == 0)
        #expect(reply.completedBytes == 5)
    }

    @Test("Create and Modify send progress to callers that accept several replies, also for a running operation")
    func tellsUploads() async throws {
        let host = try await host(["log": "uploads"])
        let created = try await progress(
            host, Interface.Create.self,
            .init(
                domain: "", parent: ".root", name: "new", isFolder: false, content: 0, size: 9, digest: "d",
                operation: "c"))
        #expect(created.map(\.completedBytes) == [1, nil])
        #expect(created.map(\.item?.name) == [nil, "new"])
        let parameters = Interface.Modify.Parameters(
            domain: "", identifier: "a", content: 0, size: 50, digest: "d", operation: "m")
        let other = try await host.secondConnection()
        async let first = progress(host, Interface.Modify.self, parameters)
        async let second = progress(host, Interface.Modify.self, parameters, on: other)
        for replies in try await [first, second] {
            #expect(replies.count > 1)
            #expect(replies.last?.item?.name == "a")
        }
        let plain = try await host.call(Interface.Modify.self, parameters, content: [UInt8](repeating: 0, count: 50))
        #expect(plain.item?.name == "a")
        #expect(FakeRemote.events.withLock { $0["uploads"]?.count { $0 == "modify m" } } == 1)
    }

    private func progress<Method: InterfaceMethod>(
        _ host: ExtensionUnderTest, _ method: Method.Type, _ parameters: Method.Parameters,
        on connection: VarlinkConnection? = nil
    ) async throws -> [Method.Reply] {
        let content = OwnedDescriptor(try Scratch.file([UInt8](repeating: 7, count: 50)))
        var replies: [Method.Reply] = []
        let stream = (connection ?? host.connection).stream(
            Method.name, parameters, Method.Reply.self, descriptors: DescriptorList(content))
        for try await reply in stream { replies.append(reply.value) }
        return replies
    }

    @Test("Move returns the new place; a repeated operation is answered as before; the top folder cannot be moved")
    func moves() async throws {
        let host = try await host(["log": "moves"])
        for _ in 0..<2 {
            let item = try await host.call(
                Interface.Move.self, .init(domain: "", identifier: "a", parent: "p", name: "n", operation: "o")
            ).item
            #expect(item.name == "n")
            #expect(item.parent == "p")
        }
        #expect(FakeRemote.events.withLock { $0["moves"]?.count { $0 == "move" } } == 1)
        let root = await #expect(throws: Failure.self) {
            try await host.call(
                Interface.Move.self, .init(domain: "", identifier: ".root", parent: "p", name: "n", operation: "o2"))
        }
        #expect(root?.code == .invalidArgument)
        let other = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let failure = await #expect(throws: Failure.self) {
            try await other.call(
                Interface.Move.self, .init(domain: "", identifier: "a", parent: ".root", name: "n", operation: "o"))
        }
        #expect(failure?.code == .notSupported)
    }

    @Test("Busy is sent with the time that the service named")
    func tellsBusy() async throws {
        let host = try await host()
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.Item.self, .init(domain: "", identifier: "busy"))
        }
        #expect(failure?.code == .busy)
        #expect(failure?.retryAfter == 2.5)
        #expect(failure?.causes.first?.code == -3005)
    }

    @Test("E1: a thumbnail reference of more than 1,024 bytes is refused with the reason")
    func refusesLongThumbnail() async throws {
        let host = try await host()
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.Item.self, .init(domain: "", identifier: "long thumbnail"))
        }
        #expect(failure?.message.contains("1024") == true)
    }

    @Test(
        "O6: the credential of a sign-in is given again to an instance with changed settings",
        arguments: ["me", "offline"])
    func keepsCredential(username: String) async throws {
        let log = "signs in \(username)"
        let host = try await host(["log": log, "url": "one"])
        func who() async throws -> Wire.ProviderItem {
            try await host.call(Interface.Item.self, .init(domain: "", identifier: "who")).item
        }
        #expect(try await who().thumbnail == nil)
        let parameters = Interface.SignIn.Parameters(
            domain: "", kind: "password", username: username, secret: "s")
        if username == "offline" {
            let failure = await #expect(throws: Failure.self) { try await host.call(Interface.SignIn.self, parameters) }
            #expect(failure?.code == .serverUnreachable)
        } else {
            #expect(try await host.call(Interface.SignIn.self, parameters).displayName == "Account of me")
        }
        try await host.initialize("FileProviderTests.FakeRemote", settings: ["log": log, "url": "two"])
        let item = try await who()
        #expect(item.version == "two")
        #expect(item.thumbnail == username)
        // The old instance is signed out at the same time.
        let deadline = ContinuousClock.now + .seconds(60)
        while FakeRemote.events.withLock({ $0[log]?.contains("signOut") != true }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        let events = FakeRemote.events.withLock { $0[log] ?? [] }
        #expect(events.sorted() == ["init", "init", "signIn \(username)", "signIn \(username)", "signOut"])
        try await host.initialize("FileProviderTests.FakeRemote", settings: ["log": log, "url": "two"])
        #expect(try await who().thumbnail == username)
        #expect(FakeRemote.events.withLock { $0[log]?.count } == events.count)
    }

    @Test("O6, O7: a refused credential is not kept, nor one after signing out, nor an empty one for another")
    func forgetsCredential() async throws {
        let host = try await host(["url": "one"])
        func user(after url: String) async throws -> String? {
            try await host.initialize("FileProviderTests.FakeRemote", settings: ["url": url])
            return try await host.call(Interface.Item.self, .init(domain: "", identifier: "who")).item.thumbnail
        }
        func signIn(_ username: String?) async throws -> String? {
            try await host.call(
                Interface.SignIn.self,
                .init(domain: "", kind: "token", username: username, secret: username.map { _ in "s" })
            ).displayName
        }
        let failure = await #expect(throws: Failure.self) { try await signIn("refused") }
        #expect(failure?.code == .notAuthenticated)
        #expect(try await user(after: "two") == nil)
        _ = try await signIn("me")
        #expect(try await signIn(nil) == "Account of me")
        #expect(try await user(after: "three") == "me")
        _ = try await host.call(Interface.SignOut.self, .init(domain: ""))
        #expect(try await signIn(nil) == nil)
        #expect(try await user(after: "four") == nil)
    }

    @Test("A provider without accounts answers SignIn with NotSupported; a secret is never printed")
    func hasNoAccounts() async throws {
        let host = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.SignIn.self, .init(domain: "", kind: "password", secret: "hush-s3cret5f"))
        }
        #expect(failure?.code == .notSupported)
        let credential = Credential(username: "me", secret: "hush-s3cret5f")
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential) \(String(reflecting: credential)) \(dumped)".contains("s3cret"))
    }
}
