import DocentInterfaces
import Varlink

/// Memory, descriptors and threads over many operations.
enum GrowthCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "growth.brief", level: 5, abilities: [.measure], patience: 2, requirements: [.interface],
            "After a thousand operations the provider uses about as many resources as before."
        ) { try await grow($0, warmUp: 300, count: 1_000, bytes: 12 << 20, patience: 2) },
        ValidationCase(
            "growth.long", level: 10, abilities: [.measure], patience: 15, requirements: [.interface],
            "After ten thousand operations, fewer for a slow service, the provider uses about as many resources as before."
        ) { try await grow($0, warmUp: 2_000, count: 10_000, bytes: 16 << 20, patience: 15) },
        ValidationCase(
            "growth.refused", level: 6, abilities: [.measure], patience: 3, requirements: [.interface],
            "Two thousand refused calls leak nothing."
        ) { try await refused($0) },
        ValidationCase(
            "growth.connections", level: 6, abilities: [.measure, .direct], patience: 3, requirements: [.interface],
            "Closed connections leak no descriptors."
        ) { try await connections($0) },
    ]

    private static func figures(_ context: CaseContext) throws -> ProcessFigures {
        guard let process = try context.session.instance.process, let figures = ProcessFigures(process: process) else {
            try context.skip("the provider's process cannot be measured")
        }
        return figures
    }

    private static func compare(
        _ context: CaseContext, _ before: ProcessFigures, _ did: String, bytes: Int
    ) async throws {
        var after = try figures(context)
        // Descriptors that were just closed may take a moment to go.
        _ = try await context.eventually {
            after = try figures(context)
            return after.descriptors <= before.descriptors + 8 && after.threads <= before.threads + 24
        }
        context.expect(
            after.privateBytes - before.privateBytes <= bytes, did: did,
            expected: "at most \(bytes >> 20) MiB more memory than the \(before.privateBytes >> 20) MiB before",
            got: "\(after.privateBytes >> 20) MiB")
        context.expect(
            after.descriptors <= before.descriptors + 8, did: did,
            expected: "about as many open descriptors as before, \(before.descriptors)", got: "\(after.descriptors)")
        context.expect(
            after.threads <= before.threads + 24, did: did,
            expected: "about as many threads as before, \(before.threads)",
            got: "\(after.threads)")
        context.note(
            "\(did): \(before.privateBytes >> 10) KiB, then \(after.privateBytes >> 10) KiB; descriptors "
                + "\(before.descriptors), then \(after.descriptors); threads \(before.threads), then \(after.threads)")
    }

    // With a slow service, as many operations as the time allows. Some services are waited for on purpose, for example
    // where versions are whole seconds.
    private static func grow(
        _ context: CaseContext, warmUp: Int, count: Int, bytes: Int, patience: Int
    ) async throws {
        let share = Duration.seconds(context.options.caseLimit * Double(patience) / 6)
        let documents = try await prepared(context)
        let warm = try await operate(context, documents, warmUp, within: share)
        var before = try figures(context)
        var done = try await operate(context, documents, count, within: share * 2)
        // A heap may settle at a higher level once; a leak keeps growing.
        if try figures(context).privateBytes - before.privateBytes > bytes {
            before = try figures(context)
            done = try await operate(context, documents, count, within: share * 2)
        }
        try await compare(context, before, "\(done) operations after \(warm) to warm up", bytes: bytes)
    }

    private static func prepared(_ context: CaseContext) async throws -> [String] {
        if context.has(.write) {
            var made: [String] = []
            for _ in 0..<4 { made.append(try await context.makeFile(count: 8_192).identifier) }
            return made
        }
        return try await context.walk().filter { !$0.isFolder && ($0.size ?? 0) < 1 << 20 }.prefix(4).map(\.identifier)
    }

    /// Returns the number of operations: fewer than wanted if the time is up.
    private static func operate(
        _ context: CaseContext, _ documents: [String], _ count: Int, within limit: Duration
    ) async throws -> Int {
        let end = ContinuousClock.now + limit
        let folder = context.has(.write) ? try await context.workFolder().identifier : CaseContext.root
        let name = context.freshName("grown")
        var done = 0
        while done < count, .now < end {
            _ = try await context.item(CaseContext.root)
            _ = try await context.page(of: folder)
            done += 2
            if !documents.isEmpty {
                let document = documents[done % documents.count]
                _ = try await context.read(document)
                done += 1
                if done % 3 == 0, context.has(.write), !context.has(.inPlace) || done % 9 == 0 {
                    _ = try await context.modify(document, base: nil, content: context.randomBytes(4_096))
                    done += 1
                }
            }
            if context.has(.write), context.has(.delete), done % 5 == 0 {
                let made = try await context.makeFile(name, in: folder, count: 1_000)
                try await context.delete(made.identifier)
                done += 2
            }
        }
        return done
    }

    private static func refused(_ context: CaseContext) async throws {
        func refuse(_ count: Int) async throws {
            for number in 0..<count {
                _ = try await context.problem { _ = try await context.item("nothing-has-this-identifier-\(number)") }
                _ = try await context.problem { _ = try await context.read("nothing-has-this-identifier-\(number)") }
            }
        }
        try await refuse(200)
        let before = try figures(context)
        try await refuse(1_000)
        try await compare(context, before, "2000 refused calls", bytes: 12 << 20)
    }

    private static func connections(_ context: CaseContext) async throws {
        func connect(_ count: Int) async throws {
            for _ in 0..<count { try await context.session.taken(did: "Connect").close() }
        }
        try await connect(20)
        let before = try figures(context)
        try await connect(300)
        _ = try await context.item(CaseContext.root)
        try await compare(context, before, "300 connections, closed at once", bytes: 12 << 20)
    }
}
