import DocentInterfaces

/// Changes that others make in the service directly.
enum ForeignCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "foreign.listing", level: 2, service: .change, requirements: [.interface, .news],
            "Listings show what others create, change and delete in the service."
        ) { try await listing($0) },
        ValidationCase(
            "foreign.content", level: 2, service: .change, requirements: [.interface, .keeping],
            "Content that others store in a document is read, with a new version."
        ) { try await content($0) },
        ValidationCase(
            "foreign.staleBase", level: 3, needs: [.write], abilities: [.direct], service: .change,
            requirements: [.interface, .overwriting],
            "A change of an older version does not overwrite content that others have stored."
        ) { try await staleBase($0) },
        ValidationCase(
            "foreign.changes", level: 3, needs: [.changes], service: .change, requirements: [.interface, .news],
            "The changes since an anchor include what others create, change and delete."
        ) { try await changes($0) },
        ValidationCase(
            "foreign.observing", level: 3, abilities: [.direct], service: .change,
            requirements: [.interface, .news],
            "Changes by others in an observed item are reported as events."
        ) { try await observing($0) },
    ]

    /// A folder in which others work, and its path in the service.
    struct Place: Sendable {
        var folder: String
        var path: String
        /// Whether the validator has to remove it.
        var isOwn: Bool
    }

    /// Runs `body` with a folder that both the provider and others can see.
    static func inFolder(_ context: CaseContext, _ body: (Place) async throws -> Void) async throws {
        if context.has(.write) {
            let folder = try await context.workFolder().identifier
            return try await body(
                Place(folder: folder, path: try await context.servicePath(of: folder), isOwn: false))
        }
        let name = context.foreignFolderName()
        try await context.changeService(.write(path: name + "/first.txt", content: Array("first\n".utf8)))
        var found: Wire.ProviderItem?
        _ = try await context.eventually {
            found = try await context.list(CaseContext.root).first { CaseContext.isSame($0.name, name) }
            return found != nil
        }
        guard let folder = found else {
            try await context.changeService(.delete(path: name))
            return context.report(
                did: "Children of the top folder after others created \(PlainText.quoted(name)), repeatedly",
                expected: "that folder", got: "nothing of that name", requirement: .news)
        }
        do {
            try await body(Place(folder: folder.identifier, path: name, isOwn: true))
            try await context.changeService(.delete(path: name))
        } catch {
            try? await context.changeService(.delete(path: name))
            throw error
        }
    }

    /// The document with a name, once the list of its folder shows it correctly.
    static func listed(
        _ context: CaseContext, _ name: String, in place: Place, after what: String, as wanted: String,
        _ isRight: (Wire.ProviderItem) -> Bool = { _ in true }
    ) async throws -> Wire.ProviderItem {
        var found: Wire.ProviderItem?
        _ = try await context.eventually {
            found = try await context.list(place.folder).first { CaseContext.isSame($0.name, name) }
            return found.map(isRight) ?? false
        }
        if let item = found, isRight(item) { return item }
        context.report(
            did: "Children, repeatedly after another client \(what)", expected: wanted,
            got: found.map(PlainText.item) ?? "nothing of that name", requirement: .news)
        throw CaseStop.reported
    }

    private static func listing(_ context: CaseContext) async throws {
        try await inFolder(context) { place in
            let path = place.path + "/other.bin"
            _ = try await context.list(place.folder)
            try await context.changeService(.write(path: path, content: context.randomBytes(500)))
            let made = try await listed(
                context, "other.bin", in: place, after: "made it", as: "a document of 500 bytes, or of no size"
            ) { !$0.isFolder && ($0.size ?? 500) == 500 }
            let child = try await context.child("other.bin", in: place.folder)
            context.expect(
                CaseContext.isSame(child.identifier, made.identifier),
                did: "Child of an item that another client created",
                expected: PlainText.item(made), got: PlainText.item(child), requirement: .identity)
            try await context.changeService(.write(path: path, content: context.randomBytes(900)))
            _ = try await listed(
                context, "other.bin", in: place, after: "changed it",
                as: "the document with another version, and 900 bytes or no size"
            ) { ($0.size ?? 900) == 900 && ($0.version == nil || $0.version != made.version) }
            try await context.changeService(.delete(path: path))
            var left: [Wire.ProviderItem] = []
            let isGone = try await context.eventually {
                left = try await context.list(place.folder).filter { CaseContext.isSame($0.name, "other.bin") }
                return left.isEmpty
            }
            context.expect(
                isGone, did: "Children, repeatedly after another client deleted it",
                expected: "nothing of that name", got: left.map(PlainText.item).joined(separator: "; "),
                requirement: .news)
            try await context.expectRefusal(
                [.noSuchItem], did: "Item of a document that another client deleted", requirement: .errors
            ) { try await context.item(made.identifier) }
        }
    }

    private static func content(_ context: CaseContext) async throws {
        try await inFolder(context) { place in
            let path = place.path + "/shared.bin"
            let first = context.randomBytes(5_000)
            if context.has(.write) {
                _ = try await context.makeFile("shared.bin", in: place.folder, content: first)
            } else {
                try await context.changeService(.write(path: path, content: first))
            }
            let before = try await listed(context, "shared.bin", in: place, after: "made it", as: "the document")
            try await context.expectBytes(first, of: before.identifier, after: "it was made")
            // The same length: only the content shows that it has changed.
            let second = context.randomBytes(5_000)
            try await context.changeService(.write(path: path, content: second))
            var bytes: [UInt8] = []
            let isRead = try await context.eventually {
                bytes = try await context.read(before.identifier)
                return bytes == second
            }
            context.expect(
                isRead, did: "Reading a document, repeatedly after another client changed it",
                expected: "what they stored",
                got: bytes == first ? "the previous content" : PlainText.difference(bytes, second),
                requirement: .keeping)
            let after = try await context.item(before.identifier)
            context.expect(
                before.version == nil || after.version != before.version,
                did: "Item of a document that another client changed",
                expected: "another version than \(PlainText.quoted(before.version ?? ""))", got: PlainText.item(after),
                requirement: .keeping)
        }
    }

    private static func staleBase(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("contested.bin", in: folder, count: 2_000)
        guard let base = file.item.version else { try context.skip("documents have no versions") }
        let theirs = context.randomBytes(2_500)
        try await context.changeService(
            .write(path: try await context.servicePath(of: file.identifier), content: theirs))
        let did = "Modify of a document that another client has changed, based on the previous version"
        do {
            let result = try await context.modify(file.identifier, base: base, content: context.randomBytes(1_800))
            guard let conflict = result.conflict else {
                return context.report(
                    did: did, expected: "VersionOutOfDate, or a conflict with their content",
                    got: "success without a conflict: " + PlainText.item(result.item), requirement: .overwriting)
            }
            try await context.expectBytes(
                theirs, of: conflict, after: did + " (the conflict)", requirement: .overwriting)
        } catch let problem as CallProblem {
            guard problem.code == .versionOutOfDate else {
                return context.report(problem, expected: "VersionOutOfDate, or a conflict", requirement: .overwriting)
            }
            try await context.expectBytes(
                theirs, of: file.identifier, after: did + ", which was refused", requirement: .overwriting)
        }
    }

    private static func changes(_ context: CaseContext) async throws {
        try await inFolder(context) { place in
            let path = place.path + "/other.bin"
            var anchor = try await ChangesCases.currentAnchor(context)
            try await context.changeService(.write(path: path, content: context.randomBytes(500)))
            let identifier = try await listed(
                context, "other.bin", in: place, after: "made it", as: "the document"
            ).identifier
            func expect(_ what: String, changed: Set<String> = [], deleted: Set<String> = []) async throws {
                let news = try await ChangesCases.awaited(context, since: anchor, changed: changed, deleted: deleted)
                context.expect(
                    changed.isSubset(of: news.changed.keys) && deleted.isSubset(of: news.deleted),
                    did: "Changes, repeatedly after another client \(what) a document",
                    expected: deleted.isEmpty ? "that document" : "its deletion",
                    got: "\(news.changed.count) changed and \(news.deleted.count) deleted, without it",
                    requirement: .news)
                anchor = news.anchor
            }
            try await expect("made", changed: [identifier])
            try await context.changeService(.write(path: path, content: context.randomBytes(700)))
            try await expect("changed", changed: [identifier])
            try await context.changeService(.delete(path: path))
            try await expect("deleted", deleted: [identifier])
        }
    }

    private static func observing(_ context: CaseContext) async throws {
        try await inFolder(context) { try await ForeignObserving(context, $0).run() }
    }
}
