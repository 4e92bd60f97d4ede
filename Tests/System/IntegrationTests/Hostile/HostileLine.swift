import DocentTestSupport
import Testing

/// What the hostile client printed about one attack: its name, and what came of it in one word.
struct HostileLine: Decodable, Sendable, CustomStringConvertible {
    var attack: String
    var came: String

    var description: String { "\(attack): \(came)" }
}

extension [HostileLine] {
    /// The answers to the attacks whose names begin so, each once.
    func answers(_ prefix: String) -> Set<String> { Set(filter { $0.attack.hasPrefix(prefix) }.map(\.came)) }

    /// Expects every attack whose name begins so to be answered with one of these, and that there was one at all.
    func expect(
        _ prefix: String, _ allowed: Set<String>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let met = filter { $0.attack.hasPrefix(prefix) }
        #expect(!met.isEmpty, "there was no attack \(prefix)", sourceLocation: sourceLocation)
        let wrong = met.filter { !allowed.contains($0.came) }
        #expect(wrong.isEmpty, "\(wrong)", sourceLocation: sourceLocation)
    }
}
