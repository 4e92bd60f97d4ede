import Coordination
import Testing

/// Checks the rules of SEMANTICS 2.3 to 2.9 with random events in random order.
@Suite struct CoordinationPropertyTests {
    @Test("2.3 to 2.9: random clients never break a rule, and every claim is served", arguments: [false, true])
    func random(moves: Bool) {
        var grants = 0
        var deadlocks = 0
        for seed in 0..<150 as Range<UInt64> {
            var clients = RandomClients(seed: seed, moves: moves)
            for _ in 0..<120 where clients.referee.complaints.isEmpty { clients.step() }
            if clients.referee.complaints.isEmpty { clients.finish() }
            guard clients.referee.complaints.isEmpty else {
                Issue.record("Seed \(seed): \(clients.referee.complaints.prefix(3).joined(separator: "\n"))")
                return
            }
            grants += clients.referee.grants
            deadlocks += clients.referee.deadlocks
        }
        #expect(grants > 2500, "too few claims were granted for a real test")
        #expect(deadlocks > 50, "too few deadlocks arose for a real test")
    }

    @Test("Equal events have equal effects")
    func deterministic() {
        func messages(_ seed: UInt64) -> [PresenterMessage] {
            var clients = RandomClients(seed: seed, moves: true)
            for _ in 0..<200 { clients.step() }
            return clients.referee.messages.values.sorted { $0.id < $1.id }
        }
        for seed in 1000..<1004 as Range<UInt64> { #expect(messages(seed) == messages(seed)) }
    }
}
