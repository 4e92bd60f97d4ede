package import Coordination

/// The party that the host is working for. It travels with the task, so that an extension that coordinates by itself
/// while it serves such a call is distinguished from one that merely coordinates at the same time (2.9, deadlock 5).
package enum ClaimContext {
    /// The held claim that ends with the current work; nil for work that no claim waits for, such as an upload.
    @TaskLocal package static var held: Claim.Identifier?
    /// The client that waits for a picker.
    @TaskLocal package static var choosing: Claim.Owner?
}

extension Session {
    /// Runs work that this client waits for while it holds its claims, and within which the provider's picker may
    /// coordinate.
    package func choosing<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await ClaimContext.$choosing.withValue(Claim.Owner(rawValue: number), operation: body)
    }
}
