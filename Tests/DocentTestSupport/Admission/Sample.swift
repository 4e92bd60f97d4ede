import Foundation

/// Selects a part of a list that is too long for every run, by a seed. The seeds 0 to 19, and any twenty consecutive
/// ones, cover the whole list.
package struct Sample: Sendable {
    /// The number of parts.
    package static let parts = 20

    /// The part for this run, from the number in `DOCENT_TEST_SEED`; everything if that is `all` or missing.
    package static let shared = Sample(ProcessInfo.processInfo.environment["DOCENT_TEST_SEED"] ?? "all")

    /// The seed; nil for everything.
    private let seed: Int?

    package init(_ seed: String) { self.seed = seed == "all" ? nil : Int(seed) ?? 0 }

    /// Whether everything is selected.
    package var isWhole: Bool { seed == nil }

    /// The elements for this run: a twentieth of them, but at least one.
    ///
    /// Neighbouring elements are in different parts, because neighbours often take their time for the same reason.
    package func of<Element>(_ all: [Element]) -> [Element] {
        guard let seed, !all.isEmpty else { return all }
        let part = ((seed % Self.parts) + Self.parts) % Self.parts
        let own = all.enumerated().filter { $0.offset % Self.parts == part }.map(\.element)
        return own.isEmpty ? [all[part % all.count]] : own
    }

    /// The pairs for this run, of all that two lists give.
    package func of<First, Second>(_ first: [First], _ second: [Second]) -> [(First, Second)] {
        of(first.flatMap { one in second.map { (one, $0) } })
    }
}
