import DocentInterfaces

/// Changes since an anchor.
enum ChangesCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "changes.anchor", level: 1, needs: [.changes], requirements: [.interface],
            "Without an anchor, Changes answers only the current anchor, which can then be used."
        ) { try await anchor($0) },
        ValidationCase(
            "changes.told", level: 2, needs: [.changes, .write], requirements: [.interface],
            "Created, changed, moved and deleted items are reported once, in their current state."
        ) { try await told($0) },
        ValidationCase(
            "changes.foreignAnchor", level: 2, needs: [.changes], requirements: [.interface],
            "An invalid anchor is answered with AnchorExpired, so that the host lists everything again."
        ) { try await foreign($0) },
        ValidationCase(
            "changes.many", level: 4, needs: [.changes, .write], patience: 2, requirements: [.interface],
            "Many changes are sent in several replies, and none is lost."
        ) { try await many($0) },
        ValidationCase(
            "changes.afterRestart", level: 4, needs: [.changes, .write], abilities: [.restart],
            requirements: [.interface],
            "An anchor of the previous process is valid or has expired; later changes are not forgotten."
        ) { try await afterRestart($0) },
        ValidationCase(
            "changes.old", level: 10, needs: [.changes, .write], patience: 4, requirements: [.interface],
            "After a thousand changes an old anchor is valid or has expired, and never counts as the newest."
        ) { try await old($0) },
    ]

    /// The changes that all replies since an anchor reported.
    struct News {
        var changed: [String: Wire.ProviderItem] = [:]
        var deleted: Set<String> = []
        var anchor: String
    }

    private static func collect(_ context: CaseContext, since anchor: String) async throws -> News {
        var news = News(anchor: anchor)
        for _ in 0..<5_000 {
            let reply = try await context.changes(since: news.anchor)
            for item in reply.changed {
                news.changed[item.identifier] = item
                news.deleted.remove(item.identifier)
            }
            for identifier in reply.deleted {
                news.deleted.insert(identifier)
                context.expect(
                    news.changed.removeValue(forKey: identifier) == nil
                        || !reply.changed.contains { $0.identifier == identifier },
                    did: "Changes since \(PlainText.quoted(news.anchor, limit: 60))",
                    expected: "an item that changed, or was deleted",
                    got: "\(PlainText.quoted(identifier)), reported as both")
            }
            try context.require(
                !reply.more || !CaseContext.isSame(reply.anchor, news.anchor),
                did: "Changes since \(PlainText.quoted(news.anchor, limit: 60))",
                expected: "another anchor, because there is more", got: "the same anchor, so asking again never ends")
            news.anchor = reply.anchor
            guard reply.more else { return news }
        }
        context.report(
            did: "Changes, repeated while there is more", expected: "an end", got: "more after 5000 replies")
        throw CaseStop.reported
    }

    static func currentAnchor(_ context: CaseContext) async throws -> String {
        let reply = try await context.changes(since: nil)
        context.expect(
            reply.changed.isEmpty && reply.deleted.isEmpty && !reply.more, did: "Changes without an anchor",
            expected: "an anchor, and nothing else",
            got: "\(reply.changed.count) changed, \(reply.deleted.count) deleted, more: \(reply.more)")
        context.expect(
            !reply.anchor.isEmpty && reply.anchor.utf8.count <= 65_536, did: "Changes without an anchor",
            expected: "an anchor that can be kept", got: "one of \(reply.anchor.utf8.count) bytes")
        return reply.anchor
    }

    private static func anchor(_ context: CaseContext) async throws {
        let first = try await currentAnchor(context)
        _ = try await collect(context, since: first)
        _ = try await currentAnchor(context)
    }

    /// Asks for changes until the expected one arrives: services may report late.
    static func awaited(
        _ context: CaseContext, since anchor: String, changed: Set<String> = [], deleted: Set<String> = []
    ) async throws -> News {
        var all = News(anchor: anchor)
        _ = try await context.eventually {
            let news = try await collect(context, since: all.anchor)
            all.changed.merge(news.changed) { $1 }
            all.deleted.subtract(news.changed.keys)
            all.deleted.formUnion(news.deleted)
            for identifier in news.deleted { all.changed[identifier] = nil }
            all.anchor = news.anchor
            return changed.isSubset(of: all.changed.keys) && deleted.isSubset(of: all.deleted)
        }
        return all
    }

    private static func told(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let early = try await context.makeFile("early.bin", in: folder, count: 10)
        let doomed = try await context.makeFile("doomed.bin", in: folder, count: 10)
        var anchor = try await currentAnchor(context)
        let file = try await context.makeFile("told.bin", in: folder, count: 10)
        var news = try await awaited(context, since: anchor, changed: [file.identifier])
        try await expect(file.identifier, in: news, context, "Create")
        anchor = news.anchor
        let version = try await context.modify(early.identifier, base: early.item.version, content: [1, 2, 3]).item
        news = try await awaited(context, since: anchor, changed: [early.identifier])
        try await expect(early.identifier, in: news, context, "Modify")
        context.expect(
            news.changed[early.identifier]?.version == version.version, did: "Changes after Modify",
            expected: PlainText.item(version), got: news.changed[early.identifier].map(PlainText.item) ?? "nothing")
        anchor = news.anchor
        if context.has(.move) {
            _ = try await context.move(file.identifier, to: folder, named: "renamed.bin")
            news = try await awaited(context, since: anchor, changed: [file.identifier])
            try await expect(file.identifier, in: news, context, "Move")
            anchor = news.anchor
        }
        if context.has(.delete) {
            try await context.delete(doomed.identifier)
            news = try await awaited(context, since: anchor, deleted: [doomed.identifier])
            context.expect(
                news.deleted.contains(doomed.identifier), did: "Changes after Delete",
                expected: "\(PlainText.quoted(doomed.identifier)), deleted",
                got: PlainText.names(Array(news.deleted)))
            anchor = news.anchor
        }
        // A service may report its last changes twice, but not forever.
        let isQuiet = try await context.eventually {
            let again = try await collect(context, since: anchor)
            anchor = again.anchor
            return again.changed[file.identifier] == nil && !again.deleted.contains(doomed.identifier)
        }
        context.expect(
            isQuiet, did: "Changes since the newest anchor, repeatedly", expected: "no change that was reported before",
            got: "the same items every time")
    }

    static func expect(
        _ identifier: String, in news: News, _ context: CaseContext, _ what: String
    ) async throws {
        let now = try await context.item(identifier)
        let told = news.changed[identifier]
        context.expect(
            told.map { CaseContext.isSame($0.name, now.name) && $0.parent == now.parent && $0.version == now.version }
                ?? false,
            did: "Changes after \(what)", expected: PlainText.item(now),
            got: told.map(PlainText.item) ?? "no report of it")
        for phantom in news.deleted.sorted().prefix(20) {
            let there = try? await context.item(phantom)
            context.expect(
                there == nil, did: "Changes after \(what)", expected: "only missing items reported as deleted",
                got: there.map(PlainText.item) ?? "")
        }
    }

    private static func foreign(_ context: CaseContext) async throws {
        let anchors = ["nobody-gave-this", "", "0", String(repeating: "x", count: 400), "🜁\u{0}\n"]
        for anchor in anchors {
            try await context.expectRefusal(
                [.anchorExpired, .invalidArgument],
                did: "Changes since \(PlainText.quoted(anchor, limit: 40)), an invalid anchor"
            ) {
                try await context.changes(since: anchor)
            }
        }
        _ = try await currentAnchor(context)
    }

    private static func many(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let anchor = try await currentAnchor(context)
        var made: Set<String> = []
        for number in 1...45 {
            made.insert(try await context.create("many-\(number).txt", in: folder, content: [UInt8(number)]).identifier)
        }
        let news: News
        do {
            news = try await awaited(context, since: anchor, changed: made)
        } catch let problem as CallProblem where problem.code == .anchorExpired {
            // So few changes are remembered: allowed, since the host lists again.
            context.note("The anchor expired after 45 changes.")
            return
        }
        let lost = made.subtracting(news.changed.keys)
        context.expect(
            lost.isEmpty, did: "Changes after 45 calls of Create", expected: "all 45 items",
            got: "all but \(lost.count): \(PlainText.names(lost.sorted()))")
    }

    private static func afterRestart(_ context: CaseContext) async throws {
        try context.requireKept()
        let anchor = try await currentAnchor(context)
        let file = try await context.makeFile("between.bin", count: 10)
        try await context.restart()
        do {
            let news = try await awaited(context, since: anchor, changed: [file.identifier])
            try await expect(file.identifier, in: news, context, "Create and a restart")
        } catch let problem as CallProblem where problem.code == .anchorExpired {
            return
        }
    }

    private static func old(_ context: CaseContext) async throws {
        let anchor = try await currentAnchor(context)
        let file = try await context.makeFile("old.bin", count: 10)
        var version = file.item.version
        let other = try await context.makeFile("busy.bin", count: 10)
        version = other.item.version
        for number in 0..<1_000 {
            version = try await context.modify(
                other.identifier, base: version, content: [UInt8(truncatingIfNeeded: number)]
            ).item.version
        }
        do {
            let news = try await awaited(context, since: anchor, changed: [file.identifier, other.identifier])
            try await expect(file.identifier, in: news, context, "a thousand changes")
        } catch let problem as CallProblem where problem.code == .anchorExpired {
            return
        }
    }
}
