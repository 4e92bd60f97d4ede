/// One entry of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`, as written but for invisible characters.
package struct TypeDeclaration: Sendable, Hashable, Codable {
    /// `UTTypeIdentifier`.
    package let identifier: String
    /// `UTTypeConformsTo`; a single string counts as a list of one. Without the type itself.
    package let conformsTo: [String]
    /// `UTTypeTagSpecification`: tag class to tags, for example `public.filename-extension` to `["md"]`.
    package let tags: [String: [String]]
    /// `UTTypeDescription`, or nil.
    package let description: String?

    /// A declaration.
    package init(identifier: String, conformsTo: [String], tags: [String: [String]], description: String?) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.tags = tags
        self.description = description
    }
}
