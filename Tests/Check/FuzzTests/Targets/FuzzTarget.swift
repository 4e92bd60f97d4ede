/// Something that reads bytes from anywhere: fed with bytes of all kinds, it must neither end the process nor break a promise.
///
/// The targets run as seeded property tests. They depend on nothing but what they read with, so that libFuzzer can run them, too.
protocol FuzzTarget: Sendable {
    /// Also the name of the folder of its corpus.
    var name: String { get }

    /// Texts that mean something to it, for the mutations.
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
