import DocentInterfaces
import Varlink

/// The life cycle: Initialize first and again, unknown domains, and the end.
enum LifeCycleCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "lifecycle.initialize", level: 1, requirements: [.interface],
            "The answer to Initialize names the provider's SDK and its features."
        ) { try await initialize($0) },
        ValidationCase(
            "lifecycle.before", level: 2, abilities: [.lifeCycle, .direct], requirements: [.interface],
            "Calls before Initialize are refused, and Initialize still works."
        ) { try await before($0) },
        ValidationCase(
            "lifecycle.again", level: 2, abilities: [.direct], requirements: [.interface, .instances],
            "A second Initialize with the same domains changes nothing."
        ) { try await again($0) },
        ValidationCase(
            "lifecycle.unknownDomain", level: 2, requirements: [.interface, .instances],
            "A domain that Initialize did not name is refused, and shows nothing of other domains."
        ) { try await unknownDomain($0) },
        ValidationCase(
            "lifecycle.domains", level: 3, abilities: [.direct], requirements: [.interface, .instances],
            "A second Initialize adds and removes domains."
        ) { try await domains($0) },
        ValidationCase(
            "lifecycle.connections", level: 3, abilities: [.direct], requirements: [.interface, .connections],
            "Sixteen connections work at the same time, and closing one does not affect the others."
        ) { try await connections($0) },
        ValidationCase(
            "lifecycle.unknownMethod", level: 2, abilities: [.direct], requirements: [.interface, .growth],
            "An unknown method is answered with an error, and the connection stays usable."
        ) { try await unknownMethod($0) },
        ValidationCase(
            "lifecycle.garbage", level: 4, abilities: [.direct], requirements: [.interface, .cancelling, .limits],
            "Garbage on one connection ends at most that connection."
        ) { try await garbage($0) },
        ValidationCase(
            "lifecycle.end", level: 2, abilities: [.restart], requirements: [.interface, .deadlines],
            "The provider ends within some seconds after the host has closed the connection."
        ) { try await end($0) },
    ]

    private static func initialize(_ context: CaseContext) async throws {
        let session = try context.session
        let declared = session.declared
        context.expect(
            Set(declared).count == declared.count, did: "Initialize", expected: "every feature once",
            got: PlainText.names(declared))
        let unknown = declared.filter { ProviderFeature(rawValue: $0) == nil }
        context.expect(
            unknown.isEmpty, did: "Initialize",
            expected: "only features among " + ProviderFeature.allCases.map(\.rawValue).joined(separator: ", "),
            got: "also " + PlainText.names(unknown))
        context.expect(
            !session.sdk.isEmpty, did: "Initialize", expected: "the name of the provider's SDK in `sdk`",
            got: "an empty text")
    }

    private static func before(_ context: CaseContext) async throws {
        let session = try await startedAlone(context)
        for (did, call) in early(context, session) {
            context.step(did)
            do {
                try await call()
                context.report(did: did + ", before Initialize", expected: "an error", got: "success")
            } catch let problem as CallProblem {
                guard problem.failure == nil else { continue }
                context.report(did: did + ", before Initialize", expected: "an error", got: problem.got)
            }
        }
        try await session.initialize(try context.introduction(session: session))
        try await context.signIn(session)
        _ = try await session.call(
            FileProviderInterface.Item.self, .init(domain: "", identifier: CaseContext.root),
            did: "Item of the top folder after premature calls and Initialize")
        try await finish(session)
    }

    // The case itself starts without Initialize; this takes the process that it started.
    private static func startedAlone(_ context: CaseContext) async throws -> ProviderSession {
        await context.stop()
        return try await context.open()
    }

    private static func finish(_ session: ProviderSession) async throws {
        session.close()
        _ = await session.instance.stop(kill: false)
    }

    private static func early(
        _ context: CaseContext, _ session: ProviderSession
    ) -> [(String, () async throws -> Void)] {
        let root = CaseContext.root
        return [
            (
                "Item of the top folder",
                {
                    _ = try await session.call(
                        FileProviderInterface.Item.self, .init(domain: "", identifier: root), did: "Item")
                }
            ),
            (
                "Children of the top folder",
                {
                    _ = try await session.call(
                        FileProviderInterface.Children.self, .init(domain: "", parent: root), did: "Children")
                }
            ),
            (
                "Delete of \"x\"",
                {
                    _ = try await session.call(
                        FileProviderInterface.Delete.self, .init(domain: "", identifier: "x", recursive: false),
                        did: "Delete")
                }
            ),
        ]
    }

    private static func again(_ context: CaseContext) async throws {
        let before = try await context.list(CaseContext.root)
        let declared = try context.session.declared
        context.step("Initialize again, as before")
        let reply = try await context.session.initialize(try context.introduction())
        try await context.signIn(try context.session)
        context.expect(
            Set(reply.features) == Set(declared), did: "Initialize again, as before",
            expected: "the features " + PlainText.names(declared.sorted()),
            got: PlainText.names(reply.features.sorted()))
        let after = try await context.list(CaseContext.root)
        let names = { (items: [Wire.ProviderItem]) in
            items.map { PlainText.quoted($0.name) + " " + PlainText.quoted($0.identifier) }.sorted()
        }
        context.expect(
            names(before) == names(after), did: "Children of the top folder after Initialize was called again",
            expected: names(before).prefix(12).joined(separator: ", "),
            got: names(after).prefix(12).joined(separator: ", "))
    }

    private static func unknownDomain(_ context: CaseContext) async throws {
        let session = try context.session
        for domain in ["nobody-told-of-this", "../x", String(repeating: "d", count: 300)] {
            let text = PlainText.quoted(domain, limit: 40)
            try await context.expectError(did: "Item of the top folder of the unknown domain \(text)") {
                try await session.call(
                    FileProviderInterface.Item.self, .init(domain: domain, identifier: CaseContext.root),
                    did: "Item in the unknown domain \(text)"
                ).value.item
            }
            try await context.expectError(did: "Children of the top folder of the unknown domain \(text)") {
                try await session.call(
                    FileProviderInterface.Children.self, .init(domain: domain, parent: CaseContext.root),
                    did: "Children in the unknown domain \(text)"
                ).value.items.count
            }
        }
    }

    private static func domains(_ context: CaseContext) async throws {
        let session = try context.session
        func root(_ domain: String) async throws -> Wire.ProviderItem {
            try await session.call(
                FileProviderInterface.Item.self, .init(domain: domain, identifier: CaseContext.root),
                did: "Item of the top folder of the domain \(PlainText.quoted(domain))"
            ).value.item
        }
        context.step("Initialize with a second domain")
        try await session.initialize(try context.introduction(domains: ["", "second"]))
        try await context.signIn(session)
        _ = try await root("")
        if context.subject.credential != nil {
            // The credential of the run belongs to the first domain: all that can be checked is that the second one is
            // known.
            _ = try await context.problem { try await root("second") }
        } else {
            _ = try await root("second")
        }
        context.step("Initialize without the second domain")
        try await session.initialize(try context.introduction())
        try await context.signIn(session)
        _ = try await root("")
        try await context.expectError(did: "Item of the top folder of a domain that was dropped") {
            try await root("second")
        }
    }

    private static func connections(_ context: CaseContext) async throws {
        let session = try context.session
        var connections: [VarlinkConnection] = []
        defer { for connection in connections { connection.close() } }
        for number in 1...16 {
            connections.append(try await session.taken(did: "Connect, the connection \(number) of 16"))
        }
        let open = connections
        context.step("Item of the top folder over 16 connections at the same time")
        let problems = await withTaskGroup(of: String?.self) { group in
            for connection in open {
                group.addTask { await ask(connection, session) }
            }
            return await group.reduce(into: [String]()) { if let problem = $1 { $0.append(problem) } }
        }
        context.expect(
            problems.isEmpty, did: "Item of the top folder over 16 connections at the same time",
            expected: "16 answers", got: "\(16 - problems.count) answers, and: " + (problems.first ?? ""))
        open.first?.close()
        context.step("Item over a connection whose neighbour was closed")
        if let last = open.last, let problem = await ask(last, session) {
            context.report(
                did: "Item of the top folder after another connection was closed", expected: "an answer", got: problem)
        }
    }

    private static func ask(_ connection: VarlinkConnection, _ session: ProviderSession) async -> String? {
        do {
            let _: Reply<FileProviderInterface.Item.Reply> = try await connection.call(
                FileProviderInterface.Item.name,
                FileProviderInterface.Item.Parameters(domain: "", identifier: CaseContext.root),
                deadline: session.deadline)
            return nil
        } catch {
            return await CallProblem(
                error, did: "Item", deadline: session.deadline, instance: session.instance, isOver: { session.isOver }
            ).got
        }
    }

    private static func unknownMethod(_ context: CaseContext) async throws {
        let session = try context.session
        for method in ["org.docent.FileProvider.NobodyKnowsThis", "org.example.Nothing.At.All"] {
            let did = "The unknown method \(method)"
            context.step(did)
            let reply = try await session.callRaw(#"{"method":"\#(method)","parameters":{}}"#, did: did)
            context.expect(
                reply.contains("\"error\"") && reply.contains("org.varlink.service."), did: did,
                expected: "an error of org.varlink.service, such as MethodNotFound",
                got: PlainText.escaped(reply, limit: 300))
        }
        _ = try await context.item(CaseContext.root)
    }

    private static func garbage(_ context: CaseContext) async throws {
        let session = try context.session
        let deep = String(repeating: "[", count: 5_000)
        let messages = [
            "this is no JSON", "{}", "[]", #"{"method":7}"#, #"{"method":"org.docent.FileProvider.Item"}"#,
            #"{"method":"org.docent.FileProvider.Item","parameters":{"domain":3,"identifier":[]}}"#,
            #"{"method":"org.docent.FileProvider.Item","parameters":\#(deep)"#,
            #"{"method":"org.docent.FileProvider.Fetch","parameters":{"domain":"","identifier":"x","destination":7}}"#,
        ]
        for message in messages {
            let did = "The message \(PlainText.quoted(message, limit: 80))"
            context.step(did)
            // An error or hanging up are both fine; what matters is that nothing else is affected.
            guard let problem = try await context.problem({ try await session.callRaw(message, did: did) }) else {
                continue
            }
            if case .silence = problem.kind {
                context.report(problem, expected: "an error, or the end of that connection")
            }
        }
        context.step("Item of the top folder after garbage on other connections")
        _ = try await context.item(CaseContext.root)
    }

    private static func end(_ context: CaseContext) async throws {
        _ = try await context.list(CaseContext.root)
        context.step("Hanging up")
        let end = await context.stop()
        context.expect(
            end != nil, did: "Closing the connection, on which the provider must end",
            expected: "the end of its process within some seconds", got: "it continued and had to be killed")
        if context.transport.abilities.isSuperset(of: [.kill, .direct]), let end {
            context.expect(
                end == "ended with the code 0", did: "Closing the connection, on which the provider must end",
                expected: "an end with the code 0", got: "it " + end)
        }
    }
}
