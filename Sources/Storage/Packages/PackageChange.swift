/// One change of an unfinished package, as requested by its client. It is recorded so that the next daemon can
/// continue it.
package enum PackageChange: Hashable, Sendable, Codable {
    /// New staged content; `source` is the path of identical content in the base, if any.
    case write(PackagePath, PackageManifest.Content, source: PackagePath?)
    /// A new folder.
    case makeFolder(PackagePath)
    /// A removal.
    case remove(PackagePath)
    /// The element as it was when the session began.
    case keep(PackagePath)
    /// A file of the base at another path.
    case move(PackagePath, to: PackagePath)
}

extension PackagePlan {
    /// Applies a change.
    ///
    /// - Returns: the staged files that are no longer needed.
    /// - Throws: what the change throws; the plan is then unchanged except for parent folders, which may have been
    ///   added.
    package mutating func apply(_ change: PackageChange) throws -> [String] {
        var old: String?
        switch change {
        case .write(let path, let content, let source): old = try write(path, content, source: source)
        case .makeFolder(let path): try makeFolder(path)
        case .remove(let path): return remove(path)
        case .keep(let path): old = try keep(path)
        case .move(let source, let path): old = try move(source, to: path)
        }
        return old.map { [$0] } ?? []
    }
}
