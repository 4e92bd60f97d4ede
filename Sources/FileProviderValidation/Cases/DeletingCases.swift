import DocentInterfaces

/// Deletions.
enum DeletingCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "deleting.document", level: 1, needs: [.write, .delete], requirements: [.interface, .errors],
            "A deleted document is gone everywhere, and nothing else is."
        ) { try await document($0) },
        ValidationCase(
            "deleting.folder", level: 1, needs: [.write, .delete], requirements: [.interface, .overwriting],
            "A folder that is not empty is only deleted with `recursive`, and then completely."
        ) { try await folder($0) },
        ValidationCase(
            "deleting.staleBase", level: 1, needs: [.write, .delete], requirements: [.interface, .overwriting],
            "An item that was changed meanwhile is not deleted."
        ) { try await staleBase($0) },
        ValidationCase(
            "deleting.refused", level: 2, needs: [.write, .delete], requirements: [.interface],
            "A missing item and the top folder cannot be deleted."
        ) { try await refused($0) },
        ValidationCase(
            "deleting.kept", level: 4, needs: [.write, .delete], abilities: [.restart],
            requirements: [.interface, .keeping],
            "A deleted item stays deleted in the next process."
        ) { try await kept($0) },
    ]

    private static func document(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("gone.bin", in: folder, count: 100)
        let others = [
            try await context.makeFile("a-neighbour.bin", in: folder, count: 100),
            try await context.makeFile("neighbour.bin", in: folder, count: 100),
        ]
        try await context.delete(file.identifier, base: file.item.version)
        let what = "Delete of a document"
        try await context.expectGone(file.item, from: folder, name: "gone.bin", after: what)
        try await context.expectRefusal([.noSuchItem], did: "Fetch of a document that was deleted") {
            try await context.fetch(file.identifier)
        }
        try await context.expectRefusal(
            [.noSuchItem], did: "Delete of a document that was deleted", requirement: .errors
        ) {
            try await context.delete(file.identifier)
        }
        for other in others {
            try await context.expectFound(other.item, name: other.item.name, in: folder, after: what)
            try await context.expectContent(of: other, after: what)
        }
        let anew = try await context.makeFile("gone.bin", in: folder, count: 120)
        try await context.expectFound(
            anew.item, name: "gone.bin", in: folder, after: "Create under a name that was deleted")
        try await context.expectContent(of: anew, after: "Create under a name that was deleted")
    }

    private static func folder(_ context: CaseContext) async throws {
        let top = try await context.workFolder().identifier
        let outer = try await context.makeFolder("outer", in: top)
        let inner = try await context.makeFolder("inner", in: outer.identifier)
        let files = [
            try await context.makeFile("a.bin", in: outer.identifier, count: 10),
            try await context.makeFile("b.bin", in: inner.identifier, count: 10),
        ]
        let sibling = try await context.makeFile("sibling.bin", in: top, count: 10)
        try await context.expectRefusal(
            [.notPermitted, .invalidArgument], did: "Delete of a folder that is not empty, without recursive",
            requirement: .overwriting
        ) {
            try await context.delete(outer.identifier)
        }
        for file in files {
            try await context.expectContent(of: file, after: "a refused Delete", requirement: .overwriting)
        }
        try await context.delete(outer.identifier, recursive: true)
        let what = "Delete of a folder with all its contents"
        try await context.expectGone(outer, from: top, name: "outer", after: what)
        for item in [inner] + files.map(\.item) {
            try await context.expectRefusal([.noSuchItem], did: "Item in a folder that was deleted") {
                try await context.item(item.identifier)
            }
        }
        try await context.expectContent(of: sibling, after: what)
        let empty = try await context.makeFolder("empty", in: top)
        try await context.delete(empty.identifier)
        try await context.expectGone(empty, from: top, name: "empty", after: "Delete of an empty folder")
    }

    private static func staleBase(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        var file = try await context.makeFile("stale.bin", in: folder, count: 10)
        guard let base = file.item.version else { try context.skip("documents have no versions") }
        file.content = context.randomBytes(20)
        _ = try await context.modify(file.identifier, base: base, content: file.content)
        try await context.expectRefusal(
            [.versionOutOfDate], did: "Delete of a document at a version that was replaced", requirement: .overwriting
        ) {
            try await context.delete(file.identifier, base: base)
        }
        try await context.expectFound(file.item, name: "stale.bin", in: folder, after: "a refused Delete")
        try await context.expectContent(of: file, after: "a refused Delete", requirement: .overwriting)
    }

    private static func refused(_ context: CaseContext) async throws {
        let nowhere = "no-such-item-" + context.random { $0.word(12) }
        try await context.expectRefusal([.noSuchItem], did: "Delete of a missing item", requirement: .errors) {
            try await context.delete(nowhere)
        }
        // Never with `recursive`: a provider that obeys would delete everything.
        try await context.expectRefusal(CaseContext.refusals, did: "Delete of the top folder") {
            try await context.delete(CaseContext.root)
        }
        _ = try await context.item(CaseContext.root)
    }

    private static func kept(_ context: CaseContext) async throws {
        try context.requireKept()
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("gone.bin", in: folder, count: 100)
        let other = try await context.makeFile("stays.bin", in: folder, count: 100)
        try await context.delete(file.identifier)
        try await context.restart(kill: context.transport.abilities.contains(.kill))
        let what = "Delete and a restart"
        try await context.expectGone(file.item, from: folder, name: "gone.bin", after: what)
        try await context.expectContent(of: other, after: what)
    }
}
