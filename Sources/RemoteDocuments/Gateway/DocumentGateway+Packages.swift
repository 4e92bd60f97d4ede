package import Rights
package import Storage

extension DocumentGateway {
    /// The elements of a remote package as they are known here; its provider is not asked.
    ///
    /// - Throws: as `PackageElements.all(of:)`.
    package nonisolated func rememberedElements(of package: ItemKey) async throws -> [PackageManifest.Base] {
        let memory = RememberedItems(catalog: reading.catalog, describer: describer)
        return try await PackageElements(source: memory, types: types).all(of: package)
    }
}
