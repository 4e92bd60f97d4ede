/// Where an item lies, as its claims and presenters need it (SEMANTICS 2.3).
///
/// The host makes it: it has followed links, settled the case of names and knows which folders are packages.
package struct ItemLocation: Hashable, Sendable {
    /// The item itself.
    package let item: ItemKey
    /// The folders that contain it, nearest first, up to the root.
    package let folders: [ItemKey]
    /// Those of `folders` that are packages, nearest first.
    package let packages: [ItemKey]
    /// Whether it is a folder, be it a package or not.
    package let isFolder: Bool
    /// Whether it is a package.
    package let isPackage: Bool
    /// Its name in the nearest folder, where the host cares to say it: a move to where it is already is no move (2.5).
    package let name: String?

    /// Says where an item lies.
    package init(
        item: ItemKey, folders: [ItemKey] = [], packages: [ItemKey] = [], isFolder: Bool = false,
        isPackage: Bool = false, name: String? = nil
    ) {
        self.item = item
        self.folders = folders
        self.packages = packages
        self.isFolder = isFolder || isPackage
        self.isPackage = isPackage
        self.name = name
    }

    /// What claims on it conflict on: an item inside a package counts as the outermost package.
    package var unit: ItemKey { packages.last ?? item }
}
