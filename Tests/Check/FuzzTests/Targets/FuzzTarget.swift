/// A reader of foreign bytes: no input may end the process or break a promise.
///
/// The targets run as seeded property tests. They depend only on what they test, so that libFuzzer can run them, too.
protocol FuzzTarget: Sendable {
    /// Also the name of the folder of its corpus.
    var name: String { get }

    /// Meaningful texts for the mutations.
    var words: [String] { get }

    /// Reads the bytes.
    ///
    /// - Throws: ``FuzzFinding`` when a promise was broken; refusals are no errors.
    func run(_ bytes: [UInt8]) throws
}

/// A promise that was broken.
struct FuzzFinding: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
