import DocentTestSupport

/// A part of a test whose parts share one installation.
enum TestStep {
    /// Runs a step. An error that it throws gets the step's name.
    static func run(_ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw Problem("\(name): \(error)")
        }
    }
}
