/// One step in the chain of causes of an error, as its source reported it.
public struct ErrorDetail: Hashable, Sendable {
    /// The domain of `code`, for example `NSPOSIXErrorDomain` or the name of an error type.
    public var domain: String
    /// The number of the error in its domain.
    public var code: Int
    /// A message for people.
    public var text: String

    /// Creates a step.
    public init(domain: String, code: Int, text: String) {
        self.domain = domain
        self.code = code
        self.text = text
    }
}
