import DocentInterfaces

/// The provider is killed during a call and started again: what it confirmed is there, and what it did not is whole or
/// absent.
enum KillCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "kill.reading", level: 3, abilities: [.kill], requirements: [.interface, .crashes],
            "A provider that is killed during reads works as before when it is started again."
        ) { try await reading($0) },
        ValidationCase(
            "kill.creating", level: 4, needs: [.write], abilities: [.kill], patience: 3,
            requirements: [.interface, .durability],
            "A document that is created while the provider is killed exists completely or not at all."
        ) { try await creating($0) },
        ValidationCase(
            "kill.modifying", level: 4, needs: [.write], abilities: [.kill], patience: 3,
            requirements: [.interface, .durability],
            "A document that is changed while the provider is killed has the whole old content or the whole new one."
        ) { try await modifying($0) },
        ValidationCase(
            "kill.moving", level: 5, needs: [.write, .move], abilities: [.kill], patience: 3,
            requirements: [.interface, .durability],
            "A document that is moved while the provider is killed is at its old place or at its new one."
        ) { try await moving($0) },
        ValidationCase(
            "kill.deleting", level: 5, needs: [.write, .delete], abilities: [.kill], patience: 3,
            requirements: [.interface, .durability],
            "A folder that is being deleted during a kill can be deleted again."
        ) { try await deleting($0) },
    ]

    /// Makes a call and kills the provider at a random moment. The next process is running afterwards.
    ///
    /// - Parameter duration: how long such a call takes.
    private static func cut(
        _ context: CaseContext, _ did: String, within duration: Duration = .milliseconds(12),
        _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> Bool {
        context.step(did + ", killing the provider meanwhile")
        let pause = context.moment(within: duration)
        let task = Task {
            do {
                try await call()
                return true
            } catch is CallProblem {
                return false
            }
        }
        try? await Task.sleep(for: pause)
        await context.stop(kill: true)
        let isDone = try await task.value
        try await context.start()
        return isDone
    }

    private static func rounds(_ context: CaseContext) -> Int { context.options.level >= 8 ? 12 : 5 }

    private static func reading(_ context: CaseContext) async throws {
        let kept = context.has(.write) && context.options.keepsDocuments
        let file = kept ? try await context.makeFile(count: 200_000) : nil
        for _ in 0..<rounds(context) {
            _ = try await cut(context, "Listing and reading") {
                for _ in 0..<50 {
                    _ = try await context.list(CaseContext.root)
                    if let file { _ = try await context.read(file.identifier) }
                }
            }
            if let file {
                try await context.expectContent(of: file, after: "the provider was killed while it was read")
            }
        }
        _ = try await context.list(CaseContext.root)
    }

    private static func creating(_ context: CaseContext) async throws {
        try context.requireKept()
        let folder = try await context.makeFolder().identifier
        for round in 0..<rounds(context) {
            let content = context.randomBytes(100_000)
            let name = "cut \(round).bin"
            let operation = context.newOperation()
            let isDone = try await cut(context, "Create of \(name)") {
                _ = try await context.create(name, in: folder, content: content, operation: operation)
            }
            let found = try await context.list(folder).filter { CaseContext.isSame($0.name, name) }
            let did = "Listing the folder after the provider was killed during Create of \"\(name)\""
            context.expect(
                found.count == 1 || (found.isEmpty && !isDone), did: did,
                expected: isDone ? "the document, because Create had been answered" : "the document or nothing",
                got: found.isEmpty ? "nothing" : found.map(PlainText.item).joined(separator: "; "))
            if let item = found.first {
                let bytes = try await context.read(item.identifier)
                context.expect(
                    bytes == content, did: "Reading it", expected: "the whole content",
                    got: PlainText.difference(bytes, content))
            } else {
                // The same operation again, as the host sends it.
                let item = try await context.create(name, in: folder, content: content, operation: operation)
                try await context.expectContent(of: ModelFile(item: item, content: content), after: "Create, repeated")
            }
        }
        let names = try await context.list(folder).map(\.name).filter { !$0.hasPrefix("cut ") }
        context.expect(
            names.isEmpty, did: "Listing the folder after the provider was killed during Create",
            expected: "only the new document", got: "also " + PlainText.names(names))
    }

    private static func modifying(_ context: CaseContext) async throws {
        try context.requireKept()
        // The change takes long enough to be hit by most kills, however fast the provider is.
        let pace = try await context.pace(taking: .milliseconds(20), atMost: 1 << 20)
        let file = try await context.makeFile(content: [UInt8](repeating: 1, count: pace.bytes))
        let identifier = file.identifier
        var version = file.item.version
        var known = UnansweredChanges(file.content)
        for round in 0..<max(8, rounds(context)) {
            let content = [UInt8](repeating: UInt8(round + 2), count: pace.bytes + 10_000)
            let digest = ContentDigest.hex(content)
            let base = version
            let isDone = try await cut(context, "Modify", within: max(pace.duration, .milliseconds(5))) {
                _ = try await context.modify(identifier, base: base, content: content, digest: digest)
            }
            let bytes = try await context.read(identifier)
            let before = known.content
            let isRight = known.accept(bytes, after: content, isAnswered: isDone)
            context.expect(
                isRight, did: "Reading a document after the provider was killed during Modify",
                expected: isDone
                    ? "the new content, because Modify had been answered" : "the old content or the new one, whole",
                got: bytes == before ? "the old content" : PlainText.difference(bytes, content))
            guard isRight else { return }
            version = try await context.item(identifier).version
        }
    }

    private static func moving(_ context: CaseContext) async throws {
        try context.requireKept()
        let first = try await context.makeFolder("first").identifier
        let second = try await context.makeFolder("second").identifier
        let file = try await context.makeFile("moving.bin", in: first, count: 5_000)
        for round in 0..<rounds(context) {
            let target = round.isMultiple(of: 2) ? second : first
            let isDone = try await cut(context, "Move") {
                _ = try await context.move(file.identifier, to: target, named: "moving.bin")
            }
            if context.options.identifiersArePaths, !isDone {
                let problem = try await context.problem { try await context.item(file.identifier) }
                if problem != nil {
                    try context.skip("it was killed between a move and the answer with the new identifier")
                }
            }
            let item = try await context.item(file.identifier)
            var places = 0
            for folder in [first, second] {
                places += try await context.list(folder).count { CaseContext.isSame($0.name, "moving.bin") }
            }
            context.expect(
                places == 1 && (!isDone || CaseContext.isSame(item.parent, target)),
                did: "Looking for a document after the provider was killed during Move",
                expected: isDone
                    ? "the document only at its new place, because Move had been answered"
                    : "the document at one place",
                got: "the document at \(places) places; Item says " + PlainText.item(item))
            try await context.expectContent(of: file, after: "the provider was killed during Move")
        }
    }

    private static func deleting(_ context: CaseContext) async throws {
        try context.requireKept()
        for _ in 0..<rounds(context) {
            let folder = try await context.makeFolder()
            for _ in 0..<8 { _ = try await context.makeFile(in: folder.identifier, count: 500) }
            let isDone = try await cut(context, "Delete of a folder with 8 documents") {
                try await context.delete(folder.identifier, recursive: true)
            }
            if !isDone {
                let problem = try await context.problem { try await context.delete(folder.identifier, recursive: true) }
                if let problem, problem.code != .noSuchItem {
                    context.report(problem, expected: "a successful deletion, or NoSuchItem")
                }
            }
            try await context.expectGone(
                folder, from: folder.parent, name: folder.name, after: "Delete, and the provider was killed")
        }
    }
}
