/// Why a service could not be made to do something.
package enum ServiceProblem: Error, Sendable {
    /// It is not meant to do that, with the program's own reason.
    case lacking(String)
    /// Its program failed.
    case failed(String)

    /// For people.
    package var text: String {
        switch self {
        case .lacking(let text), .failed(let text): text
        }
    }
}
