import FoundationEssentials

/// Names of operations, chosen by the client so that it can ask for their outcome (T3).
package enum OperationIdentifier {
    /// A new random one.
    package static func make() -> String { UUID().uuidString.lowercased() }
}
