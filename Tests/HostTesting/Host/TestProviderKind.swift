package import Rights

/// The test providers that a host can have.
package enum TestProviderKind: String, Sendable, CaseIterable {
    /// Its documents are files here.
    case inPlace
    /// Its documents lie elsewhere.
    case remote
    /// Its documents are files here that nobody can change.
    case readOnly

    /// Its bundle identifier.
    package var identifier: String { "org.docent.test." + name }

    /// An item of its default domain.
    package func key(_ identifier: String) -> ItemKey { ItemKey(provider: self.identifier, identifier: identifier) }

    /// The folder that contains all its documents.
    package var root: ItemKey { key(".root") }

    /// The last part of its identifier.
    var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The modes of its picker; nil if it has none.
    var modes: [String]? { nil }
}
