import Foundation

/// What is too much for every run: a run takes a part of it, chosen by a seed; the seeds 0 to 19, and any other twenty
/// in a row, take all of it.
package struct Sample: Sendable {
    /// How many parts there are.
    package static let parts = 20

    /// The part of this run: `DOCENT_TEST_SEED`, a number; all of them where it is `all` or missing.
    package static let shared = Sample(ProcessInfo.processInfo.environment["DOCENT_TEST_SEED"] ?? "all")

    /// nil for everything.
    private let seed: Int?

    package init(_ seed: String) { self.seed = seed == "all" ? nil : Int(seed) ?? 0 }

    /// Whether everything is taken.
    package var isWhole: Bool { seed == nil }

    /// The elements of this run: at least one, and a twentieth of them where there are more.
    ///
    /// Neighbours lie in different parts, because what lies side by side often takes its time with the same thing.
    package func of<Element>(_ all: [Element]) -> [Element] {
        guard let seed, !all.isEmpty else { return all }
        let part = ((seed % Self.parts) + Self.parts) % Self.parts
        let own = all.enumerated().filter { $0.offset % Self.parts == part }.map(\.element)
        return own.isEmpty ? [all[part % all.count]] : own
    }
}
