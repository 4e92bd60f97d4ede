import DocentInterfaces

/// What must survive the process: versions, anchors, content, identifiers of folders.
enum RestartCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "restart.versions", level: 4, needs: [.write], abilities: [.restart],
            requirements: [.interface, .keeping, .overwriting],
            "A change based on the version from before the restart succeeds; one based on an older version is refused."
        ) { try await versions($0, kill: false) },
        ValidationCase(
            "restart.versionsAfterKill", level: 5, needs: [.write], abilities: [.kill],
            requirements: [.interface, .keeping, .overwriting],
            "A change based on the version from before a kill succeeds; one based on an older version is refused."
        ) { try await versions($0, kill: true) },
        ValidationCase(
            "restart.content", level: 3, abilities: [.restart], requirements: [.interface, .eviction, .placeholders],
            "A local copy that was removed before the restart is fetched again unchanged."
        ) { try await content($0) },
        ValidationCase(
            "restart.folders", level: 4, needs: [.write, .move], abilities: [.restart],
            requirements: [.interface, .identity, .stableIdentifiers],
            "A renamed and moved folder still has its identifier and all its contents after the restart."
        ) { try await folders($0) },
        ValidationCase(
            "restart.anchor", level: 4, needs: [.changes, .write], abilities: [.restart],
            requirements: [.interface, .news],
            "An anchor from before the restart leads to later changes only, or has expired."
        ) { try await anchor($0, kill: false) },
        ValidationCase(
            "restart.anchorAfterKill", level: 5, needs: [.changes, .write], abilities: [.kill],
            requirements: [.interface, .news, .durability],
            "An anchor from before a kill leads to later changes only, or has expired."
        ) { try await anchor($0, kill: true) },
    ]

    private static func words(_ kill: Bool) -> String {
        "the provider was \(kill ? "killed" : "ended") and started again"
    }

    private static func versions(_ context: CaseContext, kill: Bool) async throws {
        try context.requireKept()
        var file = try await context.makeFile("lasting.bin", count: 900)
        let oldest = file.item.version
        file.content = context.randomBytes(1_100)
        file.item = try await context.modify(file.identifier, base: oldest, content: file.content).item
        guard let oldest, let current = file.item.version else { try context.skip("documents have no versions") }
        try await context.restart(kill: kill)
        let stale = "Modify on a version that was replaced before \(words(kill))"
        do {
            let result = try await context.modify(file.identifier, base: oldest, content: context.randomBytes(700))
            guard let conflict = result.conflict else {
                return context.report(
                    did: stale, expected: "VersionOutOfDate, or a conflict with the previous content",
                    got: "success without a conflict: " + PlainText.item(result.item), requirement: .overwriting)
            }
            return try await context.expectBytes(file.content, of: conflict, after: stale, requirement: .overwriting)
        } catch let problem as CallProblem where problem.code == .versionOutOfDate || problem.isNotAvailable {
            let what = problem.isNotAvailable ? words(kill) : stale + ", which was refused"
            try await context.expectContent(of: file, after: what, requirement: .overwriting)
        }
        let did = "Modify on the version that was reported before \(words(kill))"
        file.content = context.randomBytes(1_300)
        do {
            let result = try await context.modify(file.identifier, base: current, content: file.content)
            context.expect(
                result.conflict == nil, did: did, expected: "no conflict: it was not changed meanwhile",
                got: "the conflict " + PlainText.quoted(result.conflict ?? ""), requirement: .keeping)
        } catch let problem as CallProblem where !problem.isNotAvailable {
            return context.report(
                CallProblem(did: did, kind: problem.kind), expected: "success: it was not changed meanwhile",
                requirement: .keeping)
        }
        try await context.expectContent(of: file, after: did, requirement: .keeping)
    }

    private static func content(_ context: CaseContext) async throws {
        var documents: [ModelFile] = []
        if context.has(.write), context.options.keepsDocuments {
            documents.append(try await context.makeFile("evicted.bin", count: 120_000))
        }
        let shown = try await context.walk(limit: 60).filter {
            !$0.isFolder && $0.symbolicLinkTarget == nil && ($0.size ?? 0) < 4 << 20
        }
        for item in shown.prefix(5) where item.identifier != documents.first?.identifier {
            documents.append(ModelFile(item: item, content: try await context.read(item.identifier)))
        }
        guard !documents.isEmpty else { try context.skip("there is no document") }
        for file in documents {
            // As the host does when it removes its copy. A provider without copies has nothing to do.
            let problem = try await context.problem {
                try await context.call(
                    FileProviderInterface.StopProviding.self,
                    .init(domain: context.domain, identifier: context.real(file.identifier)),
                    "StopProviding of \(PlainText.quoted(file.identifier))")
            }
            if let problem, problem.failure == nil, !problem.isNotAvailable {
                context.report(problem, expected: "an answer", requirement: .eviction)
            }
        }
        try await context.restart()
        for file in documents {
            try await context.expectContent(
                of: file, after: "its local copy was removed and \(words(false))", requirement: .placeholders)
        }
    }

    private static func folders(_ context: CaseContext) async throws {
        try context.requireKept()
        let first = try await context.makeFolder("first place")
        let second = try await context.makeFolder("second place")
        guard context.mayRename(first) else { try context.skip("its folders cannot be renamed") }
        let inner = try await context.makeFolder("inside", in: first.identifier)
        let file = try await context.makeFile("deep.bin", in: inner.identifier, count: 500)
        let moved = try await context.move(first.identifier, to: second.identifier, named: "renamed place")
        try await context.restart()
        let did = "a folder was renamed and moved, and \(words(false))"
        try await context.expectFound(moved, name: "renamed place", in: second.identifier, after: did)
        try await context.expectFound(inner, name: "inside", in: moved.identifier, after: did)
        try await context.expectFound(file.item, name: "deep.bin", in: inner.identifier, after: did)
        try await context.expectContent(of: file, after: did)
    }

    private static func anchor(_ context: CaseContext, kill: Bool) async throws {
        try context.requireKept()
        let old = try await context.makeFile("before.bin", count: 10)
        let anchor = try await ChangesCases.currentAnchor(context)
        let news: ChangesCases.News
        let file: ModelFile
        do {
            try await context.restart(kill: kill)
            file = try await context.makeFile("after.bin", count: 10)
            news = try await ChangesCases.awaited(context, since: anchor, changed: [file.identifier])
        } catch let problem as CallProblem where problem.code == .anchorExpired {
            // Allowed, since the host lists again, but worth knowing for the author.
            return context.note(
                "Its anchors are valid only in its process: the host lists everything again after each start.")
        }
        let did = "Changes since an anchor from before \(words(kill))"
        try await ChangesCases.expect(file.identifier, in: news, context, "Create, when \(words(kill))")
        context.expect(
            news.changed[old.identifier] == nil && !news.deleted.contains(old.identifier), did: did,
            expected: "no report of a document that was created before the anchor and not changed since",
            got: news.changed[old.identifier].map(PlainText.item) ?? "reported as deleted", requirement: .news
        )
    }
}
