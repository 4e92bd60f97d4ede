import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import ExtensionManifest
import HostCore
import HostTesting
import Rights
import Testing

@testable import HostServices

/// A provider that is stopped while it is starting: a process that began before a decision must not outlive it.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct StoppedStartTests {
    private static let provider = TestProviderKind.inPlace.identifier

    private static func document(_ host: TestHost) -> ItemKey {
        TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "text"))
    }

    private static func status(_ host: TestHost) async -> Wire.ExtensionStatus? {
        await host.services.supervisor.statuses().first { $0.provider == provider }
    }

    @Test("S3: a provider that is disabled while it is starting does not come up")
    func disabled() async throws {
        try await TestHost.with { host in
            let key = Self.document(host)
            let start = host.extensions.hold(Self.provider)
            let reading = Task { try await host.client().read(key) }
            await start.reached()
            try await host.services.administration.disable(Self.provider)
            start.open()
            let failure = await #expect(throws: Failure.self) { _ = try await reading.value }
            #expect(failure?.code == .unavailable && failure?.message.contains("was stopped") == true)
            #expect(host.extensions.starts(of: Self.provider) == 0)
            let status = try #require(await Self.status(host))
            #expect(status.state == "ended" && status.crashes == 0)
        }
    }

    @Test("S3: a call that began before a provider was disabled does not start it afterwards")
    func begun() async throws {
        try await TestHost.with { host in
            _ = Self.document(host)
            let known = try await host.services.registry.usable(Self.provider)
            try await host.services.administration.disable(Self.provider)
            let failure = await #expect(throws: Failure.self) {
                _ = try await host.services.supervisor.connection(known, .fileProvider)
            }
            #expect(failure?.code == .notPermitted)
            #expect(host.extensions.starts(of: Self.provider) == 0)
        }
    }

    @Test(
        "Law 3: a provider that breaks the protocol as it starts is told so, also when it has ended by then",
        arguments: [(ExtensionExit.exited(0), "broke the protocol"), (.signalled(6), "was killed by signal 6")])
    func broken(_ exit: ExtensionExit, says: String) async throws {
        try await TestHost.with { host in
            let key = Self.document(host)
            host.extensions.break(Self.provider, exit: exit)
            let failure = await #expect(throws: Failure.self) { _ = try await host.client().read(key) }
            #expect(failure?.message.contains(says) == true, "\(failure?.message ?? "")")
        }
    }

    @Test("A call after a provider was stopped during its start is answered by the next process")
    func next() async throws {
        try await TestHost.with { host in
            let key = Self.document(host)
            let start = host.extensions.hold(Self.provider)
            let first = Task { try await host.client().read(key) }
            await start.reached()
            let stop = Task { await host.services.supervisor.stop(Self.provider) }
            let second = Task { try await host.client().read(key) }
            await stop.value
            start.open()
            await #expect(throws: Failure.self) { _ = try await first.value }
            // The call may have joined the start just before it was stopped.
            _ = await second.result
            let text = try await host.client().read(key)
            #expect(text == "text")
            #expect(host.extensions.starts(of: Self.provider) == 1)
        }
    }

    @Test("Law 3: a reset ends the delay before a restart after a crash")
    func reset() async throws {
        try await TestHost.with { host in
            let key = Self.document(host)
            #expect(try await host.client().read(key) == "text")
            host.kill(.inPlace)
            try await TransferSupport.eventually { await Self.status(host)?.state == "ended" }
            // Data that was read before is still cached.
            let other = TestProviderKind.inPlace.key(host.store(.inPlace).add("b.txt", "other"))
            let reading = Task { try await host.client().read(other) }
            await host.clock.sleeper("ExtensionSupervisor")
            try await host.services.administration.reset(Self.provider)
            #expect(!host.clock.sleepers.contains { $0.caller == "ExtensionSupervisor" })
            host.clock.advance(by: .seconds(1))
            await #expect(throws: Failure.self) { _ = try await reading.value }
            #expect(try await host.client().read(other) == "other")
            #expect(host.extensions.starts(of: Self.provider) == 2)
        }
    }
}
