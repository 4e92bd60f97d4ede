import DocentInterfaces
import FoundationEssentials
import Synchronization

/// Which extension tries which login that is under way, so that it can be told where a browser was sent back to. Thread-safe.
package final class LoginAttempts: Sendable {
    private let running = Mutex<[String: ExtensionConnection]>([:])

    package init() {}

    /// Runs an attempt under the name that its client gave it.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for a name that is none or in use; what the body throws.
    func run<Result>(
        _ name: String, _ connection: ExtensionConnection, _ body: () async throws -> Result
    ) async throws -> Result {
        let isFree = running.withLock { running in
            guard !name.isEmpty, name.utf8.count <= 128, running[name] == nil else { return false }
            running[name] = connection
            return true
        }
        guard isFree else { throw Failure(.invalidArgument, "The attempt needs a name of its own.") }
        defer { running.withLock { _ = $0.removeValue(forKey: name) } }
        return try await body()
    }

    /// Tells an attempt where the browser was sent back to.
    ///
    /// - Throws: ``Failure`` `NotFound` when it is over; what the extension says.
    package func proceed(_ name: String, url: String) async throws {
        guard let connection = running.withLock({ $0[name] }) else {
            throw Failure(.notFound, "This login is over.", suggestion: "Begin it again.")
        }
        guard Self.isLoopback(url), url.utf8.count <= 16 * 1024, !url.utf8.contains(where: { $0 <= 0x20 }) else {
            throw Failure(.invalidArgument, "A browser is sent back to an address of this machine only.")
        }
        _ = try await connection.call(
            FileProviderInterface.ContinueAuthentication.self, .init(attempt: name, url: url))
    }

    /// Whether an address is one of this machine, at which no other one listens.
    static func isLoopback(_ url: String) -> Bool {
        ["http://127.0.0.1:", "http://[::1]:"].contains { url.hasPrefix($0) }
    }
}
