import Rights
import Testing

@testable import RemoteDocuments

/// Metadata that waits for its creation to begin (K10), and which of it is dropped beyond the limit.
@Suite struct WaitingMetadataTests {
    private typealias Waiting = WaitingMetadata<Int>

    private static func principal(_ number: Int, _ kind: Principal.Kind = .flatpak) -> Principal {
        Principal(kind: kind, identifier: "org.example.\(number)")
    }

    @Test("K10: a client's metadata is found once, only by that client, and the last for an operation counts")
    func found() {
        var waiting = Waiting()
        waiting.put(1, "a", of: Self.principal(0))
        waiting.put(2, "a", of: Self.principal(0))
        waiting.put(3, "a", of: Self.principal(1))
        #expect(waiting.count == 2)
        #expect(waiting.take("a", of: Self.principal(2)) == nil)
        #expect(waiting.take("a", of: Self.principal(0, .unconfined)) == nil)
        #expect(waiting.take("b", of: Self.principal(0)) == nil)
        #expect(waiting.take("a", of: Self.principal(0)) == 2)
        #expect(waiting.take("a", of: Self.principal(0)) == nil)
        #expect(waiting.take("a", of: Self.principal(1)) == 3)
    }

    @Test("K10: a client beyond its limit loses its own oldest metadata, and no other client's")
    func ownGoes() {
        var waiting = Waiting()
        waiting.put(-1, "mine", of: Self.principal(0))
        for number in 0..<1_000 { waiting.put(number, "\(number)", of: Self.principal(1)) }
        #expect(waiting.count == Waiting.maximumOfOne + 1)
        #expect(waiting.take("mine", of: Self.principal(0)) == -1)
        #expect(waiting.take("\(999 - Waiting.maximumOfOne)", of: Self.principal(1)) == nil)
        #expect(waiting.take("\(1_000 - Waiting.maximumOfOne)", of: Self.principal(1)) != nil)
    }

    @Test("K10: beyond the total limit the oldest metadata of the largest client is dropped")
    func largestGoes() {
        var waiting = Waiting()
        waiting.put(-1, "mine", of: Self.principal(0))
        for client in 1...20 {
            for number in 0..<Waiting.maximumOfOne { waiting.put(number, "\(number)", of: Self.principal(client)) }
            #expect(waiting.count <= Waiting.maximum)
        }
        #expect(waiting.count == Waiting.maximum)
        #expect(waiting.take("mine", of: Self.principal(0)) == -1)
        // The client that came last keeps some, too.
        #expect(waiting.take("\(Waiting.maximumOfOne - 1)", of: Self.principal(20)) != nil)
    }

    @Test("I2: metadata of an unknown kind of client is never found, and takes no more space than the limit")
    func unknown() {
        var waiting = Waiting()
        for number in 0..<1_000 { waiting.put(number, "\(number)", of: Self.principal(0, .unknown)) }
        #expect(waiting.count == Waiting.maximum)
        #expect(waiting.take("999", of: Self.principal(0, .unknown)) == nil)
    }
}
