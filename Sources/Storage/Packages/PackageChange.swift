/// One change of a package in the making, as its client asked for it: what is on record of it, so that another daemon can go on (D3).
package enum PackageChange: Hashable, Sendable, Codable {
    /// New content, staged; where the base has exactly this content, if anywhere.
    case write(PackagePath, PackageManifest.Content, source: PackagePath?)
    /// A folder.
    case makeFolder(PackagePath)
    /// Nothing any more.
    case remove(PackagePath)
    /// What was there when the change began.
    case keep(PackagePath)
    /// A file of the base at another path.
    case move(PackagePath, to: PackagePath)
}

extension PackagePlan {
    /// Makes a change.
    ///
    /// - Returns: the staged files that are no longer of use.
    /// - Throws: what the change throws; the plan is as it was then, but for folders on the way.
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
