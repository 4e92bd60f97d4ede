import CLinux
import ExtensionHosting
package import FileProviderValidation
import Glibc
import ProcessLaunching

/// The behaviour of a provider's process, observed from outside while it works.
package enum SandboxCases {
    /// All of these cases.
    package static let all: [ValidationCase] = [
        ValidationCase(
            "sandbox.files", level: 3, abilities: [.measure, .direct], requirements: [.interface, .sandboxReach],
            "Nothing is created, changed or left open outside the container and the folders in the manifest."
        ) { try await files($0) },
        ValidationCase(
            "sandbox.network", level: 3, abilities: [.measure, .direct], requirements: [.interface, .sandboxReach],
            "Without com.apple.security.network.client there is no network, and no network socket is created."
        ) { try await network($0) },
        ValidationCase(
            "sandbox.processes", level: 2, abilities: [.measure, .direct], requirements: [.interface, .processes],
            "No process is started without org.docent.spawn, and none remains when the provider has ended."
        ) { try await processes($0) },
        ValidationCase(
            "sandbox.end", level: 1, abilities: [.measure, .direct], requirements: [.interface, .deadlines],
            "The process exits with status 0 when its socket is closed."
        ) { try await end($0) },
        ValidationCase(
            "sandbox.killed", level: 4, abilities: [.measure, .direct, .kill, .sandbox],
            requirements: [.interface, .processes],
            "No process of the provider outlives its sandbox."
        ) { try await killed($0) },
        ValidationCase(
            "sandbox.output", level: 3, abilities: [.measure, .direct], requirements: [.interface],
            "Standard output and error are for diagnostics: some lines, not a flood."
        ) { try await output($0) },
    ]

    /// The most bytes that ordinary work may write to standard output and standard error.
    static let outputLimit = 64 << 10

    // MARK: Files

    private static func files(_ context: CaseContext) async throws {
        let provider = try hosted(context)
        try Canary.plant(in: context.directory, except: provider.allowed)
        let before = FileSurvey(context.directory, except: provider.allowed)
        var strangers: Set<String> = []
        try await ProviderWork.perform(context) { did in
            let open = OpenFiles.paths(
                of: provider.process, outside: provider.allowed, watched: context.directory)
            for path in open where strangers.insert(path).inserted {
                context.report(
                    did: did + ", and looking at the open files of its process",
                    expected: "files of its container, of folders in its manifest, and libraries",
                    got: PlainText.quoted(path), requirement: .sandboxReach)
            }
        }
        await context.stop()
        report(
            .write, context, provider, expected: "no attempt to create or change files that it must not touch",
            requirement: .sandboxReach)
        for change in FileSurvey(context.directory, except: provider.allowed).changes(since: before).prefix(10) {
            context.report(
                did: "Working with a provider whose home contains files that it must not touch",
                expected: "an unchanged home, except for the container and the folders in the manifest", got: change,
                requirement: .sandboxReach)
        }
    }

    // MARK: Network

    private static func network(_ context: CaseContext) async throws {
        let provider = try hosted(context)
        guard !provider.hasNetwork else { try context.skip("its manifest asks for the network, and gets it") }
        if context.transport.abilities.contains(.sandbox) {
            let own = Symlink.target("/proc/self/ns/net")
            let its = await provider.knownProcess().flatMap { Symlink.target("/proc/\($0)/ns/net") }
            context.expect(
                its != nil && its != own, did: "Looking at the network namespace of its process",
                expected: "a network namespace of its own", got: its ?? "none that can be inspected",
                requirement: .sandboxReach)
        }
        var isReported = false
        try await ProviderWork.perform(context) { did in
            guard !isReported, let socket = OpenFiles.networkSockets(of: provider.process).first else { return }
            isReported = true
            context.report(
                did: did + ", and looking at the sockets of its process",
                expected: "no network sockets: its manifest has no com.apple.security.network.client",
                got: "a socket of \(socket)", requirement: .sandboxReach)
        }
        await context.stop()
        report(
            .socket, context, provider,
            expected: "no attempt to reach the network: its manifest has no com.apple.security.network.client",
            requirement: .sandboxReach)
    }

    // MARK: Processes

    private static func processes(_ context: CaseContext) async throws {
        let provider = try hosted(context)
        var seen: Set<Int32> = []
        var isReported = false
        try await ProviderWork.perform(context) { did in
            guard let process = provider.process else { return }
            let children = ProcessTree.descendants(of: process)
            seen.formUnion(children)
            guard !provider.maySpawn, !isReported, let child = children.first else { return }
            isReported = true
            context.report(
                did: did + ", and looking for processes that it started",
                expected: "none: its manifest has no org.docent.spawn",
                got: "the process \(child), " + PlainText.quoted(ProcessTree.command(of: child)),
                requirement: .processes)
        }
        seen.formUnion(ProcessTree.descendants(of: provider.host.processIdentifier))
        let marked = seen.compactMap(ProcessTree.Member.init)
        await context.stop()
        if !provider.maySpawn {
            report(
                .process, context, provider,
                expected: "no attempt to start a process: its manifest has no org.docent.spawn", requirement: .processes
            )
        }
        // A killed process takes a moment to disappear.
        for _ in 0..<400 where marked.contains(where: \.isAlive) { await Pause.uncancelled(.milliseconds(5)) }
        if let left = marked.first(where: \.isAlive) {
            context.report(
                did: "Ending the provider", expected: "the end of every process that it started",
                got: "the process \(left.process), " + PlainText.quoted(ProcessTree.command(of: left.process)),
                requirement: .processes)
        }
    }

    private static func end(_ context: CaseContext) async throws {
        let provider = try hosted(context)
        _ = try await context.page(of: CaseContext.root)
        context.step("Closing its socket")
        try context.session.close()
        guard let exit = await provider.host.exit(within: HostedProvider.patience) else {
            return context.report(
                did: "Closing the socket of a provider that has nothing to do",
                expected: "the end of its process within \(HostedProvider.patience)", got: "a running process",
                requirement: .deadlines)
        }
        context.expect(
            exit == .exited(0), did: "Closing the socket of a provider that has nothing to do",
            expected: "an end with status 0", got: "a process that \(exit)", requirement: .deadlines)
    }

    private static func killed(_ context: CaseContext) async throws {
        let provider = try hosted(context)
        _ = try await context.page(of: CaseContext.root)
        let outermost = provider.host.processIdentifier
        let family = ProcessTree.descendants(of: outermost).compactMap(ProcessTree.Member.init)
        context.step("Killing its sandbox")
        kill(outermost, SIGKILL)
        let exit = await provider.host.exit(within: HostedProvider.patience)
        for _ in 0..<400 where family.contains(where: \.isAlive) { await Pause.uncancelled(.milliseconds(5)) }
        let left = family.filter(\.isAlive)
        context.expect(
            exit != nil && left.isEmpty, did: "Killing the outermost process of its sandbox with SIGKILL",
            expected: "the end of all \(family.count) processes inside",
            got: left.isEmpty ? "no end" : "\(left.count) that outlive it", requirement: .processes)
    }

    private static func output(_ context: CaseContext) async throws {
        let provider = try hosted(context)
        try await ProviderWork.perform(context) { _ in }
        let bytes = provider.host.errorBytes
        context.expect(
            bytes <= outputLimit, did: "Listing, reading and writing a little",
            expected: "at most \(outputLimit) bytes on standard output and error", got: "\(bytes) bytes")
    }

    // The sandbox stopped it. The attempt is a finding all the same: a provider must not rely on being stopped.
    private static func report(
        _ kind: SandboxAttempt.Kind, _ context: CaseContext, _ provider: HostedProvider, expected: String,
        requirement: ProviderRequirement
    ) {
        let attempts = (provider.host.attempts ?? []).filter { $0.kind == kind }
        guard let first = attempts.first else { return }
        let words =
            switch kind {
            case .write: "an attempt to make or change "
            case .socket: "an attempt to make a socket of "
            case .process: "an attempt to start "
            }
        context.report(
            did: "Working with the provider, and asking the supervisor of its sandbox what it stopped",
            expected: expected, got: words + PlainText.quoted(first.object), requirement: requirement)
    }

    private static func hosted(_ context: CaseContext) throws -> HostedProvider {
        guard let provider = try context.session.instance as? HostedProvider else {
            try context.skip(
                "over the transport \"\(context.transport.name)\" the validator cannot observe its process")
        }
        return provider
    }
}
