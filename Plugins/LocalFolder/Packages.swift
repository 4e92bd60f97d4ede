package import FileProvider

extension LocalFolderProvider: PackageFileProvider {
    /// Stages a package beside the existing one. A repeated operation is recognised by the log and by what it left.
    package func beginPackage(
        _ target: PackageTarget, elements: [PackageElement], operation: ChangeOperation
    ) async throws -> any PackageReplacement {
        switch target {
        case .existing(let identifier, let base):
            let located = try tree.locate(identifier)
            try requireNoLink(located)
            if let made = tree.log.made(by: operation),
                let done = try resume(operation, made, located, base)
            {
                return PublishedPackage(result: done)
            }
            let staged = try LocalPackageReplacement(
                of: located.name, in: located.directory, elements: elements, operation: operation.identifier)
            return StagedPackage(provider: self, staged: staged, place: .replacing(located, base), operation: operation)
        case .new(let parent, let filename):
            guard let name = LocalName(filename), !UnlistedName.isOne(name) else {
                throw FileProviderError(.invalidArgument, "\"\(filename)\" cannot be the name of a package.")
            }
            if let made = tree.log.made(by: operation),
                let located = try? tree.locate(ItemIdentifier(tree.log.identifier(of: made.identity)))
            {
                return PublishedPackage(result: ModifiedItem(item: try describe(located)))
            }
            let folder = try tree.folder(parent)
            let staged = try LocalPackageReplacement(
                new: name, in: folder, elements: elements, operation: operation.identifier)
            return StagedPackage(
                provider: self, staged: staged, place: .new(name, folder, parent), operation: operation)
        }
    }

    /// Completes an operation that a crash interrupted; nil when it has to start over.
    private func resume(
        _ operation: ChangeOperation, _ made: IdentityRecords.Operation, _ located: FolderTree.Located,
        _ base: ItemVersion?
    ) throws -> ModifiedItem? {
        let left = try LocalFileReplacement.leftover(of: operation.identifier, in: located.directory)
        let leftIdentity = try left.map { LocalFileIdentity($0, rootDevice: try tree.root().device) }
        let isPublished =
            made.isDone || located.identity == made.identity || (left != nil && leftIdentity != made.identity)
        guard isPublished else {
            if left != nil {
                try LocalPackageReplacement.removeLeftover(of: operation.identifier, in: located.directory)
            }
            return nil
        }
        var conflict: LocalName?
        if left != nil {
            conflict = try LocalPackageReplacement.finishLeftover(
                of: operation.identifier, displacedFrom: located.name, in: located.directory, base: base)
        }
        try tree.log.note(operation, made.identity, isDone: true)
        return try finishPackage(located, conflict)
    }
}
