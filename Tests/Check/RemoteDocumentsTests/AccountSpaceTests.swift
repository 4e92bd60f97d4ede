import DocentInterfaces
import HostCore
import Synchronization
import Testing

@testable import RemoteDocuments

/// What a provider says of an account's space, and how long it counts.
@Suite(.timeLimit(.minutes(2))) struct AccountSpaceTests {
    private static let account = DomainKey(provider: "org.docent.Test", domain: "work")

    @Test(
        "one of three values is derived from the others, and nonsense is not known",
        arguments: [
            ((100, 40, nil), (100, 40, 60)), ((100, nil, 60), (100, 40, 60)), ((nil, 40, 60), (100, 40, 60)),
            // Over its quota.
            ((100, 140, nil), (100, 140, 0)), ((100, 140, 0), (100, 140, 0)),
            ((nil, 7, nil), (nil, 7, nil)), ((nil, nil, 7), (nil, nil, 7)), ((nil, nil, nil), (nil, nil, nil)),
            ((-1, -3, .min), (nil, nil, nil)), ((100, -2, 60), (100, 40, 60)), ((1, nil, .max), (1, nil, nil)),
            ((nil, .max, .max), (nil, .max, .max)), ((0, 0, 0), (0, 0, 0)),
        ] as [((Int?, Int?, Int?), (Int?, Int?, Int?))])
    func checked(given: (Int?, Int?, Int?), expected: (Int?, Int?, Int?)) {
        let space = AccountSpace(total: given.0, used: given.1, available: given.2)
        #expect(space.total == expected.0 && space.used == expected.1 && space.available == expected.2)
    }

    /// A clock that a test moves, and a provider that counts its calls.
    private final class World: Sendable {
        private let state = Mutex((now: ContinuousClock.now, asked: 0))

        var asked: Int { state.withLock { $0.asked } }
        var now: ContinuousClock.Instant { state.withLock { $0.now } }

        func pass(_ time: Duration) { state.withLock { $0.now += time } }

        func answer() -> AccountSpace {
            state.withLock { state in
                state.asked += 1
                return AccountSpace(total: state.asked)
            }
        }
    }

    @Test("an answer counts for a minute")
    func minute() async throws {
        let world = World()
        let spaces = AccountSpaces { world.now }
        for _ in 0..<3 { #expect(try await spaces.space(of: Self.account) { world.answer() }.total == 1) }
        world.pass(.seconds(59))
        #expect(try await spaces.space(of: Self.account) { world.answer() }.total == 1)
        world.pass(.seconds(2))
        #expect(try await spaces.space(of: Self.account) { world.answer() }.total == 2)
        #expect(world.asked == 2)
    }

    @Test("accounts have their own space, and one that was changed is asked again")
    func forgotten() async throws {
        let world = World()
        let spaces = AccountSpaces { world.now }
        let other = DomainKey(provider: Self.account.provider, domain: "home")
        #expect(try await spaces.space(of: Self.account) { world.answer() }.total == 1)
        #expect(try await spaces.space(of: other) { world.answer() }.total == 2)
        await spaces.forget(Self.account)
        #expect(try await spaces.space(of: Self.account) { world.answer() }.total == 3)
        #expect(try await spaces.space(of: other) { world.answer() }.total == 2)
    }

    @Test("an answer about an account that was changed meanwhile is not kept")
    func late() async throws {
        let world = World()
        let spaces = AccountSpaces { world.now }
        _ = try await spaces.space(of: Self.account) {
            await spaces.forget(Self.account)
            return world.answer()
        }
        #expect(try await spaces.space(of: Self.account) { world.answer() }.total == 2)
    }

    @Test("a provider that fails or hangs keeps nobody from the earlier answer")
    func earlier() async throws {
        let world = World()
        let spaces = AccountSpaces { world.now }
        _ = try await spaces.space(of: Self.account) { world.answer() }
        world.pass(.seconds(100))
        let failed = try await spaces.space(of: Self.account) { throw Failure(.unavailable, "It is away.") }
        #expect(failed.total == 1)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let slow = try await spaces.space(of: Self.account) {
            for await _ in gate {}
            return world.answer()
        }
        #expect(slow.total == 1)
        opening.finish()
        // The late answer counts for the next one who asks.
        while try await spaces.space(of: Self.account, { world.answer() }).total == 1 { await Task.yield() }
    }

    @Test("without an earlier answer, a failure is a failure")
    func failure() async throws {
        let spaces = AccountSpaces()
        await #expect(throws: Failure.self) {
            try await spaces.space(of: Self.account) { throw Failure(.unavailable, "It is away.") }
        }
    }
}
