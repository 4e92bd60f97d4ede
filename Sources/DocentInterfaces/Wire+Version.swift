extension Wire.Item {
    /// Whether its content has this version, now or before its upload was confirmed.
    package func isVersion(_ other: String) -> Bool { version == other || formerVersion == other }
}
