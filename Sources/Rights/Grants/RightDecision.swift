package import FoundationEssentials

/// Decides which right allows access to an item: a pure function of rights and places.
package enum RightDecision {
    /// The location of an item.
    package struct Place: Hashable, Sendable {
        /// The item.
        package var item: ItemKey
        /// Its present name; nil when unknown.
        package var name: String?
        /// The folders and packages above it, nearest first.
        package var folders: [ItemKey]
        /// Whether it is a folder, which no pattern covers.
        package var isFolder: Bool

        /// Makes a place.
        package init(item: ItemKey, name: String? = nil, folders: [ItemKey] = [], isFolder: Bool = false) {
            self.item = item
            self.name = name
            self.folders = folders
            self.isFolder = isFolder
        }
    }

    /// A right with patterns, and the present location of its document.
    package struct Companion: Hashable, Sendable {
        /// The right to the document.
        package var grant: Grant
        /// The document's present name.
        package var name: String
        /// The folder in which the document lies.
        package var folder: ItemKey

        /// Makes a companion.
        package init(grant: Grant, name: String, folder: ItemKey) {
            self.grant = grant
            self.name = name
            self.folder = folder
        }
    }

    /// The right that allows an access: on the item itself, otherwise on the nearest folder above it, otherwise on a
    /// document beside it whose patterns cover its name. Nil if there is none.
    ///
    /// - Parameters:
    ///   - right: returns a principal's right to an item, if there is one; it may be too narrow or expired.
    ///   - companions: the same principal's rights with patterns.
    package static func ground(
        _ wanted: AccessLevel, to place: Place, at moment: Date, right: (ItemKey) -> Grant?,
        companions: [Companion] = []
    ) -> Grant? {
        func allows(_ grant: Grant) -> Bool { grant.access >= wanted && !grant.isExpired(at: moment) }
        for item in [place.item] + place.folders {
            if let grant = right(item), allows(grant) { return grant }
        }
        guard let name = place.name, let folder = place.folders.first, !place.isFolder else { return nil }
        return
            companions.filter { companion in
                companion.folder == folder && allows(companion.grant)
                    && companion.grant.companions.contains { $0.matches(name, beside: companion.name) }
            }.map(\.grant).min { $0.id < $1.id }
    }
}
