/// One step of the chain of causes of an error, in the terms of whoever reported it (complaint 32).
public struct ErrorDetail: Hashable, Sendable {
    /// Where `code` has its meaning, for example `NSPOSIXErrorDomain` or the name of an error type.
    public var domain: String
    /// The number of the error in its domain.
    public var code: Int
    /// A sentence for people.
    public var text: String

    /// A step from its three parts.
    public init(domain: String, code: Int, text: String) {
        self.domain = domain
        self.code = code
        self.text = text
    }
}
