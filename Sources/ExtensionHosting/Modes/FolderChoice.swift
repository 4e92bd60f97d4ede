/// Whether a client asks specifically for folders. Pure.
package enum FolderChoice {
    private static let types: Set<String> = ["public.folder", "public.directory", "public.item"]

    /// Whether one of its types is a type of folders, by name. A client that names no type means documents.
    package static func isAsked(_ types: [String]?) -> Bool {
        types?.contains { Self.types.contains($0.lowercased()) } ?? false
    }
}
