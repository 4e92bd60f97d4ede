import DocentInterfaces
import Synchronization

/// Unrequested events, and observing.
enum EventsCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "events.own", level: 3, needs: [.write], requirements: [.interface, .news],
            "Events name items of the domain, never report existing items as deleted, and are not excessive."
        ) { try await own($0) },
        ValidationCase(
            "events.listeners", level: 4, requirements: [.interface],
            "Events can be requested again after the listener has gone."
        ) { try await listeners($0) },
        ValidationCase(
            "observe.items", level: 2, requirements: [.interface, .news],
            "Observing can start and end, even twice, or is not supported; missing items cause no problem."
        ) { try await observe($0) },
    ]

    private struct Heard {
        var changed: Set<String> = []
        var deleted: Set<String> = []
        var kinds: Set<String> = []
        var identifiers = 0
        var domains: Set<String> = []
    }

    private static func own(_ context: CaseContext) async throws {
        let folder = try await context.workFolder()
        let heard = Mutex(Heard())
        let session = try context.session
        let listening = Task {
            try await session.listen(
                FileProviderInterface.Events.self, .init(), did: "Events", patience: .milliseconds(600)
            ) { event in
                heard.withLock { heard in
                    heard.kinds.insert(event.kind)
                    heard.domains.insert(event.domain)
                    heard.identifiers += event.identifiers.count
                    guard heard.identifiers <= 100_000 else { return }
                    if event.kind == "changed" { heard.changed.formUnion(event.identifiers) }
                    if event.kind == "deleted" { heard.deleted.formUnion(event.identifiers) }
                }
                return heard.withLock { $0.identifiers <= 100_000 }
            }
        }
        var known: Set<String> = [CaseContext.root, folder.identifier, folder.parent]
        for number in 0..<3 {
            let file = try await context.makeFile("heard-\(number).bin", count: 100)
            known.insert(file.identifier)
            _ = try await context.modify(file.identifier, base: file.item.version, content: context.randomBytes(50))
        }
        try await Self.skipIfMissing(context) { _ = try await listening.value }
        let result = heard.withLock { $0 }
        let did = "Listening to Events during six changes"
        context.expect(
            result.kinds.isSubset(of: ["changed", "deleted", "resync", "log"]), did: did,
            expected: "events of the kinds changed, deleted, resync and log",
            got: PlainText.names(result.kinds.sorted()))
        context.expect(
            result.domains.isSubset(of: [context.domain]), did: did, expected: "events of the domain that is in use",
            got: PlainText.names(result.domains.sorted()))
        for identifier in result.deleted.sorted().prefix(20) {
            let there = try? await context.item(identifier)
            context.expect(
                there == nil, did: did, expected: "only missing items reported as deleted",
                got: there.map(PlainText.item) ?? "", requirement: .errors)
        }
        var strangers: [String] = []
        for identifier in result.changed.subtracting(known).sorted().prefix(40) {
            let problem = try await context.problem { try await context.item(identifier) }
            if problem?.code == .noSuchItem { strangers.append(identifier) }
        }
        // These may include a provider's temporary file, and items that other runs on the same account create and
        // remove.
        let isAlone = strangers.count <= 12 ? true : try await !context.hasCompany()
        context.expect(
            strangers.count <= 12 || !isAlone, did: did, expected: "events about existing items",
            got: "\(strangers.count) about missing items, such as \(PlainText.names(strangers))")
    }

    private static func listeners(_ context: CaseContext) async throws {
        for number in 1...3 {
            try await Self.skipIfMissing(context) {
                _ = try await context.session.listen(
                    FileProviderInterface.Events.self, .init(), did: "Events, listener \(number)",
                    patience: .milliseconds(60)
                ) { _ in false }
            }
        }
        _ = try await context.item(CaseContext.root)
    }

    // A provider that does not notice changes by itself need not have Events.
    private static func skipIfMissing(_ context: CaseContext, _ listen: () async throws -> Void) async throws {
        do {
            try await listen()
        } catch let problem as CallProblem {
            guard problem.code == .notSupported else { throw problem }
            try context.skip("the provider does not report events (Events)")
        }
    }

    private static func observe(_ context: CaseContext) async throws {
        for (identifier, observing) in [
            (CaseContext.root, true), (CaseContext.root, true), (CaseContext.root, false), (CaseContext.root, false),
        ] {
            let problem = try await context.problem { try await context.observe(identifier, observing) }
            if let problem, problem.code != .notSupported {
                context.report(problem, expected: "success, or NotSupported")
            }
        }
        let unknown = "no-such-item-" + context.random { $0.word(12) }
        let problem = try await context.problem { try await context.observe(unknown, true) }
        if let problem, ![.notSupported, .noSuchItem].contains(problem.code) {
            context.report(problem, expected: "NoSuchItem, NotSupported, or success")
        }
        _ = try await context.item(CaseContext.root)
    }
}
