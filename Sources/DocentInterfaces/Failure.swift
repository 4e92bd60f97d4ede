import FoundationEssentials
package import Varlink

/// A failure on the wire: a code, a message, a suggestion, and the chain of causes with the domains and numbers that
/// the provider reported.
package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var code: FailureCode
    /// The message to show to people.
    package var message: String
    /// What the user can do about it.
    package var suggestion: String?
    /// The bundle identifier of the provider that failed; nil when none did.
    package var provider: String?
    /// The causes, outermost first.
    package var causes: [Wire.ErrorDetail]
    /// The number of seconds before a retry makes sense, if the service reported one (`Busy`).
    package var retryAfter: Double?
    /// The provider's own code, when ``code`` is its translation; not sent to clients.
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

    /// The parameters of an error reply.
    struct Body: Codable {
        var message: String?
        var suggestion: String?
        var provider: String?
        var causes: [Wire.ErrorDetail]?
        var retryAfter: Double?
    }

    /// Decodes an error reply. Missing members get default values; an unknown name becomes an unknown code.
    package init(_ error: VarlinkCallError) {
        let body = error.decode(Body.self)
        let name = error.name.split(separator: ".").last.map(String.init) ?? error.name
        let service = error.name.hasPrefix("org.varlink.service.")
        self.init(
            service && name != "PermissionDenied" ? .notSupported : FailureCode(name),
            body?.message ?? "The service answered \(error.name).", suggestion: body?.suggestion,
            provider: body?.provider, causes: body?.causes ?? [], retryAfter: body?.retryAfter)
    }

    /// The error reply for this failure, with a name from an interface.
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
