import DocentInterfaces

/// Changes that are requested while the service is unreachable, and again afterwards, as the host does.
struct UnreachableWriting: Sendable {
    private let context: CaseContext

    init(_ context: CaseContext) { self.context = context }

    /// A change: its name, and how it is made.
    private struct Change: Sendable {
        var did: String
        var make: @Sendable () async throws -> Void
    }

    func run() async throws {
        let context = context
        let folder = try await context.workFolder().identifier
        let changed = try await context.makeFile("changed.bin", in: folder, count: 1_000)
        let doomed = try await context.makeFile("doomed.bin", in: folder, count: 1_000)
        let moved = try await context.makeFile("moved.bin", in: folder, count: 1_000)
        let (new, contents) = (context.randomBytes(2_000), context.randomBytes(3_000))
        let operations = (0..<3).map { _ in context.newOperation() }
        var changes = [
            Change(did: "Create") {
                _ = try await context.create("made.bin", in: folder, content: new, operation: operations[0])
            },
            Change(did: "Modify") {
                _ = try await context.modify(
                    changed.identifier, base: changed.item.version, content: contents, operation: operations[1])
            },
        ]
        if context.has(.move) {
            changes.append(
                Change(did: "Move") {
                    _ = try await context.move(
                        moved.identifier, base: moved.item.version, to: folder, named: "elsewhere.bin",
                        operation: operations[2])
                })
        }
        if context.has(.delete) {
            changes.append(
                Change(did: "Delete") { try await context.delete(doomed.identifier, base: doomed.item.version) })
        }
        let all = changes
        let answered = try await context.whileUnreachable { try await attempt(all) }
        let open = all.filter { !answered.contains($0.did) }
        let before = "it was refused while the service could not be reached"
        // A refused change has not happened, and the previous content is there.
        if !answered.contains("Modify") {
            try await settle { try await context.item(changed.identifier) }
            try await context.expectBytes(
                changed.content, of: changed.identifier, after: "Modify; \(before)", requirement: .durability)
        }
        for change in open {
            if let problem = try await settle(change.make) {
                context.report(
                    did: "\(change.did) repeated with the same operation; \(before)", expected: "success",
                    got: problem.got, requirement: .durability)
            }
        }
        try await expectDone(folder, new, ModelFile(item: changed.item, content: contents), doomed)
    }

    private func attempt(_ changes: [Change]) async throws -> Set<String> {
        var answered: Set<String> = []
        for change in changes {
            do {
                try await change.make()
                answered.insert(change.did)
            } catch let problem as CallProblem {
                try UnreachableCases.expectUnreachable(problem, context)
            }
        }
        return answered
    }

    /// Repeats a call as long as the service seems to be unreachable: a provider may take a moment to notice that it is
    /// back.
    @discardableResult
    private func settle<Value>(_ call: () async throws -> Value) async throws -> CallProblem? {
        var last: CallProblem?
        _ = try await context.eventually {
            last = try await context.problem(call)
            guard let code = last?.code else { return true }
            return ![.serverUnreachable, .busy].contains(code)
        }
        return last
    }

    private func expectDone(
        _ folder: String, _ made: [UInt8], _ changed: ModelFile, _ doomed: ModelFile
    ) async throws {
        let what = "changes that were repeated when the service was reachable again"
        let names = try await context.list(folder).map(\.name).sorted()
        var wanted = ["changed.bin", "made.bin"]
        wanted.append(context.has(.move) ? "elsewhere.bin" : "moved.bin")
        if !context.has(.delete) { wanted.append(doomed.item.name) }
        context.expect(
            names == wanted.sorted(), did: "Listing after \(what)", expected: PlainText.names(wanted.sorted()),
            got: PlainText.names(names), requirement: .durability)
        try await context.expectContent(of: changed, after: what, requirement: .durability)
        let item = try await context.child("made.bin", in: folder)
        try await context.expectBytes(made, of: item.identifier, after: what, requirement: .durability)
    }
}
