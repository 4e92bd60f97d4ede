/// An error that a provider reports. The client's call that caused it receives it with its domain, code, message and
/// chain of causes.
///
/// Other errors that an author's method throws are converted: see ``init(wrapping:)``.
public struct FileProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    public var code: Code
    /// A message for people.
    public var message: String
    /// The causes, outermost first.
    public var underlying: [ErrorDetail]
    /// How many seconds to wait before trying again, if the service said so; nil: the host decides.
    public var retryAfter: Double?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: A message for people.
    ///   - underlying: The causes, outermost first.
    ///   - retryAfter: How many seconds to wait before trying again.
    public init(_ code: Code, _ message: String, underlying: [ErrorDetail] = [], retryAfter: Double? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.retryAfter = retryAfter
    }

    /// Creates an error that is caused by another one of any type.
    public init(_ code: Code, _ message: String, causedBy cause: any Error) {
        self.init(code, message, underlying: FileProviderError(wrapping: cause).chain)
    }

    /// The domain of the code: `NSFileProviderErrorDomain` for Apple's codes.
    public var domain: String { code.domain }

    /// This error and its causes, outermost first.
    public var chain: [ErrorDetail] { [ErrorDetail(domain: domain, code: code.rawValue, text: message)] + underlying }

    /// The message.
    public var description: String { message }
}
