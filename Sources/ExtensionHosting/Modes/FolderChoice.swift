/// Whether a client asks for folders, and not just for whatever there is (complaint 27). Pure.
package enum FolderChoice {
    private static let types: Set<String> = ["public.folder", "public.directory", "public.item"]

    /// Whether one of its types is that of folders, by name: a client that names no type means documents.
    package static func isAsked(_ types: [String]?) -> Bool {
        types?.contains { Self.types.contains($0.lowercased()) } ?? false
    }
}
