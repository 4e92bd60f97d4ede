import ExtensionManifest
import Synchronization
package import UniformTypes

/// The uniform types known now: the system's, and those that the manifests of installed providers declare.
///
/// Thread-safe; the registry is a value, replaced as a whole when the manifests change.
package final class TypeCatalogue: Sendable {
    private let system: UniformTypeRegistry
    private let state: Mutex<UniformTypeRegistry>

    package init(system: UniformTypeRegistry) {
        self.system = system
        state = Mutex(system)
    }

    /// The present registry.
    package var registry: UniformTypeRegistry { state.withLock { $0 } }

    /// Replaces the types of earlier manifests with those of the discovered ones.
    func update(_ providers: [ProviderDescription]) {
        let manifests = providers.flatMap(\.extensions)
        let registry = system.adding(
            exported: manifests.flatMap(\.exportedTypes).map { Self.declaration($0, .exported) },
            imported: manifests.flatMap(\.importedTypes).map { Self.declaration($0, .imported) })
        state.withLock { $0 = registry }
    }

    private static func declaration(
        _ type: TypeDeclaration, _ origin: UniformTypeDeclaration.Origin
    ) -> UniformTypeDeclaration {
        let tags = type.tags.map { (UniformTypeTagClass(rawValue: $0.key), $0.value) }
        return UniformTypeDeclaration(
            identifier: type.identifier, conformsTo: type.conformsTo,
            tags: Dictionary(tags, uniquingKeysWith: { first, _ in first }), localizedDescription: type.description,
            origin: origin)
    }
}
