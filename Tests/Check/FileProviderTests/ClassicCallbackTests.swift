import DocentInterfaces
import FileProvider
import Foundation
import Synchronization
import Testing
import Varlink

/// The contract of the four callbacks (D7–D10, X11), called as the host does.
@Suite struct ClassicCallbackTests {
    private typealias Interface = FileProviderInterface

    private struct Bench: Sendable {
        let host: ExtensionUnderTest
        let storage: String

        func path(_ name: String) -> String { "\(storage)/\(name)" }
        func calls(_ name: String) -> [String] { FakeClassic.calls(path(name)) }
        func release(_ name: String) { FakeClassic.released.withLock { _ = $0.insert(path(name)) } }

        func until(_ name: String, _ callback: String) async throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while !calls(name).contains(callback) {
                try #require(ContinuousClock.now < deadline, "\(callback) of \(name) never came")
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        /// On its own connection: calls on one connection run one after another.
        func alone<Method: InterfaceMethod>(
            _ method: Method.Type, _ parameters: Method.Parameters
        ) async throws -> Method.Reply {
            try await host.secondConnection().call(method, parameters, deadline: .seconds(60)).value
        }

        func item(_ name: String) async throws -> Wire.ProviderItem {
            try await host.call(Interface.Item.self, .init(domain: "", identifier: name)).item
        }

        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: storage).sorted() }
    }

    private func with(_ body: (Bench) async throws -> Void) async throws {
        try await Scratch.folder { storage in
            let host = try await ExtensionUnderTest("FileProviderTests.FakeClassic", storage: storage)
            try await body(Bench(host: host, storage: storage))
        }
    }

    @Test("D7, D12: a placeholder is created, and nothing else")
    func makesPlaceholder() async throws {
        try await with { bench in
            _ = try await bench.host.call(Interface.ProvidePlaceholder.self, .init(domain: "", identifier: "a"))
            #expect(try bench.names() == [".a.docent-placeholder"])
            #expect(bench.calls("a") == ["placeholder"])
            let item = try await bench.item("a")
            #expect(item.size == 7)
            #expect(bench.calls("a") == ["placeholder"])
        }
    }

    @Test("E4: the provider is asked for a name without file and placeholder before it counts as missing")
    func findsUnlisted() async throws {
        try await with { bench in
            let child = try await bench.host.call(
                Interface.Child.self, .init(domain: "", parent: ".root", name: "a"))
            #expect(child.item.identifier == "a")
            #expect(bench.calls("a") == ["placeholder"])
            let failure = await #expect(throws: Failure.self) {
                try await bench.host.call(Interface.Child.self, .init(domain: "", parent: ".root", name: "nothing"))
            }
            #expect(failure?.code == .noSuchItem)
        }
    }

    @Test("D13, complaint 32: an error of an override reaches the caller with its chain")
    func tellsErrors() async throws {
        try await with { bench in
            let failure = await #expect(throws: Failure.self) {
                try await bench.host.call(Interface.ProvidePlaceholder.self, .init(domain: "", identifier: "fails"))
            }
            #expect(failure?.code == .serverUnreachable)
            #expect(failure?.causes.contains { $0.domain == "org.example.Service" && $0.code == 42 } == true)
        }
    }

    @Test("X11: an override that ends without its result is an error that names it")
    func namesEmptyOverrides() async throws {
        try await with { bench in
            let placeholder = await #expect(throws: Failure.self) {
                try await bench.host.call(Interface.ProvidePlaceholder.self, .init(domain: "", identifier: "nothing"))
            }
            #expect(placeholder?.message.contains("providePlaceholder(at:)") == true)
            let start = await #expect(throws: Failure.self) {
                try await bench.host.call(Interface.Provide.self, .init(domain: "", identifier: "forgets"))
            }
            #expect(start?.message.contains("startProvidingItem(at:)") == true)
        }
    }

    @Test("D8: Provide creates the file and reports progress; a second call starts nothing")
    func provides() async throws {
        try await with { bench in
            var replies: [Interface.Provide.Reply] = []
            let stream = bench.host.connection.stream(
                Interface.Provide.name, Interface.Provide.Parameters(domain: "", identifier: "a"),
                Interface.Provide.Reply.self)
            for try await reply in stream { replies.append(reply.value) }
            #expect(replies.map(\.completedBytes) == [3, 7])
            #expect(replies.last?.item?.isDownloaded == true)
            #expect(replies.last?.item?.size == 7)
            _ = try await bench.host.call(Interface.Provide.self, .init(domain: "", identifier: "a"))
            #expect(bench.calls("a") == ["start", "started"])
        }
    }

    @Test("D8, complaint 22: ten readers cause one start, and none of them sees half a file")
    func startsOnce() async throws {
        try await with { bench in
            _ = try await bench.host.call(Interface.ProvidePlaceholder.self, .init(domain: "", identifier: "held"))
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        if number.isMultiple(of: 2) {
                            try await bench.alone(Interface.Provide.self, .init(domain: "", identifier: "held"))
                                .item?.size
                        } else {
                            try await bench.alone(Interface.OpenInPlace.self, .init(domain: "", identifier: "held"))
                                .item.size
                        }
                    }
                }
                try await bench.until("held", "start")
                let meanwhile = try await bench.item("held")
                #expect(meanwhile.isDownloaded == false)
                #expect(meanwhile.size == 7)
                bench.release("held")
                for try await size in group { #expect(size == 7) }
            }
            #expect(bench.calls("held") == ["placeholder", "start", "started"])
        }
    }

    @Test("D10, complaint 3: stopProviding never comes during a start")
    func stopsAfterStart() async throws {
        try await with { bench in
            async let provided = bench.alone(Interface.Provide.self, .init(domain: "", identifier: "held"))
            try await bench.until("held", "start")
            async let stopped = bench.alone(Interface.StopProviding.self, .init(domain: "", identifier: "held"))
            try await Task.sleep(for: .milliseconds(50))
            bench.release("held")
            _ = try await (provided, stopped)
            #expect(bench.calls("held") == ["start", "started", "stop"])
        }
    }

    @Test("X11: a start that never ends blocks only its own item")
    func hangsAlone() async throws {
        try await with { bench in
            let hanging = Task { try await bench.alone(Interface.Provide.self, .init(domain: "", identifier: "held")) }
            try await bench.until("held", "start")
            let other = try await bench.host.call(Interface.Provide.self, .init(domain: "", identifier: "other"))
            #expect(other.item?.size == 7)
            #expect(try await bench.item("third").size == 7)
            // A reader that waits for the same item can leave.
            let waiting = Task { try await bench.alone(Interface.Provide.self, .init(domain: "", identifier: "held")) }
            try await Task.sleep(for: .milliseconds(50))
            waiting.cancel()
            await #expect(throws: (any Error).self) { _ = try await waiting.value }
            hanging.cancel()
            await #expect(throws: (any Error).self) { _ = try await hanging.value }
            bench.release("held")
            try await bench.until("held", "started")
            #expect(bench.calls("held").count { $0 == "start" } == 1)
        }
    }

    @Test("E7: a stop that removes the file and leaves nothing still gets its placeholder")
    func leavesPlaceholder() async throws {
        try await with { bench in
            for name in ["stays", "vanishes"] {
                _ = try await bench.host.call(Interface.Provide.self, .init(domain: "", identifier: name))
                _ = try await bench.host.call(Interface.StopProviding.self, .init(domain: "", identifier: name))
            }
            #expect(bench.calls("stays") == ["start", "started", "stop"])
            #expect(bench.calls("vanishes") == ["start", "started", "stop", "placeholder"])
            #expect(try bench.names() == [".vanishes.docent-placeholder", "stays"])
        }
    }

    @Test("D9: itemChanged is called one at a time, before a stop, and is not cancelled when the host disconnects")
    func tellsChangesInOrder() async throws {
        try await with { bench in
            try Data("mine".utf8).write(to: URL(filePath: bench.path("held")))
            let connection = try await bench.host.secondConnection()
            let leaving = Task {
                try await connection.call(Interface.ItemChanged.self, .init(domain: "", identifier: "held"))
            }
            try await bench.until("held", "change")
            connection.close()
            await #expect(throws: (any Error).self) { _ = try await leaving.value }
            async let second = bench.alone(Interface.ItemChanged.self, .init(domain: "", identifier: "held"))
            async let stop = bench.alone(Interface.StopProviding.self, .init(domain: "", identifier: "held"))
            // Reading continues meanwhile.
            #expect(try await bench.item("held").size == 4)
            bench.release("held")
            _ = try await (second, stop)
            let calls = bench.calls("held")
            #expect(calls.prefix(2) == ["change", "changed"])
            #expect(calls.sorted() == ["change", "change", "changed", "changed", "stop"])
            #expect(!calls.contains("cancelled"))
        }
    }

    @Test("The calls of the iOS 8 class are not supported by the other kind of provider")
    func belongsToClassic() async throws {
        let host = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.Provide.self, .init(domain: "", identifier: "a"))
        }
        #expect(failure?.code == .notSupported)
    }
}
