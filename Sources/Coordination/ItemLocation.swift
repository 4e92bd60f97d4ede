/// The location of an item, with what its claims and presenters need to know.
///
/// The host creates it: it has followed links, normalised the case of names, and knows which folders are packages.
package struct ItemLocation: Hashable, Sendable {
    /// The item itself.
    package let item: CoordinatedItem
    /// The folders that contain the item, nearest first, up to the root.
    package let folders: [CoordinatedItem]
    /// Those of `folders` that are packages, nearest first.
    package let packages: [CoordinatedItem]
    /// Whether it is a folder or package.
    package let isFolder: Bool
    /// Whether it is a package.
    package let isPackage: Bool
    /// The name in the nearest folder, if the host gives it. It shows whether a move really changes the location.
    package let name: String?

    /// Creates a location.
    package init(
        item: CoordinatedItem, folders: [CoordinatedItem] = [], packages: [CoordinatedItem] = [],
        isFolder: Bool = false, isPackage: Bool = false, name: String? = nil
    ) {
        self.item = item
        self.folders = folders
        self.packages = packages
        self.isFolder = isFolder || isPackage
        self.isPackage = isPackage
        self.name = name
    }

    /// The key for conflicts of claims: an item inside a package counts as the outermost package.
    package var unit: CoordinatedItem { packages.last ?? item }
}
