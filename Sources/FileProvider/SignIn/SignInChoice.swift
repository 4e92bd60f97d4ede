/// One of several values, of which a person chooses one.
public struct SignInChoice: Hashable, Sendable {
    /// What is answered.
    public var value: String
    /// Its name for people.
    public var label: String

    /// A choice from its parts.
    public init(_ value: String, label: String) {
        self.value = value
        self.label = label
    }
}
