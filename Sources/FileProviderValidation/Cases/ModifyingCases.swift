import DocentInterfaces

/// Changed content.
enum ModifyingCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "modifying.content", level: 1, needs: [.write], requirements: [.interface, .wholeContent],
            "New content replaces the old as a whole; the identifier stays the same, and the version changes."
        ) { try await content($0) },
        ValidationCase(
            "modifying.staleBase", level: 1, needs: [.write], requirements: [.interface, .overwriting],
            "A change with an outdated base is refused, or the current content is kept beside it; nothing is lost."
        ) { try await staleBase($0) },
        ValidationCase(
            "modifying.withoutBase", level: 2, needs: [.write], requirements: [.interface],
            "A change without a base replaces the current content."
        ) { try await withoutBase($0) },
        ValidationCase(
            "modifying.unknown", level: 2, needs: [.write], requirements: [.interface, .errors],
            "A missing document cannot be changed, and a deleted one does not come back."
        ) { try await unknown($0) },
        ValidationCase(
            "modifying.repeated", level: 3, needs: [.write], requirements: [.interface, .repeating],
            "A repeated operation is answered as before and overwrites nothing."
        ) { try await repeated($0, restarts: false) },
        ValidationCase(
            "modifying.repeatedAfterRestart", level: 4, needs: [.write], abilities: [.restart],
            requirements: [.interface, .repeating],
            "An operation that is repeated in the next process overwrites nothing."
        ) { try await repeated($0, restarts: true) },
    ]

    private static func content(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        var file = try await context.makeFile("changing.bin", in: folder, count: 1_000)
        for count in [200_000, 10, 0, 70_001] {
            let before = file.item
            file.content = context.randomBytes(count)
            let result = try await context.modify(file.identifier, base: before.version, content: file.content)
            let what = "Modify with \(count) bytes"
            context.expect(
                result.conflict == nil, did: what + " on the current version", expected: "no conflict",
                got: "the conflict \(PlainText.quoted(result.conflict ?? ""))")
            context.expect(
                CaseContext.isSame(result.item.identifier, before.identifier), did: what,
                expected: "the identifier \(PlainText.quoted(before.identifier))", got: PlainText.item(result.item),
                requirement: .identity)
            context.expect(
                before.version == nil || result.item.version != before.version, did: what,
                expected: "another version than \(PlainText.quoted(before.version ?? ""))",
                got: PlainText.item(result.item), requirement: .interface)
            file.item = result.item
            try await context.expectFound(file.item, name: "changing.bin", in: folder, after: what)
            try await context.expectContent(of: file, after: what)
            let alone = try await context.item(file.identifier)
            context.expect(
                alone.version == result.item.version && (alone.size == nil || alone.size == count),
                did: "Item after \(what)", expected: PlainText.item(result.item), got: PlainText.item(alone))
        }
    }

    private static func staleBase(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("both.bin", in: folder, count: 1_000)
        guard let base = file.item.version else { try context.skip("documents have no versions") }
        let theirs = context.randomBytes(1_500)
        let ours = context.randomBytes(1_700)
        let second = try await context.modify(file.identifier, base: base, content: theirs)
        let did = "Modify of a document based on a version that another change has replaced"
        do {
            let result = try await context.modify(file.identifier, base: base, content: ours)
            guard let conflict = result.conflict else {
                context.report(
                    did: did, expected: "VersionOutOfDate, or a conflict with the previous content",
                    got: "success without a conflict: " + PlainText.item(result.item), requirement: .overwriting)
                return
            }
            context.expect(
                !CaseContext.isSame(conflict, result.item.identifier), did: did,
                expected: "a conflict that is another item", got: PlainText.item(result.item), requirement: .overwriting
            )
            let kept = try await context.item(conflict)
            context.expect(!kept.isFolder, did: did, expected: "a document", got: PlainText.item(kept))
            try await context.expectBytes(
                theirs, of: conflict, after: did + " (the conflict)", requirement: .overwriting)
            try await context.expectBytes(ours, of: result.item.identifier, after: did, requirement: .overwriting)
        } catch let problem as CallProblem {
            guard problem.code == .versionOutOfDate else {
                context.report(problem, expected: "VersionOutOfDate, or a conflict", requirement: .overwriting)
                return
            }
            try await context.expectBytes(
                theirs, of: second.item.identifier, after: did + ", which was refused", requirement: .overwriting)
        }
    }

    private static func withoutBase(_ context: CaseContext) async throws {
        var file = try await context.makeFile(count: 100)
        file.content = context.randomBytes(50)
        let result = try await context.modify(file.identifier, base: nil, content: file.content)
        context.expect(
            result.conflict == nil, did: "Modify without a base", expected: "no conflict",
            got: "the conflict \(PlainText.quoted(result.conflict ?? ""))")
        try await context.expectContent(of: file, after: "Modify without a base")
    }

    private static func unknown(_ context: CaseContext) async throws {
        let nowhere = "no-such-item-" + context.random { $0.word(12) }
        try await context.expectRefusal([.noSuchItem], did: "Modify of a missing item", requirement: .errors) {
            try await context.modify(nowhere, base: nil, content: [1, 2, 3])
        }
        let folder = try await context.makeFolder()
        try await context.expectRefusal(
            CaseContext.refusals + [.noSuchItem], did: "Modify of a folder"
        ) {
            try await context.modify(folder.identifier, base: nil, content: [1, 2, 3])
        }
        guard context.has(.delete) else { return }
        let parent = try await context.workFolder().identifier
        let file = try await context.makeFile("gone.txt", in: parent, count: 30)
        try await context.delete(file.identifier)
        try await context.expectRefusal(
            [.noSuchItem, .versionOutOfDate], did: "Modify of a document that was deleted", requirement: .overwriting
        ) {
            try await context.modify(file.identifier, base: file.item.version, content: [1, 2, 3])
        }
        try await context.expectNoName("gone.txt", in: parent, after: "Modify of a document that was deleted")
    }

    private static func repeated(_ context: CaseContext, restarts: Bool) async throws {
        if restarts { try context.requireKept() }
        let file = try await context.makeFile("again.bin", count: 300)
        let operation = context.newOperation()
        let first = context.randomBytes(400)
        let answer = try await context.modify(
            file.identifier, base: file.item.version, content: first, operation: operation)
        let later = context.randomBytes(500)
        _ = try await context.modify(file.identifier, base: answer.item.version, content: later)
        if restarts { try await context.restart() }
        let what =
            "Modify\(restarts ? " in the next process" : "") with an operation that was carried out before a later one"
        let problem = try await context.problem {
            let again = try await context.modify(
                file.identifier, base: file.item.version, content: first, operation: operation)
            context.expect(
                CaseContext.isSame(again.item.identifier, answer.item.identifier), did: what,
                expected: "the identifier \(PlainText.quoted(answer.item.identifier))", got: PlainText.item(again.item),
                requirement: .repeating)
        }
        // A provider that has forgotten the operation must at least notice that the base is outdated.
        if let problem, problem.code != .versionOutOfDate {
            context.report(problem, expected: "the same answer as before, or VersionOutOfDate", requirement: .repeating)
        }
        try await context.expectBytes(later, of: file.identifier, after: what, requirement: .repeating)
    }
}
