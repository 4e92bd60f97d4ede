import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// BeginPackage, StageElement, CommitPackage.
    func addPackages(to table: inout MethodTable) {
        table.add(Interface.BeginPackage.self, changesState: true) { [service, packages] parameters, _ in
            guard let provider = try await service.provider(parameters.domain) as? any PackageFileProvider else {
                throw FileProviderError(.notSupported, "This provider does not replace packages as a whole.")
            }
            let target = try Self.target(parameters)
            let elements = parameters.elements.map(PackageElement.init)
            let operation = ChangeOperation(identifier: parameters.operation, digest: parameters.digest)
            let needed = try await packages.begin(operation) {
                try await provider.beginPackage(target, elements: elements, operation: operation)
            }
            return Reply(.init(needed: needed))
        }
        table.add(Interface.StageElement.self, changesState: true) { [packages] parameters, call in
            let contents = try ContentReader(
                owning: call.descriptor(parameters.content).release(), size: parameters.size)
            try await packages.stage(parameters.operation, parameters.path, contents)
            return Reply(.init())
        }
        table.add(Interface.CommitPackage.self, changesState: true) { [packages] parameters, call in
            let metadata = try ItemMetadata(
                parameters.metadata, thumbnail: parameters.thumbnail, call.descriptors)
            let result = try await packages.commit(parameters.operation, metadata: metadata)
            return Reply(.init(item: try Wire.ProviderItem(result.item), conflict: result.conflict?.rawValue))
        }
    }

    private static func target(_ parameters: Interface.BeginPackage.Parameters) throws -> PackageTarget {
        if let identifier = parameters.identifier {
            guard identifier != ItemIdentifier.rootContainer.rawValue else {
                throw FileProviderError(.invalidArgument, "The top folder is not a package.")
            }
            return .existing(
                ItemIdentifier(identifier), baseVersion: parameters.baseVersion.map(ItemVersion.init(content:)))
        }
        guard let parent = parameters.parent, let name = parameters.name else {
            throw FileProviderError(.invalidArgument, "A package has an identifier, or a folder and a name.")
        }
        try check(name: name)
        return .new(parent: ItemIdentifier(parent), filename: name)
    }
}

extension PackageElement {
    init(_ part: Wire.PackagePart) {
        self.init(
            path: part.path, isFolder: part.isFolder, size: part.size, digest: part.digest,
            version: part.version.map(ItemVersion.init(content:)), source: part.from)
    }
}
