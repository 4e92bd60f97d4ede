package import DocentInterfaces
package import HostCore
package import Saving

/// The names of what one request to choose did: that which the client gave it, and for each further answer `NAME-2`,
/// `NAME-3`, …, without a gap among those that are on record.
extension WriteService {
    private static func name(_ operation: String, _ number: Int) -> String {
        // At most 64 letters.
        number == 1 ? operation : "\(operation.prefix(56))-\(number)"
    }

    /// The first of these names that nothing is on record for.
    func unusedName(_ session: Session, _ operation: String) async throws -> String {
        var number = 1
        while try await outcome(session, Self.name(operation, number)).state != "unknown" { number += 1 }
        return Self.name(operation, number)
    }

    /// What became of a call, and if it failed, of what was answered after it.
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
