import DocentInterfaces

/// An unreachable service: an item is not gone because it cannot be reached, and a change is not saved before it is
/// stored.
enum UnreachableCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "unreachable.reading", level: 2, service: .reach, requirements: [.interface, .errors],
            "While the service is unreachable nothing is described as gone or empty, and afterwards all is as before."
        ) { try await reading($0) },
        ValidationCase(
            "unreachable.writing", level: 3, needs: [.write], abilities: [.direct], service: .reach,
            requirements: [.interface, .errors, .durability],
            "A change while the service is unreachable is refused, loses nothing, and can be repeated afterwards."
        ) { try await UnreachableWriting($0).run() },
        ValidationCase(
            "unreachable.fetching", level: 4, needs: [.write], abilities: [.direct], service: .reach, patience: 2,
            requirements: [.interface, .errors],
            "A download that loses its connection fails or delivers the whole content."
        ) { try await LostConnection($0).fetching() },
        ValidationCase(
            "unreachable.creating", level: 4, needs: [.write], abilities: [.direct], service: .reach, patience: 3,
            requirements: [.interface, .wholeContent, .durability],
            "A Create that loses its connection is confirmed only if it is done, and the document is whole or absent."
        ) { try await LostConnection($0).creating() },
        ValidationCase(
            "unreachable.replacing", level: 4, needs: [.write], abilities: [.direct], service: .reach, patience: 3,
            requirements: [.interface, .wholeContent, .durability],
            "A Modify that loses its connection is confirmed only if it is done; the content is the old or the new one."
        ) { try await LostConnection($0).replacing() },
    ]

    /// The errors with which a provider may answer while its service cannot be reached.
    static let codes: [FailureCode] = [.serverUnreachable, .busy, .failed, .notPermitted]

    /// Reports an error that does not say that the service is unreachable.
    static func expectUnreachable(
        _ problem: CallProblem, _ context: CaseContext, requirement: ProviderRequirement = .errors
    ) throws {
        if let code = problem.code, codes.contains(code) { return }
        switch problem.kind {
        case .notAvailable, .own, .cancelled: throw problem
        case .silence where context.service?.proxy == nil:
            // A program may let connections hang, and how long a provider waits for them is its own decision.
            context.note("\(problem.did), while the service could not be reached: \(problem.got)")
        default:
            context.report(
                did: problem.did + ", while the service cannot be reached",
                expected: "the error ServerUnreachable, or an answer from the provider's own copy", got: problem.got,
                requirement: requirement)
        }
    }

    /// What a case checks before, during and after the outage.
    private struct Sight: Sendable {
        var folder: String
        var document: Wire.ProviderItem
        var names: Set<String>
        var content: [UInt8]
        var anchor: String?
    }

    private static func before(_ context: CaseContext) async throws -> Sight {
        let document: Wire.ProviderItem
        if context.has(.write) {
            let folder = try await context.workFolder().identifier
            _ = try await context.makeFolder("folder", in: folder)
            document = try await context.makeFile("document.bin", in: folder, count: 3_000).item
        } else {
            let documents = try await context.walk(limit: 50).filter {
                !$0.isFolder && $0.symbolicLinkTarget == nil && ($0.size ?? 0) <= 1 << 20
                    && ($0.capabilities?.contains("read") ?? true)
            }
            guard let first = documents.first else { try context.skip("the provider shows no document to be read") }
            document = first
        }
        return Sight(
            folder: document.parent, document: try await context.item(document.identifier),
            names: Set(try await context.list(document.parent).map(\.name)),
            content: try await context.read(document.identifier),
            anchor: context.has(.changes) ? try await context.changes(since: nil).anchor : nil)
    }

    private static func reading(_ context: CaseContext) async throws {
        let sight = try await before(context)
        try await context.whileUnreachable { try await look(context, sight) }
        let isBack = try await context.eventually {
            try await context.problem { try await context.item(sight.document.identifier) } == nil
        }
        let what = "the service was unreachable for a moment"
        guard isBack else {
            let problem = try await context.problem { try await context.item(sight.document.identifier) }
            return context.report(
                did: "Item of a document after \(what), repeatedly", expected: "the document",
                got: problem?.got ?? "nothing", requirement: .errors)
        }
        try await context.expectFound(
            sight.document, name: sight.document.name, in: sight.folder, after: what)
        let item = try await context.item(sight.document.identifier)
        context.expect(
            item.version == sight.document.version, did: "Item after \(what)",
            expected: "the version \(PlainText.quoted(sight.document.version ?? ""))", got: PlainText.item(item),
            requirement: .keeping)
        try await context.expectBytes(sight.content, of: item.identifier, after: what, requirement: .errors)
        let names = Set(try await context.list(sight.folder).map(\.name))
        context.expect(
            names.isSuperset(of: sight.names), did: "Children after \(what)",
            expected: PlainText.names(sight.names.sorted()), got: PlainText.names(names.sorted()), requirement: .errors)
    }

    private static func look(_ context: CaseContext, _ sight: Sight) async throws {
        let document = sight.document
        func ask<Value: Sendable>(
            _ did: String, expected: String, _ call: () async throws -> Value, isRight: (Value) -> Bool
        ) async throws {
            do {
                let value = try await call()
                context.expect(
                    isRight(value), did: did + ", while the service cannot be reached",
                    expected: "the error ServerUnreachable, or \(expected)", got: "something else",
                    requirement: .errors)
            } catch let problem as CallProblem {
                try expectUnreachable(problem, context)
            }
        }
        try await ask("Item of a document", expected: "the document") {
            try await context.item(document.identifier)
        } isRight: {
            CaseContext.isSame($0.identifier, document.identifier) && !$0.isFolder
        }
        try await ask("Child of a folder", expected: "the document") {
            try await context.child(document.name, in: sight.folder)
        } isRight: {
            CaseContext.isSame($0.identifier, document.identifier)
        }
        try await ask("Children of a folder", expected: "all its contents") {
            try await context.list(sight.folder)
        } isRight: {
            Set($0.map(\.name)).isSuperset(of: sight.names)
        }
        try await ask("Reading a document", expected: "its content") {
            try await context.read(document.identifier)
        } isRight: {
            $0 == sight.content
        }
        guard let anchor = sight.anchor else { return }
        try await ask("Changes", expected: "no deletion") {
            try await context.changes(since: anchor)
        } isRight: {
            $0.deleted.isEmpty
        }
    }
}
