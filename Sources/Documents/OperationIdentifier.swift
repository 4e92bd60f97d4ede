import FoundationEssentials

/// Makes the identifiers of operations. The client chooses them, so that it can ask for the outcome.
package enum OperationIdentifier {
    /// A new random identifier.
    package static func make() -> String { UUID().uuidString.lowercased() }
}
