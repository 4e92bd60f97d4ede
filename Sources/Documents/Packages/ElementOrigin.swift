/// Where an unchanged element came from, so that saving need not send it again.
struct ElementOrigin: Sendable, Hashable {
    /// The package that it was read from or saved to.
    let package: DocumentReference
    /// Its path in that package.
    let path: String
    /// The element's own version; nil when unknown, for example after saving.
    let version: String?
    /// The package's version at that time.
    let packageVersion: String?

    /// Whether a package still has exactly this content at the path.
    ///
    /// - Parameters:
    ///   - element: the current element at ``path``.
    ///   - packageVersion: the current version of that package.
    func isCurrent(_ element: PackageElement?, of package: DocumentReference, at packageVersion: String?) -> Bool {
        guard let element, !element.isFolder, package == self.package, element.path == path else { return false }
        // A save may reassemble the package and give its unchanged elements other versions.
        if packageVersion != nil, packageVersion == self.packageVersion { return true }
        return version != nil && element.version == version
    }
}
