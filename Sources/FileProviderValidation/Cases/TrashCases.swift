import DocentInterfaces

/// The trash.
enum TrashCases {
    private static let needs: Set<ProviderFeature> = [.write, .delete, .trash]

    static let all: [ValidationCase] = [
        ValidationCase(
            "trash.document", level: 1, needs: needs, abilities: [.direct], requirements: [.interface, .keeping],
            "A document in the trash is gone everywhere else, is listed there, and comes back as it was."
        ) { try await document($0) },
        ValidationCase(
            "trash.folder", level: 1, needs: needs, abilities: [.direct], requirements: [.interface, .keeping],
            "A folder goes to the trash and comes back with all its contents."
        ) { try await folder($0) },
        ValidationCase(
            "trash.collision", level: 1, needs: needs, abilities: [.direct],
            requirements: [.interface, .overwriting],
            "What is restored replaces nothing, and can be restored under another name."
        ) { try await collision($0) },
        ValidationCase(
            "trash.refused", level: 2, needs: needs, abilities: [.direct],
            requirements: [.interface, .overwriting],
            "A missing item, the top folder and a changed document do not go to the trash."
        ) { try await refused($0) },
        ValidationCase(
            "trash.deleting", level: 1, needs: needs, abilities: [.direct], requirements: [.interface, .keeping],
            "What is deleted in the trash is gone, and nothing else is."
        ) { try await deleting($0) },
        ValidationCase(
            "trash.kept", level: 4, needs: needs, abilities: [.direct, .restart], requirements: [.keeping],
            "The trash is kept in the next process, and what is in it can be restored."
        ) { try await kept($0) },
    ]

    /// Moves an item to the trash.
    ///
    /// - Returns: what the trash lists for it.
    private static func discard(
        _ item: Wire.ProviderItem, base: String? = nil, _ context: CaseContext
    ) async throws -> Wire.TrashedItem {
        let before = Set(try await context.listTrash().map(\.identifier))
        try await context.trash(item.identifier, base: base)
        let added = try await context.listTrash().filter { !before.contains($0.identifier) }
        let did = "ListTrash after TrashItem of \(PlainText.quoted(item.name))"
        guard added.count == 1, let found = added.first else {
            throw CallProblem(
                did: did, kind: .brokenProtocol("\(added.count) more items are listed than before, instead of one"))
        }
        context.expect(
            CaseContext.isSame(found.name, item.name) && found.isFolder == item.isFolder, did: did,
            expected: "\(PlainText.quoted(item.name)), \(item.isFolder ? "a folder" : "a document")",
            got: "\(PlainText.quoted(found.name)), \(found.isFolder ? "a folder" : "a document")")
        if let known = found.item {
            context.expect(
                CaseContext.isSame(known, context.real(item.identifier)), did: did,
                expected: "the identifier that the item had", got: PlainText.quoted(known))
        }
        return found
    }

    private static func expectRestored(
        _ found: Wire.ProviderItem, _ item: Wire.ProviderItem, from trashed: Wire.TrashedItem, _ context: CaseContext
    ) async throws {
        let did = "RestoreItem of \(PlainText.quoted(item.name))"
        context.expect(
            CaseContext.isSame(found.name, item.name) && CaseContext.isSame(found.parent, item.parent), did: did,
            expected: "\(PlainText.quoted(item.name)) in the folder that it was in",
            got: "\(PlainText.quoted(found.name)) in \(PlainText.quoted(found.parent))")
        if trashed.item != nil {
            context.expect(
                CaseContext.isSame(found.identifier, item.identifier), did: did,
                expected: "the identifier that it had, as ListTrash said", got: PlainText.quoted(found.identifier))
        }
        let left = try await context.listTrash().filter { $0.identifier == trashed.identifier }
        context.expect(
            left.isEmpty, did: "ListTrash after " + did, expected: "nothing of what was restored",
            got: PlainText.names(left.map(\.name)))
    }

    private static func document(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("wanted.bin", in: folder, count: 100)
        let others = [
            try await context.makeFile("a-neighbour.bin", in: folder, count: 100),
            try await context.makeFile("zz-neighbour.bin", in: folder, count: 100),
        ]
        let trashed = try await discard(file.item, base: file.item.version, context)
        let what = "TrashItem of a document"
        try await context.expectGone(file.item, from: folder, name: "wanted.bin", after: what)
        for other in others {
            try await context.expectFound(other.item, name: other.item.name, in: folder, after: what)
            try await context.expectContent(of: other, after: what)
        }
        // What is in the trash is no item.
        for listed in try await context.listTrash().prefix(20) {
            guard let identifier = listed.item else { continue }
            try await context.expectRefusal(
                [.noSuchItem], did: "Item of \(PlainText.quoted(listed.name)), which is listed in the trash"
            ) {
                try await context.call(
                    FileProviderInterface.Item.self, .init(domain: context.domain, identifier: identifier), "Item")
            }
        }
        let back = try await context.restore(trashed.identifier)
        try await expectRestored(back, file.item, from: trashed, context)
        var restored = file
        restored.item = back
        try await context.expectContent(of: restored, after: "RestoreItem", requirement: .keeping)
        try await context.expectFound(back, name: "wanted.bin", in: folder, after: "RestoreItem")
    }

    private static func folder(_ context: CaseContext) async throws {
        let top = try await context.workFolder().identifier
        let outer = try await context.makeFolder("outer", in: top)
        let inner = try await context.makeFolder("inner", in: outer.identifier)
        let file = try await context.makeFile("deep.bin", in: inner.identifier, count: 50)
        let trashed = try await discard(outer, context)
        try await context.expectGone(outer, from: top, name: "outer", after: "TrashItem of a folder")
        try await context.expectRefusal([.noSuchItem], did: "Item in a folder that is in the trash") {
            try await context.item(file.identifier)
        }
        let back = try await context.restore(trashed.identifier)
        try await expectRestored(back, outer, from: trashed, context)
        let within = try await context.list(back.identifier)
        let did = "Children of a restored folder"
        guard let again = within.first(where: { CaseContext.isSame($0.name, "inner") }) else {
            context.expect(
                false, did: did, expected: "the folder \"inner\"", got: PlainText.names(within.map(\.name)))
            return
        }
        let files = try await context.list(again.identifier)
        guard let found = files.first(where: { CaseContext.isSame($0.name, "deep.bin") }) else {
            context.expect(
                false, did: did, expected: "the document \"deep.bin\" in it", got: PlainText.names(files.map(\.name)))
            return
        }
        var restored = file
        restored.item = found
        try await context.expectContent(of: restored, after: "RestoreItem of its folder", requirement: .keeping)
    }

    private static func collision(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("twice.bin", in: folder, count: 60)
        let trashed = try await discard(file.item, context)
        let newer = try await context.makeFile("twice.bin", in: folder, count: 70)
        try await context.expectRefusal(
            [.collision], did: "RestoreItem to a name that is taken", requirement: .overwriting
        ) {
            try await context.restore(trashed.identifier, to: folder, named: "twice.bin")
        }
        try await context.expectContent(of: newer, after: "a refused RestoreItem", requirement: .overwriting)
        let back = try await context.restore(trashed.identifier, to: folder, named: "other.bin")
        context.expect(
            CaseContext.isSame(back.name, "other.bin"), did: "RestoreItem as \"other.bin\"",
            expected: "that name", got: PlainText.quoted(back.name))
        var restored = file
        restored.item = back
        try await context.expectContent(of: restored, after: "RestoreItem under another name", requirement: .keeping)
        try await context.expectContent(of: newer, after: "RestoreItem under another name", requirement: .overwriting)
    }

    private static func refused(_ context: CaseContext) async throws {
        _ = try await context.listTrash()
        let nowhere = "no-such-item-" + context.random { $0.word(12) }
        try await context.expectRefusal([.noSuchItem], did: "TrashItem of a missing item", requirement: .errors) {
            try await context.trash(nowhere)
        }
        try await context.expectRefusal([.noSuchItem], did: "RestoreItem of what is not in the trash") {
            try await context.restore(nowhere)
        }
        try await context.expectRefusal([.noSuchItem], did: "DeleteTrashed of what is not in the trash") {
            try await context.deleteTrashed(nowhere)
        }
        try await context.expectRefusal(CaseContext.refusals, did: "TrashItem of the top folder") {
            try await context.trash(CaseContext.root)
        }
        let folder = try await context.workFolder().identifier
        var file = try await context.makeFile("stale.bin", in: folder, count: 10)
        guard let base = file.item.version else { return }
        file.content = context.randomBytes(20)
        _ = try await context.modify(file.identifier, base: base, content: file.content)
        try await context.expectRefusal(
            [.versionOutOfDate], did: "TrashItem of a document at a version that was replaced",
            requirement: .overwriting
        ) {
            try await context.trash(file.identifier, base: base)
        }
        try await context.expectContent(of: file, after: "a refused TrashItem", requirement: .overwriting)
    }

    private static func deleting(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let kept = try await context.makeFile("kept.bin", in: folder, count: 40)
        let gone = try await context.makeFile("gone.bin", in: folder, count: 40)
        let keptTrash = try await discard(kept.item, context)
        let goneTrash = try await discard(gone.item, context)
        try await context.deleteTrashed(goneTrash.identifier)
        try await context.expectRefusal([.noSuchItem], did: "RestoreItem of what was deleted in the trash") {
            try await context.restore(goneTrash.identifier)
        }
        var restored = kept
        restored.item = try await context.restore(keptTrash.identifier)
        try await context.expectContent(
            of: restored, after: "DeleteTrashed of another item", requirement: .keeping)
        try await context.expectGone(gone.item, from: folder, name: "gone.bin", after: "DeleteTrashed")
    }

    private static func kept(_ context: CaseContext) async throws {
        try context.requireKept()
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("kept.bin", in: folder, count: 100)
        let trashed = try await discard(file.item, context)
        try await context.restart(kill: context.transport.abilities.contains(.kill))
        try await context.expectGone(file.item, from: folder, name: "kept.bin", after: "TrashItem and a restart")
        let back = try await context.restore(trashed.identifier)
        try await expectRestored(back, file.item, from: trashed, context)
        var restored = file
        restored.item = back
        try await context.expectContent(of: restored, after: "a restart and RestoreItem", requirement: .keeping)
    }
}
