/// What the client wants of a picker (section C).
public enum DocumentPickerMode: String, Hashable, Sendable {
    /// A copy of a document.
    case `import`
    /// A document in place.
    case open
    /// To put a copy of its own document into the provider.
    case export
    /// To put its own document into the provider.
    case move
}
