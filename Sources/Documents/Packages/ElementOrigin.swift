/// Where an element that nobody has changed since came from, so that saving need not send it again (N3).
struct ElementOrigin: Sendable, Hashable {
    /// The package that it was read from or saved to.
    let package: DocumentReference
    /// Its path there.
    let path: String
    /// The element's own version; nil where it is not known, as after saving.
    let version: String?
    /// The package's version at that time.
    let packageVersion: String?

    /// Whether a package still has exactly this content there.
    ///
    /// - Parameters:
    ///   - element: what is at ``path`` now.
    ///   - packageVersion: the version of that package now.
    func isCurrent(_ element: PackageElement?, of package: DocumentReference, at packageVersion: String?) -> Bool {
        guard let element, !element.isFolder, package == self.package, element.path == path else { return false }
        // A package may be put together anew by a save, its unchanged elements with other versions.
        if packageVersion != nil, packageVersion == self.packageVersion { return true }
        return version != nil && element.version == version
    }
}
