/// One entry of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`, without invisible characters.
package struct TypeDeclaration: Sendable, Hashable, Codable {
    /// `UTTypeIdentifier`.
    package let identifier: String
    /// `UTTypeConformsTo`, without the type itself; a single string counts as a list of one.
    package let conformsTo: [String]
    /// `UTTypeTagSpecification`: tags by tag class, for example `["md"]` for `public.filename-extension`.
    package let tags: [String: [String]]
    /// `UTTypeDescription`, or nil.
    package let description: String?

    /// Creates a declaration.
    package init(identifier: String, conformsTo: [String], tags: [String: [String]], description: String?) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.tags = tags
        self.description = description
    }
}
