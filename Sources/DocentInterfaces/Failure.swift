import FoundationEssentials
package import Varlink

/// A failure as it crosses the wire: a code, a sentence, what to do next, and the chain of causes with the
/// domain and number that the provider gave (D13, complaint 32).
package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var code: FailureCode
    /// A sentence for people.
    package var message: String
    /// What to do next.
    package var suggestion: String?
    /// The bundle identifier of the provider that failed, if one did.
    package var provider: String?
    /// Outermost first.
    package var causes: [Wire.ErrorDetail]
    /// Seconds before which trying again is of no use, where the service said so (`Busy`).
    package var retryAfter: Double?
    /// The code that the provider itself answered, where ``code`` is its translation; does not cross to clients.
    package var providerCode: FailureCode?

    package init(
        _ code: FailureCode, _ message: String, suggestion: String? = nil, provider: String? = nil,
        causes: [Wire.ErrorDetail] = [], retryAfter: Double? = nil
    ) {
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.provider = provider
        self.causes = causes
        self.retryAfter = retryAfter
    }

    private struct Body: Codable {
        var message: String?
        var suggestion: String?
        var provider: String?
        var causes: [Wire.ErrorDetail]?
        var retryAfter: Double?
    }

    /// Reads an error reply. Whatever it lacks is made up; an unknown name becomes an unknown code (T5).
    package init(_ error: VarlinkCallError) {
        let body = error.decode(Body.self)
        let name = error.name.split(separator: ".").last.map(String.init) ?? error.name
        let service = error.name.hasPrefix("org.varlink.service.")
        self.init(
            service && name != "PermissionDenied" ? .notSupported : FailureCode(name),
            body?.message ?? "The service answered \(error.name).", suggestion: body?.suggestion,
            provider: body?.provider, causes: body?.causes ?? [], retryAfter: body?.retryAfter)
    }

    /// The error reply that carries this, named in an interface.
    package func callError(interface: String) -> VarlinkCallError {
        VarlinkCallError(
            name: "\(interface).\(code.rawValue)",
            Body(
                message: message, suggestion: suggestion, provider: provider, causes: causes.isEmpty ? nil : causes,
                retryAfter: retryAfter))
    }

    package var description: String {
        var text = message
        for cause in causes { text += "\n  caused by \(cause.domain) \(cause.code): \(cause.message)" }
        return text
    }
}
