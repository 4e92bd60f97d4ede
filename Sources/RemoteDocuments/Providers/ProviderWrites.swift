package import DocentInterfaces
package import ExtensionHosting
import HostCore
package import Records
package import Rights
package import Storage
import Varlink

/// The only caller of the methods by which a provider stores something new: Create, Modify, and those that replace a
/// package as a whole. What a caller does about a failure, and when it tries again, is its own decision.
///
/// Every call can be repeated: the provider recognises an operation by its name and digest.
package struct ProviderWrites: Sendable {
    /// How the provider is called.
    package enum Route: Sendable {
        /// Through its account: signed in where needed; the outcome counts for the state of the account.
        ///
        /// - Parameter isForced: asks even an offline account, instead of failing immediately.
        case account(ProviderAccess, isForced: Bool = false)
        /// The process of an in-place provider.
        case process(ExtensionConnection)
    }

    private let route: Route

    package init(_ route: Route) { self.route = route }

    // MARK: Documents and folders

    /// Makes an empty folder.
    ///
    /// - Throws: ``Failure``: the provider's, or `ProviderFailed` if it does not say what it made.
    package func makeFolder(
        _ name: String, in folder: ItemKey, operation: String
    ) async throws -> Wire.ProviderItem {
        let reply = try await call(
            FileProviderInterface.Create.self,
            .init(domain: folder.domain, parent: folder.identifier, name: name, isFolder: true, operation: operation),
            of: folder)
        return try Self.require(reply.item, folder.provider)
    }

    /// Makes a document of staged content.
    ///
    /// - Parameter progress: receives the bytes that the provider has accepted, and how many there are.
    /// - Throws: ``Failure``, as ``makeFolder(_:in:operation:)``; `JournalError` if the operation has no content.
    package func create(
        _ row: JournaledOperation, in folder: ItemKey, named name: String, from staged: StagedContent,
        _ progress: (Int64, Int64) -> Void
    ) async throws -> Wire.ProviderItem {
        guard let digest = row.digest, let size = row.size else { throw JournalError.unreadable }
        let beside = try await beside(row.id, staged.metadata, folder.provider)
        let reply = try await callWithProgress(
            FileProviderInterface.Create.self,
            .init(
                domain: folder.domain, parent: folder.identifier, name: name, isFolder: false,
                contentType: row.contentType, content: 0, size: Int(size), digest: digest, operation: row.id,
                metadata: beside.metadata, thumbnail: beside.thumbnail(after: 1)),
            of: folder, descriptors: { try beside.descriptors(staged.open(row.id)) }
        ) { if let completed = $0.completedBytes { progress(Int64(completed), Int64($0.totalBytes ?? Int(size))) } }
        return try Self.require(reply.item, folder.provider)
    }

    /// Replaces the content of a document.
    ///
    /// - Parameters:
    ///   - base: the version that the provider must still have; nil for any.
    ///   - progress: receives the bytes that the provider has accepted, and how many there are.
    /// - Returns: the document, and the name under which the provider kept a change by somebody else.
    /// - Throws: ``Failure``, as ``makeFolder(_:in:operation:)``; `JournalError` if the operation has no content.
    package func modify(
        _ row: JournaledOperation, _ key: ItemKey, base: String?, from staged: StagedContent,
        _ progress: (Int64, Int64) -> Void = { _, _ in }
    ) async throws -> (item: Wire.ProviderItem, conflict: String?) {
        guard let digest = row.digest, let size = row.size else { throw JournalError.unreadable }
        let beside = try await beside(row.id, staged.metadata, key.provider)
        let reply = try await callWithProgress(
            FileProviderInterface.Modify.self,
            .init(
                domain: key.domain, identifier: key.identifier, baseVersion: base, content: 0, size: Int(size),
                digest: digest, operation: row.id, metadata: beside.metadata, thumbnail: beside.thumbnail(after: 1)),
            of: key, descriptors: { try beside.descriptors(staged.open(row.id)) }
        ) { if let completed = $0.completedBytes { progress(Int64(completed), Int64($0.totalBytes ?? Int(size))) } }
        return (try Self.require(reply.item, key.provider), reply.conflict)
    }

    // MARK: Packages

    /// A package as a provider replaces it.
    package struct Package: Sendable {
        /// The package, or the folder of a new one.
        package var key: ItemKey
        /// Names it, and describes its elements.
        package var parameters: FileProviderInterface.BeginPackage.Parameters
        /// Has the contents of its elements.
        package var manifest: PackageManifest

        package init(
            key: ItemKey, parameters: FileProviderInterface.BeginPackage.Parameters, manifest: PackageManifest
        ) {
            self.key = key
            self.parameters = parameters
            self.manifest = manifest
        }
    }

    /// Replaces a package as a whole, or makes a new one.
    ///
    /// - Parameters:
    ///   - open: opens staged content, by the name of its file.
    ///   - check: receives the paths of the elements that the provider needs, before one of them is sent.
    ///   - progress: receives the number of bytes sent so far.
    ///   - commits: called when everything is sent, before the provider replaces the package.
    /// - Returns: the provider's answer; its item may be missing.
    /// - Throws: ``Failure``; what the functions throw.
    package func replace(
        _ package: Package, _ metadata: StagedMetadata, open: (String) throws -> OpenDescriptor,
        check: (Set<BytewiseText>) async throws -> Void = { _ in }, progress: (Int64) -> Void = { _ in },
        commits: () -> Void
    ) async throws -> FileProviderInterface.CommitPackage.Reply {
        let (key, operation) = (package.key, package.parameters.operation)
        let needed = try await call(FileProviderInterface.BeginPackage.self, package.parameters, of: key).needed
        try await check(Set(needed.map { BytewiseText($0) }))
        let contents = Dictionary(
            package.manifest.elements.compactMap { element in
                element.content.map { (BytewiseText(element.path.text), $0) }
            }, uniquingKeysWith: { first, _ in first })
        var sent: Int64 = 0
        for path in needed {
            guard let content = contents[BytewiseText(path)] else {
                throw Failure(
                    .providerFailed, "\(key.provider) asked for the content of \"\(path)\", which is not new.",
                    suggestion: "Report this to its authors.", provider: key.provider)
            }
            _ = try await call(
                FileProviderInterface.StageElement.self,
                .init(operation: operation, path: path, content: 0, size: Int(content.size), digest: content.digest),
                of: key, descriptors: { try DescriptorList(open(content.file)) })
            sent += content.size
            progress(sent)
        }
        let beside = try await beside(operation, metadata, key.provider)
        commits()
        return try await call(
            FileProviderInterface.CommitPackage.self,
            .init(operation: operation, metadata: beside.metadata, thumbnail: beside.thumbnail(after: 0)),
            of: key, descriptors: { try beside.descriptors() })
    }

    // MARK: Calls

    /// The item that a provider reports after a change.
    ///
    /// - Throws: ``Failure`` `ProviderFailed` if it reports none.
    package static func require(
        _ item: Wire.ProviderItem?, _ provider: String
    ) throws(Failure) -> Wire.ProviderItem {
        guard let item else {
            throw Failure(
                .providerFailed, "\(provider) did not report the result of a change.",
                suggestion: "Report this to its authors.", provider: provider)
        }
        return item
    }

    // The metadata to store beside the content, for providers that can (K10).
    private func beside(
        _ operation: String, _ metadata: StagedMetadata, _ provider: String
    ) async throws -> StagedMetadata.Parameters {
        switch route {
        case .account(let access, _):
            try await metadata.parameters(operation, for: access.features(provider))
        case .process(let connection): try await metadata.parameters(operation, for: connection.features)
        }
    }

    private func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, of key: ItemKey,
        descriptors: () throws -> DescriptorList = { DescriptorList() }
    ) async throws -> Method.Reply {
        switch route {
        case .account(let access, let isForced):
            try await access.call(
                method, parameters, provider: key.provider, domain: key.domain, isForced: isForced,
                descriptors: descriptors)
        case .process(let connection):
            try await connection.call(method, parameters, descriptors: descriptors()).value
        }
    }

    private func callWithProgress<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, of key: ItemKey,
        descriptors: () throws -> DescriptorList, _ progress: (Method.Reply) -> Void
    ) async throws -> Method.Reply {
        switch route {
        case .account(let access, let isForced):
            try await access.callWithProgress(
                method, parameters, provider: key.provider, domain: key.domain, isForced: isForced,
                descriptors: descriptors, progress)
        case .process(let connection):
            try await connection.callWithProgress(method, parameters, descriptors: descriptors(), progress).value
        }
    }
}
