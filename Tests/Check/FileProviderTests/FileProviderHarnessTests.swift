import DocentInterfaces
import DocentTestSupport
import FileProvider
import Glibc
import Testing
import Varlink

@Suite(.mayBlock) struct FileProviderHarnessTests {
    @Test(
        "A8, A10: the principal class is found by its name, nested or not",
        arguments: [
            "FileProviderTests.FakeProvider", "FileProviderTests.FakeProvider.Nested.Inner",
            "FileProviderTests.FakeExtension",
        ])
    func findsPrincipalClass(name: String) async throws {
        let provider = try ExtensionUnderTest()
        try await provider.initialize(name)
    }

    @Test(
        "A8: a principal class that is missing or not a provider is refused by its name",
        arguments: [
            "FileProviderTests.Missing", "FileProviderTests.FakeNothing", "Nowhere", "..", "A.B.C.D.E.F",
            "FileProviderTests.FakePicker",
        ])
    func refusesPrincipalClass(name: String) async throws {
        let provider = try ExtensionUnderTest()
        let failure = await #expect(throws: Failure.self) { try await provider.initialize(name) }
        #expect(failure?.code == .invalidArgument)
        #expect(failure?.message.contains(name) == true)
    }

    @Test("Initialize returns the features")
    func tellsFeatures() async throws {
        let provider = try ExtensionUnderTest()
        #expect(try await provider.initialize("FileProviderTests.FakeProvider") == ["write", "delete"])
        #expect(try await provider.initialize("FileProviderTests.FakeExtension") == ["inPlace", "write", "classic"])
    }

    @Test("Domains: each has its own instance; an unknown domain, and one that cannot start, are errors of the call")
    func keepsDomainsApart() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider", domains: ["", "work", "broken"])
        for domain in ["", "work"] {
            let item = try await provider.call(
                FileProviderInterface.Item.self, .init(domain: domain, identifier: "domain"))
            #expect(item.item.name == domain)
        }
        for (domain, code) in [("other", FailureCode.invalidArgument), ("broken", .notAuthenticated)] {
            let failure = await #expect(throws: Failure.self) {
                try await provider.call(FileProviderInterface.Item.self, .init(domain: domain, identifier: "a"))
            }
            #expect(failure?.code == code)
        }
    }

    @Test(
        "D13, complaint 32: an error is sent with its domain, number, text and chain; an unknown one never traps",
        arguments: [
            ("strange", FailureCode.failed, "FileProviderTests.FakeProvider.StrangeError", 1),
            ("posix", .insufficientQuota, "NSPOSIXErrorDomain", Int(ENOSPC)),
            ("cocoa", .noSuchItem, "NSCocoaErrorDomain", 4),
            ("unknown code", .failed, "NSFileProviderErrorDomain", -4711),
            ("chain", .serverUnreachable, "NSPOSIXErrorDomain", Int(ETIMEDOUT)),
            ("missing", .noSuchItem, "NSFileProviderErrorDomain", -1005),
        ])
    func carriesErrors(identifier: String, code: FailureCode, domain: String, number: Int) async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let failure = await #expect(throws: Failure.self) {
            try await provider.call(FileProviderInterface.Item.self, .init(domain: "", identifier: identifier))
        }
        #expect(failure?.code == code)
        #expect(
            failure?.causes.contains { $0.domain == domain && $0.code == number } == true,
            "\(String(describing: failure))")
    }

    @Test("X11: a call that never ends affects only itself")
    func hangsAlone() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let second = try await provider.secondConnection()
        let hanging = Task {
            try await second.call(FileProviderInterface.Item.self, .init(domain: "", identifier: "for ever"))
        }
        let item = try await provider.call(FileProviderInterface.Item.self, .init(domain: "", identifier: "a"))
        #expect(item.item.name == "a")
        hanging.cancel()
        await #expect(throws: Failure.self) { _ = try await hanging.value }
    }

    @Test("A version of more than 128 bytes is refused with the reason")
    func refusesLongVersion() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let failure = await #expect(throws: Failure.self) {
            try await provider.call(FileProviderInterface.Item.self, .init(domain: "", identifier: "long version"))
        }
        #expect(failure?.message.contains("128") == true)
    }

    @Test("2.3: a link is sent with its target and its type; one that leads to itself, or is a folder, is refused")
    func links() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let item = try await provider.call(FileProviderInterface.Item.self, .init(domain: "", identifier: "link")).item
        #expect(item.symbolicLinkTarget == "a" && item.contentType == "public.symlink" && !item.isFolder)
        for identifier in ["link to itself", "link that is a folder"] {
            let failure = await #expect(throws: Failure.self) {
                try await provider.call(FileProviderInterface.Item.self, .init(domain: "", identifier: identifier))
            }
            #expect(failure?.message.contains("link") == true)
        }
    }

    @Test("T4: a page that is too large for a message is split, and nothing is lost or duplicated")
    func cutsLargePages() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        var identifiers: [String] = []
        var page: String?
        repeat {
            let reply = try await provider.call(
                FileProviderInterface.Children.self, .init(domain: "", parent: "huge", page: page))
            identifiers += reply.items.map(\.identifier)
            page = reply.nextPage
        } while page != nil
        #expect(identifiers.count == 8_000)
        #expect(Set(identifiers).count == 8_000)
    }

    @Test("Child searches the pages unless the provider implements it")
    func findsChild() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let found = try await provider.call(
            FileProviderInterface.Child.self, .init(domain: "", parent: ".root", name: "a"))
        #expect(found.item.identifier == "a")
        let failure = await #expect(throws: Failure.self) {
            try await provider.call(FileProviderInterface.Child.self, .init(domain: "", parent: ".root", name: "b"))
        }
        #expect(failure?.code == .noSuchItem)
    }

    @Test("D8, complaint 2: Fetch reports progress, writes the content and ends with the item")
    func fetches() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let file = try Scratch.file([])
        defer { close(file) }
        var replies: [FileProviderInterface.Fetch.Reply] = []
        let stream = provider.connection.stream(
            FileProviderInterface.Fetch.name,
            FileProviderInterface.Fetch.Parameters(domain: "", identifier: "a", destination: 0),
            FileProviderInterface.Fetch.Reply.self, descriptors: DescriptorList(OwnedDescriptor(dup(file))))
        for try await reply in stream { replies.append(reply.value) }
        #expect(replies.count == 2)
        #expect(replies.first?.totalBytes == 5)
        #expect(replies.last?.item?.name == "a")
        #expect(replies.last?.completedBytes == 5)
        #expect(Scratch.contents(file) == Array("alpha".utf8))
    }

    @Test("Fetch without `more` answers once")
    func fetchesWithoutProgress() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let file = try Scratch.file([])
        defer { close(file) }
        let reply = try await provider.connection.call(
            FileProviderInterface.Fetch.self, .init(domain: "", identifier: "a", destination: 0),
            descriptors: DescriptorList(OwnedDescriptor(dup(file))))
        #expect(reply.value.item?.name == "a")
        #expect(Scratch.contents(file) == Array("alpha".utf8))
        let failure = await #expect(throws: Failure.self) {
            _ = try await provider.connection.call(
                FileProviderInterface.Fetch.self, .init(domain: "", identifier: "missing", destination: 0),
                descriptors: DescriptorList(OwnedDescriptor(dup(file))))
        }
        #expect(failure?.code == .noSuchItem)
    }

    @Test("Create never replaces, and a repeated operation is answered as before")
    func createsOnce() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        func create(_ operation: String) async throws -> FileProviderInterface.Create.Reply {
            try await provider.call(
                FileProviderInterface.Create.self,
                .init(
                    domain: "", parent: ".root", name: "new", isFolder: false, content: 0, size: 3, digest: "d",
                    operation: operation), content: Array("new".utf8))
        }
        let first = try await create("one")
        #expect(try await create("one") == first)
        let failure = await #expect(throws: Failure.self) { _ = try await create("two") }
        #expect(failure?.code == .collision)
    }

    @Test("Modify: the same operation and digest run once; a failure is forgotten; another digest is another change")
    func modifiesOnce() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        func modify(_ operation: String, digest: String) async throws -> String {
            try await provider.call(
                FileProviderInterface.Modify.self,
                .init(domain: "", identifier: "a", content: 0, size: 3, digest: digest, operation: operation),
                content: Array("new".utf8)
            ).item?.name ?? ""
        }
        await #expect(throws: Failure.self) { try await modify("fails once", digest: "1") }
        #expect(try await modify("fails once", digest: "1") == "change 2")
        #expect(try await modify("fails once", digest: "1") == "change 2")
        #expect(try await modify("fails once", digest: "2") == "change 3")
    }

    @Test("F1: content that is no regular file, or shorter than announced, is refused")
    func refusesStrangeContent() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[1])
        for (descriptor, size) in [(ends[0], 0), (try Scratch.file([1, 2]), 3)] {
            let failure = await #expect(throws: Failure.self) {
                _ = try await provider.connection.call(
                    FileProviderInterface.Modify.self,
                    .init(domain: "", identifier: "a", content: 0, size: size, digest: "d", operation: "o"),
                    descriptors: DescriptorList(OwnedDescriptor(descriptor)))
            }
            #expect(failure?.code == .invalidArgument)
        }
    }

    @Test("Events: events from before the first listener are delivered, as sets")
    func tellsNews() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        for _ in 0..<3 {
            _ = try? await provider.call(FileProviderInterface.Item.self, .init(domain: "", identifier: "signal"))
        }
        var kinds: [String: Set<String>] = [:]
        let stream = provider.connection.stream(
            FileProviderInterface.Events.name, FileProviderInterface.Events.Parameters(),
            FileProviderInterface.Events.Reply.self)
        for try await reply in stream {
            kinds[reply.value.kind, default: []].formUnion(reply.value.identifiers)
            if kinds.count == 3 { break }
        }
        #expect(kinds["changed"] == ["a", ".root"])
        #expect(kinds["deleted"] == ["b"])
        #expect(kinds["log"] == [])
    }

    @Test("The server ends when the host closes the socket")
    func endsWithHost() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        provider.connection.close()
        provider.server.wait()
    }

    @Test("A call that the provider does not support is answered with NotSupported")
    func answersNotSupported() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeProvider.Nested.Inner")
        for attempt in 0..<3 {
            let failure = await #expect(throws: Failure.self) {
                switch attempt {
                case 0:
                    _ = try await provider.call(
                        FileProviderInterface.OpenInPlace.self, .init(domain: "", identifier: "a"))
                case 1: _ = try await provider.call(FileProviderInterface.Changes.self, .init(domain: ""))
                default:
                    _ = try await provider.call(
                        FileProviderInterface.URLForItem.self, .init(domain: "", identifier: "a"))
                }
            }
            #expect(failure?.code == .notSupported)
        }
    }
}
