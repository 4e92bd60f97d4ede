package import DocentInterfaces
package import HostCore
package import Saving

/// The operation names of one request to choose: the client's name, then `NAME-2`, `NAME-3`, … for each further answer,
/// without gaps among the recorded ones.
extension WriteService {
    private static func name(_ operation: String, _ number: Int) -> String {
        // Stays within the 64 characters of an operation name.
        number == 1 ? operation : "\(operation.prefix(56))-\(number)"
    }

    /// The first of these names that has no record.
    func unusedName(_ session: Session, _ operation: String) async throws -> String {
        var number = 1
        while try await outcome(session, Self.name(operation, number)).state != "unknown" { number += 1 }
        return Self.name(operation, number)
    }

    /// The outcome of a call. If it failed, the outcome of the last answer after it.
    package func lastOutcome(
        _ session: Session, _ operation: String
    ) async throws -> DocumentsInterface.Outcome.Reply {
        var last = try await outcome(session, operation)
        var number = 1
        while last.state == "failed" {
            number += 1
            let next = try await outcome(session, Self.name(operation, number))
            guard next.state != "unknown" else { break }
            last = next
        }
        return last
    }
}
