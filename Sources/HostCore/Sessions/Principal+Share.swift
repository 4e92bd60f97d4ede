package import DocentInterfaces
package import Rights
package import Varlink

extension Principal {
    /// The holder to which this principal's use of shared resources is counted.
    package var shareHolder: ShareHolder { ShareHolder(isConfined ? .confined : .unconfined, description) }
}

extension PrincipalShares.Refusal {
    /// Explains why a holder may have no more of something, and what to do.
    ///
    /// - Parameters:
    ///   - what: the thing that there is too much of, in the plural.
    ///   - suggestion: how to make room.
    package func failure(_ holder: ShareHolder, _ what: String, suggestion: String) -> Failure {
        switch self {
        case .own(let limit):
            Failure(.unavailable, "\(holder) already has the maximum of \(limit) \(what).", suggestion: suggestion)
        case .kind(let limit):
            Failure(
                .unavailable,
                "Programs like \(holder) together have the maximum of \(limit) \(what); the rest is for others.",
                suggestion: "Try again when some of them have ended.")
        case .reserved:
            Failure(
                .unavailable, "The daemon has too many files open; the rest are reserved for administration.",
                suggestion: "Close documents and programs that use Docent, then try again.")
        case .total(let limit):
            Failure(
                .unavailable, "All \(limit) \(what) are in use.", suggestion: "Try again when some of them have ended.")
        }
    }
}
