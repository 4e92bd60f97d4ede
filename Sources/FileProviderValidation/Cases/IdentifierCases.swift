import DocentInterfaces

/// An item keeps its identifier when its name, its folder, its content or the provider's process changes.
enum IdentifierCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "identifiers.listings", level: 1, requirements: [.interface, .identity, .stableIdentifiers],
            "Two listings of a folder have the same identifiers."
        ) { try await listings($0) },
        ValidationCase(
            "identifiers.restart", level: 2, abilities: [.restart],
            requirements: [.interface, .identity, .stableIdentifiers],
            "Identifiers and versions are the same in the next process."
        ) { try await restarted($0, kill: false) },
        ValidationCase(
            "identifiers.kill", level: 3, abilities: [.kill],
            requirements: [.interface, .identity, .stableIdentifiers],
            "Identifiers and versions are the same after the provider was killed."
        ) { try await restarted($0, kill: true) },
        ValidationCase(
            "identifiers.rename", level: 2, needs: [.write, .move], requirements: [.interface, .stableIdentifiers],
            "An item keeps its identifier and its content under a new name and in a new folder."
        ) { try await rename($0) },
        ValidationCase(
            "identifiers.renameAndRestart", level: 4, needs: [.write, .move], abilities: [.restart],
            requirements: [.interface, .stableIdentifiers],
            "A renamed item has the same identifier in the next process."
        ) { try await renameAndRestart($0) },
        ValidationCase(
            "identifiers.modify", level: 2, needs: [.write], requirements: [.interface, .keeping],
            "A document keeps its identifier with a new content, and gets a new version."
        ) { try await modify($0) },
        ValidationCase(
            "identifiers.reuse", level: 4, needs: [.write, .delete], requirements: [.interface, .identity],
            "A new item with the name of a deleted one is not mistaken for it."
        ) { try await reuse($0) },
    ]

    private static func listings(_ context: CaseContext) async throws {
        if context.has(.write) { for _ in 0..<3 { _ = try await context.makeFile(count: 10) } }
        let before = try await context.walk()
        let after = try await context.walk()
        compare(context, before, after, "Walking through the folders again", withVersions: true)
    }

    private static func compare(
        _ context: CaseContext, _ before: [Wire.ProviderItem], _ after: [Wire.ProviderItem], _ did: String,
        withVersions: Bool
    ) {
        let now = Dictionary(after.map { (Array($0.identifier.utf8), $0) }) { first, _ in first }
        for item in before {
            guard let same = now[Array(item.identifier.utf8)] else {
                let namesake = after.first { CaseContext.isSame($0.name, item.name) && $0.isFolder == item.isFolder }
                context.report(
                    did: did, expected: PlainText.item(item) + ", as before",
                    got: namesake.map { "under its name " + PlainText.item($0) } ?? "nothing with that identifier")
                continue
            }
            let isSame =
                CaseContext.isSame(same.name, item.name) && CaseContext.isSame(same.parent, item.parent)
                && (!withVersions || item.isFolder || same.version == item.version)
            context.expect(isSame, did: did, expected: PlainText.item(item) + ", as before", got: PlainText.item(same))
        }
    }

    private static func restarted(_ context: CaseContext, kill: Bool) async throws {
        if context.has(.write), context.options.keepsDocuments {
            let folder = try await context.makeFolder()
            for _ in 0..<3 { _ = try await context.makeFile(in: folder.identifier, count: 50) }
        }
        let before = try await context.walk()
        try await context.restart(kill: kill)
        let after = try await context.walk()
        compare(
            context, before, after,
            "Walking through the folders after the provider was \(kill ? "killed" : "ended") and started again",
            withVersions: true)
    }

    private static func rename(_ context: CaseContext) async throws {
        let file = try await context.makeFile("before.txt", count: 3_000)
        let folder = try await context.makeFolder("new place")
        for (parent, name) in [
            (file.item.parent, "after.txt"), (folder.identifier, "after.txt"), (folder.identifier, "again.txt"),
        ] {
            let moved = try await context.move(file.identifier, to: parent, named: name)
            context.expect(
                CaseContext.isSame(moved.identifier, file.identifier),
                did: "Move to \(PlainText.quoted(name)) in \(PlainText.quoted(parent))",
                expected: "the identifier \(PlainText.quoted(file.identifier)) as before", got: PlainText.item(moved))
            let alone = try await context.item(file.identifier)
            context.expect(
                CaseContext.isSame(alone.name, name) && CaseContext.isSame(alone.parent, parent),
                did: "Item after Move", expected: "\(PlainText.quoted(name)) in \(PlainText.quoted(parent))",
                got: PlainText.item(alone))
            try await context.expectContent(of: file, after: "Move")
        }
        // The contents move with their folder, where folders can be renamed.
        guard context.mayRename(folder) else {
            return context.note("The provider says that folders cannot be renamed.")
        }
        let inside = try await context.makeFile(in: folder.identifier, count: 500)
        _ = try await context.move(folder.identifier, to: folder.parent, named: "renamed place")
        let alone = try await context.item(inside.identifier)
        context.expect(
            CaseContext.isSame(alone.parent, folder.identifier), did: "Item of a document in a folder that was renamed",
            expected: "the same item, in the same folder", got: PlainText.item(alone))
        try await context.expectContent(of: inside, after: "its folder was renamed")
    }

    private static func renameAndRestart(_ context: CaseContext) async throws {
        try context.requireKept()
        let file = try await context.makeFile("old name.txt", count: 1_000)
        _ = try await context.move(file.identifier, to: file.item.parent, named: "new name.txt")
        try await context.restart()
        let alone = try await context.item(file.identifier)
        context.expect(
            CaseContext.isSame(alone.name, "new name.txt"),
            did: "Item of a document that was renamed, in the next process",
            expected: "\"new name.txt\"", got: PlainText.item(alone))
        try await context.expectContent(of: file, after: "Move and a restart")
    }

    private static func modify(_ context: CaseContext) async throws {
        var file = try await context.makeFile(count: 1_000)
        for count in [2_000, 2_000, 0, 10] {
            let content = context.randomBytes(count)
            let before = file.item
            let (item, conflict) = try await context.modify(file.identifier, base: before.version, content: content)
            let did = "Modify with \(count) bytes, based on the current version"
            context.expect(
                conflict == nil && CaseContext.isSame(item.identifier, before.identifier), did: did,
                expected: "the same item without a conflict",
                got: PlainText.item(item) + (conflict.map { ", conflict " + PlainText.quoted($0) } ?? ""))
            context.expect(
                item.version == nil || item.version != before.version, did: did,
                expected: "another version than " + PlainText.quoted(before.version ?? ""), got: PlainText.item(item),
                requirement: .keeping)
            file = ModelFile(item: item, content: content)
            try await context.expectContent(of: file, after: did)
        }
    }

    private static func reuse(_ context: CaseContext) async throws {
        let name = "phoenix.txt"
        let old = try await context.makeFile(name, count: 400)
        try await context.delete(old.identifier)
        let new = try await context.makeFile(name, count: 700)
        try await context.expectContent(of: new, after: "Create under the name of a deleted document")
        guard !CaseContext.isSame(old.identifier, new.identifier) else {
            // Identifiers that are paths are reused; then at least the version must differ.
            context.expect(
                new.item.version == nil || new.item.version != old.item.version,
                did: "Create under the name of a deleted document", expected: "another identifier or another version",
                got: PlainText.item(new.item))
            return
        }
        try await context.expectRefusal([.noSuchItem], did: "Item of a deleted document whose name is used again") {
            try await context.item(old.identifier)
        }
    }
}
