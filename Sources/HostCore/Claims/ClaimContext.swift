package import Coordination

/// Within what the host does something for somebody: goes along with the task, so that an extension which is called for it, and
/// coordinates by itself, is told apart from one that merely coordinates at the same time (2.9, deadlock 5).
package enum ClaimContext {
    /// The held claim that ends when what is being done is done; nil for what nobody waits for, as an upload.
    @TaskLocal package static var held: Claim.Identifier?
    /// The client that waits for a picker.
    @TaskLocal package static var choosing: Claim.Owner?
}

extension Session {
    /// Does something for which this client waits, with all that it holds, and which its provider's picker may coordinate.
    package func choosing<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await ClaimContext.$choosing.withValue(Claim.Owner(rawValue: number), operation: body)
    }
}
