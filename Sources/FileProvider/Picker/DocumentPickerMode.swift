/// What the client wants from a picker.
public enum DocumentPickerMode: String, Hashable, Sendable {
    /// Get a copy of a document.
    case `import`
    /// Open a document in place.
    case open
    /// Copy one of its own documents into the provider.
    case export
    /// Move one of its own documents into the provider.
    case move
}
