/// A feature that a provider declares in its answer to `Initialize`.
package enum ProviderFeature: String, Sendable, CaseIterable, Comparable {
    case actions, authenticate, changes, classic, delete, inPlace, metadata, move, packages, ranges, resume, signIn
    case thumbnails, trash, usage, versions, write

    /// Compares by name.
    package static func < (left: ProviderFeature, right: ProviderFeature) -> Bool { left.rawValue < right.rawValue }
}
