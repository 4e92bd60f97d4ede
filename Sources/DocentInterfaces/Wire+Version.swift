extension Wire.Item {
    /// Whether its content is that of a version, under the name that this has now or had before its upload was confirmed.
    package func isVersion(_ other: String) -> Bool { version == other || formerVersion == other }
}
