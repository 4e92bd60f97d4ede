/// An error that a provider reports. It reaches the call that caused it in the client (D13), with its domain, its
/// number, its sentence and the chain of what lies below it (complaint 32).
///
/// Any other error that an author's method throws crosses as well: see ``init(wrapping:)``.
public struct FileProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    public var code: Code
    /// A sentence for people.
    public var message: String
    /// What lies below, outermost first.
    public var underlying: [ErrorDetail]
    /// Seconds before which trying again is of no use, where the service said so; nil: the host decides.
    public var retryAfter: Double?

    /// An error from its parts.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: A sentence for people.
    ///   - underlying: What lies below, outermost first.
    ///   - retryAfter: Seconds before which trying again is of no use.
    public init(_ code: Code, _ message: String, underlying: [ErrorDetail] = [], retryAfter: Double? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.retryAfter = retryAfter
    }

    /// An error whose cause is another error, whatever its type.
    public init(_ code: Code, _ message: String, causedBy cause: any Error) {
        self.init(code, message, underlying: FileProviderError(wrapping: cause).chain)
    }

    /// The domain of the code: `NSFileProviderErrorDomain` for Apple's numbers.
    public var domain: String { code.domain }

    /// This error and what lies below it, outermost first.
    public var chain: [ErrorDetail] { [ErrorDetail(domain: domain, code: code.rawValue, text: message)] + underlying }

    /// The sentence.
    public var description: String { message }
}
