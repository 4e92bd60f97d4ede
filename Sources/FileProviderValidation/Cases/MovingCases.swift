import DocentInterfaces

/// Names and places of items.
enum MovingCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "moving.rename", level: 1, needs: [.write, .move], requirements: [.interface, .identity],
            "A renamed document keeps its identifier and content, and the old name is free."
        ) { try await rename($0) },
        ValidationCase(
            "moving.folder", level: 2, needs: [.write, .move], requirements: [.interface, .identity],
            "A folder is moved with all its contents, which keep their identifiers."
        ) { try await folder($0) },
        ValidationCase(
            "moving.collision", level: 1, needs: [.write, .move], requirements: [.interface, .overwriting],
            "A name that is taken is refused with Collision, and both items are unchanged."
        ) { try await collision($0) },
        ValidationCase(
            "moving.intoItself", level: 2, needs: [.write, .move], requirements: [.interface],
            "A folder cannot be moved into itself, and the attempt loses nothing."
        ) { try await intoItself($0) },
        ValidationCase(
            "moving.staleBase", level: 3, needs: [.write, .move], requirements: [.interface, .overwriting],
            "An item that was changed meanwhile is not moved."
        ) { try await staleBase($0) },
        ValidationCase(
            "moving.refused", level: 2, needs: [.write, .move], requirements: [.interface],
            "A missing item, an empty name and the top folder cannot be moved."
        ) { try await refused($0) },
        ValidationCase(
            "moving.repeated", level: 3, needs: [.write, .move], requirements: [.interface, .repeating],
            "A repeated operation is answered as before."
        ) { try await repeated($0) },
    ]

    private static func rename(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let other = try await context.makeFolder("other", in: folder).identifier
        let file = try await context.makeFile("before.bin", in: folder, count: 2_000)
        let renamed = try await context.move(
            file.identifier, base: file.item.version, to: folder, named: "after.bin")
        try await expectMoved(
            file, renamed, from: (folder, "before.bin"), to: (folder, "after.bin"), context, "a new name")
        let moved = try await context.move(file.identifier, to: other, named: "after.bin")
        try await expectMoved(
            file, moved, from: (folder, "after.bin"), to: (other, "after.bin"), context, "another folder")
        let both = try await context.move(file.identifier, to: folder, named: "again.bin")
        try await expectMoved(
            file, both, from: (other, "after.bin"), to: (folder, "again.bin"), context, "another folder and name")
    }

    private static func expectMoved(
        _ file: ModelFile, _ moved: Wire.ProviderItem, from old: (String, String), to new: (String, String),
        _ context: CaseContext, _ what: String
    ) async throws {
        let what = "Move of a document to \(what)"
        context.expect(
            CaseContext.isSame(moved.identifier, file.identifier), did: what,
            expected: "the identifier \(PlainText.quoted(file.identifier))", got: PlainText.item(moved),
            requirement: .identity)
        try await context.expectFound(moved, name: new.1, in: new.0, after: what)
        try await context.expectNoName(old.1, in: old.0, after: what)
        try await context.expectContent(of: file, after: what)
    }

    private static func folder(_ context: CaseContext) async throws {
        let top = try await context.workFolder().identifier
        let (from, into) = (
            try await context.makeFolder("from", in: top), try await context.makeFolder("into", in: top)
        )
        guard context.mayRename(from) else { try context.skip("the provider says that folders cannot be renamed") }
        let inner = try await context.makeFolder("inner", in: from.identifier)
        let files = [
            try await context.makeFile("a.bin", in: from.identifier, count: 100),
            try await context.makeFile("b.bin", in: inner.identifier, count: 200),
        ]
        let moved = try await context.move(from.identifier, to: into.identifier, named: "moved")
        let what = "Move of a folder with documents in it"
        context.expect(
            CaseContext.isSame(moved.identifier, from.identifier), did: what,
            expected: "the identifier \(PlainText.quoted(from.identifier))", got: PlainText.item(moved),
            requirement: .identity)
        try await context.expectFound(moved, name: "moved", in: into.identifier, after: what)
        try await context.expectNoName("from", in: top, after: what)
        let names = try await context.list(moved.identifier).map(\.name).sorted()
        context.expect(
            names == ["a.bin", "inner"], did: "Listing the moved folder", expected: "\"a.bin\" and \"inner\"",
            got: PlainText.names(names))
        for (file, parent) in zip(files, [moved.identifier, inner.identifier]) {
            try await context.expectFound(file.item, name: file.item.name, in: parent, after: what)
            try await context.expectContent(of: file, after: what)
        }
    }

    private static func collision(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let mover = try await context.makeFile("mover.bin", in: folder, count: 10)
        let taken = try await context.makeFile("taken.bin", in: folder, count: 20)
        _ = try await context.makeFolder("folder", in: folder)
        for name in ["taken.bin", "folder"] {
            try await context.expectRefusal(
                [.collision], did: "Move of a document to \(PlainText.quoted(name)), a name that is taken",
                requirement: .overwriting
            ) {
                try await context.move(mover.identifier, to: folder, named: name)
            }
        }
        for file in [mover, taken] {
            try await context.expectFound(file.item, name: file.item.name, in: folder, after: "refused calls of Move")
            try await context.expectContent(of: file, after: "refused calls of Move", requirement: .overwriting)
        }
    }

    private static func intoItself(_ context: CaseContext) async throws {
        let top = try await context.workFolder().identifier
        let outer = try await context.makeFolder("outer", in: top)
        let inner = try await context.makeFolder("inner", in: outer.identifier)
        let file = try await context.makeFile("kept.bin", in: inner.identifier, count: 50)
        for target in [outer.identifier, inner.identifier] {
            try await context.expectRefusal(
                CaseContext.refusals + [.noSuchItem, .collision], did: "Move of a folder into itself"
            ) {
                try await context.move(outer.identifier, to: target, named: "outer")
            }
        }
        let what = "refused calls of Move into itself"
        try await context.expectFound(outer, name: "outer", in: top, after: what)
        try await context.expectFound(file.item, name: "kept.bin", in: inner.identifier, after: what)
        try await context.expectContent(of: file, after: what)
    }

    private static func staleBase(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        var file = try await context.makeFile("stale.bin", in: folder, count: 10)
        guard let base = file.item.version else { try context.skip("documents have no versions") }
        file.content = context.randomBytes(20)
        _ = try await context.modify(file.identifier, base: base, content: file.content)
        try await context.expectRefusal(
            [.versionOutOfDate], did: "Move of a document at a version that was replaced", requirement: .overwriting
        ) {
            try await context.move(file.identifier, base: base, to: folder, named: "moved.bin")
        }
        try await context.expectFound(file.item, name: "stale.bin", in: folder, after: "a refused Move")
        try await context.expectContent(of: file, after: "a refused Move")
    }

    private static func refused(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("stays.bin", in: folder, count: 10)
        let target = try await context.makeFile("document.bin", in: folder, count: 10)
        let nowhere = "no-such-item-" + context.random { $0.word(12) }
        try await context.expectRefusal([.noSuchItem], did: "Move of a missing item", requirement: .errors) {
            try await context.move(nowhere, to: folder, named: "x")
        }
        try await context.expectRefusal(
            [.noSuchItem, .invalidArgument], did: "Move into a missing folder"
        ) {
            try await context.move(file.identifier, to: nowhere, named: "x")
        }
        try await context.expectRefusal(CaseContext.refusals + [.noSuchItem], did: "Move into a document") {
            try await context.move(file.identifier, to: target.identifier, named: "x")
        }
        for name in CreatingCases.badNames {
            try await context.expectRefusal(
                CaseContext.refusals, did: "Move to the name \(PlainText.quoted(name))", requirement: .identity
            ) {
                try await context.move(file.identifier, to: folder, named: name)
            }
        }
        try await context.expectRefusal(CaseContext.refusals, did: "Move of the top folder") {
            try await context.move(CaseContext.root, to: folder, named: "root")
        }
        try await context.expectFound(file.item, name: "stays.bin", in: folder, after: "refused calls of Move")
        try await context.expectContent(of: file, after: "refused calls of Move")
    }

    private static func repeated(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("first.bin", in: folder, count: 10)
        let operation = context.newOperation()
        let what = "Move again with the same operation"
        for _ in 1...2 {
            let moved = try await context.move(file.identifier, to: folder, named: "second.bin", operation: operation)
            try await context.expectFound(moved, name: "second.bin", in: folder, after: what)
            context.expect(
                CaseContext.isSame(moved.identifier, file.identifier), did: what,
                expected: "the identifier \(PlainText.quoted(file.identifier))", got: PlainText.item(moved),
                requirement: .repeating)
        }
        try await context.expectContent(of: file, after: what)
    }
}
