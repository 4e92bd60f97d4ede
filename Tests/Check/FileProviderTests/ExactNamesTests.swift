import DocentInterfaces
import FileProvider
import FoundationEssentials
import Testing
import Varlink

@Suite struct ExactNamesTests {
    private typealias Interface = FileProviderInterface

    private func host() async throws -> ExtensionUnderTest {
        try await ExtensionUnderTest("FileProviderTests.FakeNames")
    }

    @Test("identifiers, versions and texts are compared byte by byte everywhere, also as keys")
    func comparesBytes() {
        let (first, second) = (ItemIdentifier(FakeNames.composed), ItemIdentifier(FakeNames.decomposed))
        // The premise of the test: the strings count as equal.
        #expect(first.rawValue == second.rawValue)
        #expect(first != second)
        #expect(!(first == second))
        #expect(Optional(first) != Optional(second))
        #expect(Set([first, second, first]).count == 2)
        #expect([first: 1, second: 2][second] == 2)
        let versions = [ItemVersion(content: FakeNames.composed), ItemVersion(content: FakeNames.decomposed)]
        #expect(versions[0] != versions[1])
        #expect(Set(versions).count == 2)
        let texts = [ExactText(FakeNames.composed), ExactText(FakeNames.decomposed)]
        #expect(texts[0] != texts[1])
        // U+00E9 begins with byte C3, the letter e is 65.
        #expect(texts[1] < texts[0])
        #expect(Set(texts + texts).count == 2)
    }

    @Test(
        "Child finds the name with exactly these bytes, not one that looks the same",
        arguments: [FakeNames.composed, FakeNames.decomposed])
    func findsExactName(name: String) async throws {
        let reply = try await host().call(Interface.Child.self, .init(domain: "", parent: ".root", name: name))
        #expect(Array(reply.item.identifier.utf8) == Array(name.utf8))
        let failure = await #expect(throws: Failure.self) {
            try await host().call(
                Interface.Child.self, .init(domain: "", parent: ".root", name: name.uppercased()))
        }
        #expect(failure?.code == .noSuchItem)
    }

    @Test("events for two items whose identifiers look the same are events for two items")
    func tellsBoth() async throws {
        let provider = try await host()
        let events = try await provider.secondConnection()
        _ = try await provider.call(Interface.Item.self, .init(domain: "", identifier: "signal"))
        var told: [String: Set<ExactText>] = [:]
        let stream = events.stream(Interface.Events.name, Interface.Events.Parameters(), Interface.Events.Reply.self)
        for try await reply in stream {
            told[reply.value.kind, default: []].formUnion(reply.value.identifiers.map(ExactText.init))
            if told["changed"] != nil, told["deleted"] != nil { break }
        }
        #expect(told["changed"] == [ExactText(FakeNames.composed)])
        #expect(told["deleted"] == [ExactText(FakeNames.decomposed)])
    }

    @Test(
        "an invalid name is refused for every provider, before the provider is called",
        arguments: [
            "", ".", "..", "a/b", "/", "/\u{301}", "a\u{0}b", String(repeating: "n", count: 256),
            String(repeating: "\u{E9}", count: 128),
        ])
    func refusesNames(name: String) async throws {
        let provider = try await host()
        var codes: [FailureCode?] = []
        codes.append(
            await #expect(throws: Failure.self) {
                try await provider.call(
                    Interface.Create.self,
                    .init(domain: "", parent: ".root", name: name, isFolder: true, operation: UUID().uuidString))
            }?.code)
        codes.append(
            await #expect(throws: Failure.self) {
                try await provider.call(
                    Interface.Create.self,
                    .init(
                        domain: "", parent: ".root", name: name, isFolder: false, content: 0, size: 1, digest: "d",
                        operation: UUID().uuidString), content: [1])
            }?.code)
        codes.append(
            await #expect(throws: Failure.self) {
                try await provider.call(
                    Interface.Move.self,
                    .init(
                        domain: "", identifier: "a", parent: ".root", name: name, operation: UUID().uuidString))
            }?.code)
        codes.append(
            await #expect(throws: Failure.self) {
                try await provider.call(
                    Interface.BeginPackage.self,
                    .init(
                        domain: "", parent: ".root", name: name, elements: [], digest: "d",
                        operation: UUID().uuidString))
            }?.code)
        #expect(codes == Array(repeating: .invalidArgument, count: 4))
    }

    @Test(
        "every other name reaches the provider unchanged",
        arguments: [
            "...", " ", ". ", "a\\b", "-", "\u{301}", "\n", "con", "a:b", String(repeating: "n", count: 255),
            FakeNames.composed, FakeNames.decomposed,
        ])
    func passesNames(name: String) async throws {
        let provider = try await host()
        let created = try await provider.call(
            Interface.Create.self,
            .init(domain: "", parent: ".root", name: name, isFolder: true, operation: UUID().uuidString))
        let moved = try await provider.call(
            Interface.Move.self,
            .init(domain: "", identifier: "a", parent: ".root", name: name, operation: UUID().uuidString))
        #expect(Array((created.item?.name ?? "").utf8) == Array(name.utf8))
        #expect(Array(moved.item.name.utf8) == Array(name.utf8))
    }

    @Test("content for one path of a package does not count for a path that looks the same")
    func keepsPathsApart() async throws {
        let provider = try await host()
        let begin = Interface.BeginPackage.Parameters(
            domain: "", parent: ".root", name: "p",
            elements: [FakeNames.composed, FakeNames.decomposed].map {
                Wire.PackagePart(path: $0, isFolder: false, size: 1, digest: "d")
            }, digest: "d", operation: "paths")
        _ = try await provider.call(Interface.BeginPackage.self, begin)
        _ = try await provider.call(
            Interface.StageElement.self,
            .init(operation: "paths", path: FakeNames.composed, content: 0, size: 1, digest: "d"),
            content: [1])
        let needed = try await provider.call(Interface.BeginPackage.self, begin).needed
        #expect(needed.map(ExactText.init) == [ExactText(FakeNames.decomposed)])
    }
}
