/// One of the values that a person can choose from.
public struct SignInChoice: Hashable, Sendable {
    /// The answer that it stands for.
    public var value: String
    /// Its display name.
    public var label: String

    /// Creates a choice.
    public init(_ value: String, label: String) {
        self.value = value
        self.label = label
    }
}
