/// Why an action on a service failed.
package enum ServiceProblem: Error, Sendable {
    /// It does not support the action; with the program's own reason.
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
