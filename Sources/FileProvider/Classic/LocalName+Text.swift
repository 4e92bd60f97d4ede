extension LocalName {
    /// Whether the name is UTF-8, so that a URL can contain it.
    var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name as URLs and identifiers contain it. Unlike ``displayed``, it is not escaped unless it is not UTF-8.
    var text: String { String(validating: bytes, as: UTF8.self) ?? displayed }
}
