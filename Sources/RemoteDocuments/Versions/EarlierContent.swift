import Cryptography
import DocentInterfaces
package import FoundationEssentials
import HostCore
import Rights

/// An earlier content of a document that its provider has, as far as what the provider says can be used.
package struct EarlierContent: Hashable, Sendable {
    /// The longest identifier, in bytes.
    static let longestIdentifier = 500
    /// The longest name of a person, in characters.
    static let longestAuthor = 200
    /// How the names of these versions begin; no version that is kept here has such a name.
    package static let prefix = "p-"

    /// What clients call it: the same for the same version of a document, and no text of the provider's.
    package let name: String
    /// What the provider calls it.
    let identifier: String
    /// When the content was saved, if known.
    package let saved: Date?
    /// In bytes, if known.
    package let size: Int?
    /// The version that the document had with it, if known.
    package let contentVersion: String?
    /// Who saved it, as the provider says, if known.
    package let author: String?

    /// - Returns: nil for a version that cannot be used.
    init?(_ said: Wire.EarlierVersion) {
        guard (1...Self.longestIdentifier).contains(said.identifier.utf8.count), said.identifier.isStorable else {
            return nil
        }
        identifier = said.identifier
        name = Self.prefix + SHA256.digest(of: Array(said.identifier.utf8)).description.prefix(24)
        saved = said.modificationDate.flatMap { date in
            // From 1970 to the year 9999: what clients can show.
            (0...253_402_300_799).contains(date) ? Date(timeIntervalSince1970: date) : nil
        }
        size = said.size.flatMap { $0 >= 0 ? $0 : nil }
        contentVersion = said.version.flatMap { (1...128).contains($0.utf8.count) ? $0 : nil }
        author = said.savedBy.flatMap { name in
            let name = String(name.prefix(Self.longestAuthor))
            return name.isEmpty || !name.isStorable ? nil : name
        }
    }

    /// Whether another content is the same one: of the same version, or saved in the same second with the same size.
    ///
    /// Some services keep whole seconds only.
    package func isSame(version: String?, saved other: Date?, size otherSize: Int?) -> Bool {
        if let contentVersion, let version { return contentVersion.isSame(as: version) }
        guard let saved, let other, let size, let otherSize else { return false }
        return size == otherSize
            && saved.timeIntervalSince1970.rounded(.down) == other.timeIntervalSince1970.rounded(.down)
    }

    /// What a provider says about the versions of a document: those that can be used, each once, newest first. Those of
    /// which nobody knows the date come last.
    static func usable(_ said: [Wire.EarlierVersion]) -> [EarlierContent] {
        var known: Set<String> = []
        return said.compactMap(EarlierContent.init).filter { known.insert($0.name).inserted }.sorted { one, other in
            let (first, second) = (one.saved ?? .distantPast, other.saved ?? .distantPast)
            return first == second ? one.name < other.name : first > second
        }
    }
}
