import DocentInterfaces
import Synchronization

/// The provider is killed during each kind of call that it supports, one kind after the other.
enum KillAnyCallCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "kill.anyCall", level: 6, abilities: [.kill], patience: 4,
            requirements: [.interface, .crashes, .durability],
            "A provider that is killed during any kind of call works again afterwards, and keeps what it confirmed."
        ) { try await anyCall($0) },
        ValidationCase(
            "kill.initializing", level: 4, abilities: [.kill, .lifeCycle], patience: 2,
            requirements: [.interface, .crashes],
            "A provider that is killed during Initialize starts normally afterwards."
        ) { try await initializing($0) },
        ValidationCase(
            "kill.packages", level: 6, needs: [.packages, .write], abilities: [.kill], patience: 4,
            requirements: [.interface, .durability, .packages],
            "A package that is created while the provider is killed exists completely or not at all."
        ) { try await packages($0) },
    ]

    /// Repeats one kind of call, kills the provider at a random moment, and starts it again.
    ///
    /// - Parameter call: receives the number of the call, from 0.
    /// - Returns: how many calls were answered.
    static func strike(
        _ context: CaseContext, _ kind: String, _ call: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Int {
        context.step("\(kind), repeatedly, killing the provider meanwhile")
        let strike = Strike()
        let task = Task {
            var answered = 0
            do {
                while !strike.isDone, answered < 5_000 {
                    let number = answered
                    try await context.whileBusy { try await call(number) }
                    answered += 1
                    strike.answered()
                }
                return (answered, nil as CallProblem?)
            } catch let problem as CallProblem {
                return (answered, strike.isDone ? nil : problem)
            }
        }
        // Some calls are to be answered first, so that their results are checked too. A slow provider is not waited
        // for.
        for _ in 0..<200 where !strike.hasAnswers { await Pause.uncancelled(.milliseconds(5)) }
        let pause = context.random { Int($0.next() % 25_000) }
        try? await Task.sleep(for: .microseconds(pause))
        strike.done()
        await context.stop(kill: true)
        let (answered, problem) = try await task.value
        try await context.start()
        if let problem {
            // Calls that a client of a daemon cannot make are not tried there.
            if problem.isNotAvailable { return answered }
            context.report(problem, expected: "an answer, because it had not been killed by then")
        }
        return answered
    }

    /// What has happened up to the kill.
    private final class Strike: Sendable {
        private let state = Mutex((isDone: false, hasAnswers: false))

        /// Whether the provider has been killed, or is about to be.
        var isDone: Bool { state.withLock { $0.isDone } }

        /// Whether a call was answered.
        var hasAnswers: Bool { state.withLock { $0.hasAnswers } }

        func done() { state.withLock { $0.isDone = true } }

        func answered() { state.withLock { $0.hasAnswers = true } }
    }

    private static func anyCall(_ context: CaseContext) async throws {
        let keeps = context.has(.write) && context.options.keepsDocuments
        let document = keeps ? try await context.makeFile("kept.bin", count: 300_000) : nil
        let before = try await context.list(CaseContext.root)
        for (kind, call) in try await asking(context, document) {
            _ = try await strike(context, kind) { _ in try await call() }
            let after = try await context.list(CaseContext.root)
            context.expect(
                after.map(\.identifier).sorted() == before.map(\.identifier).sorted(),
                did: "Listing the top folder after the provider was killed during \(kind)",
                expected: PlainText.names(before.map(\.name).sorted()),
                got: PlainText.names(after.map(\.name).sorted()), requirement: .crashes)
            if let document {
                try await context.expectContent(
                    of: document, after: "the provider was killed during \(kind)", requirement: .crashes)
            }
        }
        guard keeps else { return }
        try await KilledWriting(context).all()
    }

    /// The calls that change nothing, each with its name, as far as this provider supports them.
    private static func asking(
        _ context: CaseContext, _ document: ModelFile?
    ) async throws -> [(String, @Sendable () async throws -> Void)] {
        let root = CaseContext.root
        let found: String?
        if let document {
            found = document.identifier
        } else {
            found = try await context.walk().first { !$0.isFolder && $0.symbolicLinkTarget == nil }?.identifier
        }
        var calls: [(String, @Sendable () async throws -> Void)] = [
            ("Item", { _ = try await context.item(root) }),
            ("Children", { _ = try await context.list(root) }),
            ("Child", { _ = try await context.problem { try await context.child("no such name", in: root) } }),
        ]
        if let found {
            calls.append(("reading a document", { _ = try await context.read(found) }))
            if context.transport.abilities.contains(.direct) {
                calls.append(("Observe", { _ = try await context.problem { try await context.observe(found, true) } }))
            }
        }
        if context.has(.changes) {
            calls.append(("Changes", { _ = try await context.changes(since: nil) }))
        }
        if context.has(.authenticate) {
            calls.append(
                (
                    "SignInForms",
                    { _ = try await context.call(FileProviderInterface.SignInForms.self, .init(), "SignInForms") }
                ))
        }
        if context.subject.credential != nil, context.transport.abilities.contains(.direct) {
            calls.append(("SignIn", { try await context.signIn(try context.session) }))
        }
        return calls
    }

    private static func initializing(_ context: CaseContext) async throws {
        for round in 1...4 {
            context.step("Initialize, killing the provider meanwhile, for the \(round). time")
            let session = try await context.open()
            let introduction = try context.introduction(session: session)
            let task = Task { _ = try? await session.initialize(introduction) }
            let pause = context.random { Int($0.next() % 6_000) }
            try? await Task.sleep(for: .microseconds(pause))
            _ = await session.instance.stop(kill: true)
            session.close()
            await task.value
        }
        await context.stop()
        try await context.start()
        let items = try await context.list(CaseContext.root)
        context.expectListed(items, in: CaseContext.root)
    }

    private static func packages(_ context: CaseContext) async throws {
        try context.requireKept()
        let folder = try await context.makeFolder().identifier
        let contents = ["a.txt": context.randomBytes(3_000), "parts/b.txt": context.randomBytes(20_000)]
        for round in 1...4 {
            let count = try await strike(context, "BeginPackage, StageElement and CommitPackage") { number in
                _ = try await PackagesCases.make(
                    context, contents, named: "Cut \(round) \(number).rtfd", in: folder,
                    operation: context.newOperation(), isWatched: false)
            }
            let found = try await context.list(folder).filter { $0.name.hasPrefix("Cut \(round) ") }
            let wanted = (0..<count).map { "Cut \(round) \($0).rtfd" }
            let extra = found.filter { !wanted.contains($0.name) }
            let lost = Set(wanted).subtracting(found.map(\.name)).sorted()
            context.expect(
                lost.isEmpty && extra.count <= 1,
                did: "Listing the folder after the provider was killed while packages were made in it",
                expected: "the \(count) packages whose CommitPackage was answered, and at most one more",
                got: "\(PlainText.names(found.map(\.name).sorted())); not \(PlainText.names(lost))",
                requirement: .durability)
            for package in extra + found.suffix(1) {
                try await PackagesCases.expect(
                    context, package, has: contents, after: "the provider was killed while it was made")
            }
        }
    }
}
