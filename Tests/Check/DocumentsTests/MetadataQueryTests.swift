import DocentInterfaces
import Synchronization
import Testing
import Varlink

@testable import Documents

/// Queries of the SDK (K1, K2, K11), on a daemon that the test plays.
@Suite struct MetadataQueryTests {
    private typealias Find = DocumentsInterface.Find

    private static func item(_ identifier: String, _ name: String, size: Int? = nil) -> Wire.Item {
        Wire.Item(
            reference: .init(provider: "p", domain: "", identifier: identifier), name: name,
            contentType: "public.data", size: size, isFolder: false, isDownloaded: false, isUploaded: true)
    }

    private static func reply(
        _ state: String, _ items: [Wire.Item], gone: [String] = [], gaps: [Wire.SearchGap]? = nil
    ) -> Find.Reply {
        .init(
            state: state, items: items, ranks: items.indices.map { 1 - Double($0) / 10 },
            gone: gone.isEmpty ? nil : gone.map { .init(provider: "p", domain: "", identifier: $0) }, gaps: gaps)
    }

    @Test("K2: a predicate is text in the query language, whatever it contains")
    func predicates() {
        let predicate = MetadataPredicate.words("a \"b") && .name(contains: "c\\d") && !.type("public.image")
        #expect(predicate.queryText == #""a" "\"b" name:"c\\d" -type:"public.image""#)
        #expect((!(!predicate)) == predicate)
        #expect(MetadataPredicate.any.queryText.isEmpty)
        #expect((MetadataPredicate.state(.cloud) && .size(atLeast: -5)).queryText == "state:cloud larger:0")
        #expect(MetadataPredicate.query("x y").queryText == "x y")
    }

    @Test(
        "K2: moments are written in UTC",
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"), (1_709_210_096, "2024-02-29T12:34:56Z"), (-1, "1969-12-31T23:59:59Z"),
            (0.2, "1970-01-01T00:00:01Z"), (1e300, "9999-12-31T23:59:59Z"), (-1e300, "0001-01-01T00:00:00Z"),
            (.nan, "1970-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func moments(moment: Double, text: String) { #expect(MomentFormat.text(moment) == text) }

    @Test("K2: results are gathered in pages, ordered, and keep their order while something changes")
    func order() {
        var results = MetadataResults([.init(.name), .relevance])
        results.beginGathering()
        #expect(results.take(Self.reply("found", [Self.item("1", "b"), Self.item("2", "a")])) == .gathering(count: 2))
        #expect(results.shown.map(\.item.name) == ["a", "b"] && results.isGathering)
        #expect(results.take(Self.reply("gathered", [Self.item("3", "A")])) == .gathered(gaps: [], isCut: false))
        #expect(results.shown.map(\.item.reference.identifier) == ["3", "2", "1"] && !results.isGathering)
        let reference = { DocumentReference(provider: "p", identifier: $0) }
        #expect(
            results.take(Self.reply("changed", [Self.item("4", "c"), Self.item("1", "z")], gone: ["2"]))
                == .changed(added: [reference("4")], changed: [reference("1")], removed: [reference("2")]))
        #expect(results.shown.map(\.item.name) == ["A", "c", "z"])
    }

    @Test("K11: while updates are disabled nothing moves; what has changed is shown afterwards, once")
    func disabled() {
        var results = MetadataResults([.init(.name)])
        results.beginGathering()
        _ = results.take(Self.reply("gathered", [Self.item("1", "a"), Self.item("2", "b")]))
        results.disable()
        results.disable()
        #expect(results.take(Self.reply("changed", [Self.item("3", "0")], gone: ["1"])) == nil)
        #expect(results.take(Self.reply("changed", [Self.item("4", "x")])) == nil)
        #expect(results.take(Self.reply("changed", [], gone: ["4"])) == nil)
        #expect(results.shown.map(\.item.name) == ["a", "b"])
        #expect(results.enable() == nil && results.shown.count == 2)
        let reference = { DocumentReference(provider: "p", identifier: $0) }
        #expect(results.enable() == .changed(added: [reference("3")], changed: [], removed: [reference("1")]))
        #expect(results.shown.map(\.item.name) == ["0", "b"])
        #expect(results.enable() == nil)
        // A search that begins again does not show an empty list in between.
        results.beginGathering()
        _ = results.take(Self.reply("found", [Self.item("9", "n")]))
        #expect(results.shown.count == 2)
        _ = results.take(Self.reply("gathered", []))
        #expect(results.shown.map(\.item.name) == ["n"])
    }

    @Test("K1, K11: a query sends its scopes, follows changes, and begins again when the daemon has died")
    func follows() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.stream(Find.shortName, Find.Parameters.self) {
                [unowned daemon] (parameters, _, sink: ReplySink<Find.Reply>) in
                daemon.note("\(parameters.query) \(parameters.folders?.count ?? 0) \(parameters.grantedTo ?? "-")")
                if daemon.life == 1 {
                    try await sink.send(Reply(Self.reply("gathered", [Self.item("1", "one", size: 5)])))
                    try daemon.die()
                }
                let gap = Wire.SearchGap(provider: "q", domain: "w", kind: "listing", progress: 0.4, message: "40 %")
                try await sink.send(
                    Reply(Self.reply("gathered", [Self.item("2", "two"), Self.item("1", "one")], gaps: [gap])))
                try await sink.send(Reply(Self.reply("changed", [Self.item("3", "three")])))
                try await Task.sleep(for: .seconds(3600))
                return Reply(Self.reply("gathered", []))
            }
        }
        let query = MetadataQuery(
            client: daemon.client(), predicate: .words("plan"),
            scopes: [.folder(DocumentReference(provider: "p", identifier: "f")), .granted(client: "org.example.a")])
        query.start()
        query.start()
        var updates: [MetadataUpdate] = []
        for await update in query.updates {
            updates.append(update)
            if case .changed = update { break }
        }
        #expect(updates.contains { if case .interrupted = $0 { true } else { false } })
        #expect(query.count == 3 && query.gaps.map(\.reason) == [.listing] && !query.isGathering)
        #expect(query.result(at: 3) == nil && query.result(at: -1) == nil)
        let second = try #require(query.result(at: 1))
        #expect(query.index(of: second.item.reference) == 1)
        #expect(query.valueList(of: .contentType) == [MetadataValueCount(value: "public.data", count: 3)])
        query.stop()
        #expect(daemon.log == Array(repeating: "\"plan\" 1 org.example.a", count: 2))
    }

    @Test("K2: a query that the daemon refuses fails once")
    func refused() async throws {
        let daemon = try FakeDaemon { table, _ in
            table.stream(Find.shortName, Find.Parameters.self) { (_, _, _: ReplySink<Find.Reply>) in
                throw Failure(.invalidArgument, "It cannot be understood.")
            }
        }
        let query = MetadataQuery(client: daemon.client(), predicate: .query("newer:never"))
        query.start()
        var updates: [MetadataUpdate] = []
        for await update in query.updates { updates.append(update) }
        guard case .failed(let error) = updates.last else {
            Issue.record("\(updates)")
            return
        }
        #expect(error.code == .invalidArgument && updates.count == 1)
    }
}
