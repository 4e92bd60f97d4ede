import DocentInterfaces

/// Transfers that lose their connection to the service midway: at a chosen byte if they pass the validator's proxy,
/// else at a random moment of their usual duration.
struct LostConnection: Sendable {
    private let context: CaseContext

    init(_ context: CaseContext) { self.context = context }

    private var rounds: Int { context.options.level >= 8 ? 16 : 8 }

    /// The duration and the bytes of an undisturbed transfer.
    private struct Measure: Sendable {
        var duration: Duration
        var carried = ServiceProxy.Carried()
    }

    // MARK: The cases

    func replacing() async throws {
        let context = context
        let size = try await context.pace(taking: .milliseconds(60), atMost: 1 << 20).bytes
        var file = try await context.makeFile("replaced.bin", count: size)
        let usual = try await measure {
            file.content = context.randomBytes(size)
            file.item = try await context.modify(file.identifier, base: file.item.version, content: file.content).item
        }
        for round in 0..<rounds {
            let before = file
            let content = context.randomBytes(size)
            let operation = context.newOperation()
            let did = "Modify whose connection to the service was lost"
            let problem = try await disturbed(round, usual) {
                _ = try await context.modify(
                    before.identifier, base: before.item.version, content: content, operation: operation)
            }
            if let problem { try UnreachableCases.expectUnreachable(problem, context, requirement: .durability) }
            guard let bytes = try await readAgain(file.identifier, after: did) else { return }
            guard
                context.expect(
                    bytes == content || problem != nil && bytes == before.content,
                    did: "Reading after \(did)",
                    expected: problem == nil
                        ? "the new content, because Modify was answered" : "the old content or the new one, whole",
                    got: bytes == before.content ? "the old content" : PlainText.difference(bytes, content),
                    requirement: problem == nil ? .durability : .wholeContent)
            else { return }
            if problem != nil {
                let again = try await settle {
                    _ = try await context.modify(
                        before.identifier, base: before.item.version, content: content, operation: operation)
                }
                if let again {
                    return context.report(
                        did: "\(did), repeated with the same operation", expected: "success", got: again.got,
                        requirement: .repeating)
                }
                try await context.expectBytes(
                    content, of: file.identifier, after: "\(did), and was repeated", requirement: .repeating)
            }
            file = ModelFile(item: try await context.item(file.identifier), content: content)
        }
    }

    func creating() async throws {
        let context = context
        let size = try await context.pace(taking: .milliseconds(60), atMost: 1 << 20).bytes
        let folder = try await context.makeFolder().identifier
        let content = context.randomBytes(size)
        let usual = try await measure {
            _ = try await context.create("first.bin", in: folder, content: content)
        }
        for round in 0..<rounds {
            let name = "created \(round).bin"
            let operation = context.newOperation()
            let did = "Create whose connection to the service was lost"
            let problem = try await disturbed(round, usual) {
                _ = try await context.create(name, in: folder, content: content, operation: operation)
            }
            if let problem { try UnreachableCases.expectUnreachable(problem, context, requirement: .durability) }
            var found: [Wire.ProviderItem] = []
            if let trouble = try await settle({ found = try await context.list(folder) }) { throw trouble }
            let item = found.first { CaseContext.isSame($0.name, name) }
            guard
                context.expect(
                    item != nil || problem != nil, did: "Listing after \(did)",
                    expected: "the document, because Create was answered", got: PlainText.names(found.map(\.name)),
                    requirement: .durability)
            else { return }
            if let item, let bytes = try await readAgain(item.identifier, after: did) {
                context.expect(
                    bytes == content, did: "Reading after \(did)", expected: "the whole content",
                    got: PlainText.difference(bytes, content), requirement: .wholeContent)
            }
            guard problem != nil else { continue }
            let again = try await settle {
                _ = try await context.create(name, in: folder, content: content, operation: operation)
            }
            if let again {
                return context.report(
                    did: "\(did), repeated with the same operation", expected: "success", got: again.got,
                    requirement: .repeating)
            }
            let made = try await context.child(name, in: folder)
            try await context.expectBytes(
                content, of: made.identifier, after: "\(did), and was repeated", requirement: .repeating)
        }
    }

    func fetching() async throws {
        guard !context.has(.inPlace), !context.has(.classic) else {
            try context.skip("the provider does not support Fetch")
        }
        let context = context
        let size = try await context.pace(taking: .milliseconds(60), atMost: 1 << 20).bytes
        let file = try await context.makeFile("fetched.bin", count: size)
        let usual = try await measure { _ = try await context.fetch(file.identifier) }
        for round in 0..<rounds {
            let did = "Fetch whose connection to the service was lost"
            let problem = try await disturbed(round, usual) {
                let bytes = try await context.fetch(file.identifier).bytes
                context.expect(
                    bytes == file.content, did: did, expected: "an error, or the whole content",
                    got: PlainText.difference(bytes, file.content), requirement: .errors)
            }
            if let problem { try UnreachableCases.expectUnreachable(problem, context) }
            guard let bytes = try await readAgain(file.identifier, after: did) else { return }
            context.expect(
                bytes == file.content, did: "Reading after \(did)", expected: "the whole content",
                got: PlainText.difference(bytes, file.content), requirement: .errors)
        }
    }

    // MARK: How

    private func measure(_ body: () async throws -> Void) async throws -> Measure {
        let clock = ContinuousClock()
        let before = context.service?.proxy?.carried ?? .init()
        let begin = clock.now
        try await body()
        var measure = Measure(duration: clock.now - begin)
        if let after = context.service?.proxy?.carried {
            measure.carried = .init(up: after.up - before.up, down: after.down - before.down)
        }
        return measure
    }

    /// Makes a call that loses its connection, and makes the service reachable again.
    ///
    /// - Returns: how the call failed; nil: it was answered without an error.
    private func disturbed(
        _ round: Int, _ measure: Measure, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> CallProblem? {
        let context = context
        let problem: CallProblem?
        do {
            if let proxy = context.service?.proxy {
                // Spread evenly over all bytes, in both directions in turn: the last answer is included.
                let isUp = round.isMultiple(of: 2)
                let all = isUp ? measure.carried.up : measure.carried.down
                let part = (Double(round / 2) + context.random { Double($0.next() % 100) / 100 }) / Double(rounds / 2)
                proxy.pause(after: Int(Double(all) * part), isUp ? .up : .down)
                context.step(
                    "Losing the connection after \(Int(part * 100)) % of what is \(isUp ? "sent" : "received")")
                problem = try await context.problem(call)
            } else {
                problem = try await interrupted(round, measure, call)
            }
        } catch {
            try await context.resumeService()
            throw error
        }
        try await context.resumeService()
        return problem
    }

    private func interrupted(
        _ round: Int, _ measure: Measure, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> CallProblem? {
        let context = context
        async let problem = context.problem(call)
        try await Task.sleep(for: context.moment(within: measure.duration))
        // In every other round the service is reachable again at once.
        if round.isMultiple(of: 2) {
            try await context.pauseService()
        } else if try await !context.cutService() {
            try await context.pauseService()
        }
        return try await problem
    }

    private func settle<Value>(_ call: () async throws -> Value) async throws -> CallProblem? {
        let clock = ContinuousClock()
        // The lost connection may leave a lock on the server for that long.
        let end = clock.now + .seconds(CaseContext.patience)
        while true {
            guard let problem = try await context.problem(call) else { return nil }
            guard let code = problem.code, [.serverUnreachable, .busy].contains(code), clock.now < end else {
                return problem
            }
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// The content once the service is reachable again; nil when a problem was reported.
    private func readAgain(_ identifier: String, after did: String) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        guard let problem = try await settle({ bytes = try await context.read(identifier) }) else { return bytes }
        context.report(
            did: "Reading after \(did)", expected: "the document", got: problem.got, requirement: .wholeContent)
        return nil
    }
}
