package import DocentInterfaces
package import Documents

/// A document with the versions that somebody has to decide about.
package struct ConflictedDocument: Sendable, Hashable {
    package let reference: Wire.ItemReference
    /// Its name when the newest of the versions was kept.
    package let name: String
    /// Where it is; nil if it is gone, or if its provider does not answer.
    package let location: DocumentLocation?
    /// The versions, newest first.
    package let versions: [Wire.Version]

    /// Groups versions by their documents, in the order of the newest ones.
    package static func group(_ versions: [Wire.Version]) -> [ConflictedDocument] {
        var order: [Wire.ItemReference] = []
        var groups: [Wire.ItemReference: [Wire.Version]] = [:]
        for version in versions.reversed() {
            if groups[version.reference] == nil { order.append(version.reference) }
            groups[version.reference, default: []].append(version)
        }
        return order.compactMap { reference in
            guard let versions = groups[reference], let newest = versions.first else { return nil }
            return ConflictedDocument(
                reference: reference, name: newest.name,
                location: newest.path.map {
                    DocumentLocation(provider: reference.provider, domain: reference.domain, path: $0)
                },
                versions: versions)
        }
    }
}
