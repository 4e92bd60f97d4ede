extension LocalName {
    /// Whether it is UTF-8, so that a URL can name it.
    var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name as it stands, as URLs and identifiers have it: unlike ``displayed`` nothing of it is escaped, unless it
    /// is not UTF-8.
    var text: String { String(validating: bytes, as: UTF8.self) ?? displayed }
}
