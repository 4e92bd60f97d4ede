package import FileProvider

/// An earlier content of a document, as the service of a test provider has it.
package struct StoredVersion: Sendable {
    /// What the provider says about it.
    package var described: EarlierVersion
    /// Its content; nil if it was thrown away.
    package var content: [UInt8]?
    /// Whether the provider delivers it; otherwise it can only be restored.
    package var isDelivered = true

    /// Describes a version.
    package init(
        _ identifier: String, _ content: String?, saved: Double? = nil, size: Int? = nil, version: String? = nil,
        savedBy: String? = nil
    ) {
        self.content = content.map { Array($0.utf8) }
        described = EarlierVersion(
            identifier: identifier, modificationDate: saved, size: size ?? content?.utf8.count,
            version: version.map(ItemVersion.init(content:)), savedBy: savedBy)
    }
}
