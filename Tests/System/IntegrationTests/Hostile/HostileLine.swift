import DocentTestSupport
import Testing

/// The hostile client's line about one attack: its name, and the outcome in one word.
struct HostileLine: Decodable, Sendable, CustomStringConvertible {
    var attack: String
    var came: String

    var description: String { "\(attack): \(came)" }
}

extension [HostileLine] {
    /// The answers to the attacks with this prefix, each once.
    func answers(_ prefix: String) -> Set<String> { Set(filter { $0.attack.hasPrefix(prefix) }.map(\.came)) }

    /// Expects every attack with this prefix to have one of these outcomes, and at least one such attack.
    func expect(
        _ prefix: String, _ allowed: Set<String>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let met = filter { $0.attack.hasPrefix(prefix) }
        #expect(!met.isEmpty, "there was no attack \(prefix)", sourceLocation: sourceLocation)
        let wrong = met.filter { !allowed.contains($0.came) }
        #expect(wrong.isEmpty, "\(wrong)", sourceLocation: sourceLocation)
    }
}
