import FileProvider

extension FaultyProvider: PackageFileProvider {
    func beginPackage(
        _ target: PackageTarget, elements: [PackageElement], operation: ChangeOperation
    ) async throws -> any PackageReplacement {
        if case .existing(let identifier, _) = target {
            try await core.trouble("package", identifier)
        } else {
            try await core.trouble("package")
        }
        if core.script.strikes("declared.packages") { throw Trouble.notSupported }
        if let done = try core.tree.read({ try $0.answer(operation) }) {
            return StoredPackage(item: core.describe(done.entry, in: .answer))
        }
        let staged = try FaultyPackage(core: core, target: target, elements: elements, operation: operation)
        try core.tree.read { _ = try staged.plan($0, contents: [:]) }
        return staged
    }
}

/// A package that an earlier call put in its place.
struct StoredPackage: PackageReplacement {
    let item: FileProviderItem

    var neededPaths: [String] { [] }

    func stage(_ path: String, contents: ContentReader) async throws {}

    func commit() async throws -> ModifiedItem { ModifiedItem(item: item) }
}
