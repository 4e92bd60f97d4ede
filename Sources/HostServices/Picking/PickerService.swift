package import Access
package import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
package import FoundationEssentials
package import HostCore
import Records
package import RemoteDocuments
package import Rights
package import Saving
package import Storage
import UniformTypes

/// Implements `org.docent.Picker`: the user's choice of documents in the four modes (C1–C4).
package struct PickerService: Sendable {
    private let registry: ProviderRegistry
    private let gateway: DocumentGateway
    private let documents: DocumentService
    private let access: AccessControl
    private let driver: PickerDriver
    private let exports: ExportService
    private let types: TypeCatalogue
    private let mover: ItemMover

    package init(
        registry: ProviderRegistry, gateway: DocumentGateway, documents: DocumentService, access: AccessControl,
        driver: PickerDriver, exports: ExportService, types: TypeCatalogue, mover: ItemMover
    ) {
        self.mover = mover
        self.registry = registry
        self.gateway = gateway
        self.documents = documents
        self.access = access
        self.driver = driver
        self.exports = exports
        self.types = types
    }

    // MARK: Providers

    /// The providers that offer a mode (A7, A13, A14).
    package func providers(mode: String?, types wanted: [String]?, all: Bool) async throws -> [Wire.ProviderSummary] {
        let mode = try mode.map { try Self.mode($0) }
        let wantedTypes = try wanted.map { try $0.map(Self.type) }
        return try await registry.providers().filter { provider in
            guard all || provider.state == .ready || provider.state == .quarantined else { return false }
            if let mode, !provider.description.modes.contains(mode) { return false }
            guard let wantedTypes else { return true }
            return types.registry.isOffered(
                wantedTypes, supported: provider.description.supportedTypes.compactMap(UniformType.init))
        }.map { Self.summary($0, registry.userFolders) }
    }

    private static func summary(_ provider: KnownProvider, _ folders: UserFolders) -> Wire.ProviderSummary {
        let description = provider.description
        return Wire.ProviderSummary(
            identifier: provider.identifier, displayName: description.displayName,
            enabled: provider.state == .ready || provider.state == .quarantined, state: provider.state.rawValue,
            modes: description.modes.map(\.shortName), supportedTypes: description.supportedTypes,
            documentGroup: description.documentGroup,
            domains: [""] + provider.domains.map(\.identifier).filter { !$0.isEmpty },
            sandboxed: !provider.isUnsandboxed,
            extensions: description.extensions.map {
                Wire.ExtensionSummary(
                    point: $0.point.rawValue, principalClass: $0.principalClass, library: $0.libraryPath,
                    manifest: $0.path)
            }, withheld: ConsentDescription.withheld(provider, folders: folders))
    }

    private static func mode(_ name: String) throws -> PickerMode {
        guard let mode = PickerMode(shortName: name) else {
            throw Failure(
                .invalidArgument, "\"\(name)\" is not a mode.",
                suggestion: "The modes are import, open, export and move.")
        }
        return mode
    }

    private static func type(_ name: String) throws -> UniformType {
        guard let type = UniformType(name) else {
            throw Failure(.invalidArgument, "\"\(name)\" is not a uniform type identifier.")
        }
        return type
    }

    // MARK: Browsing

    /// The item at a location.
    ///
    /// - Parameter followsLink: whether to return the target of a link.
    package func item(at location: Wire.Location, followsLink: Bool = true) async throws -> Wire.Item {
        let provider = try await browsable(location)
        guard provider.description.fileProvider != nil else { return try await shown(provider, location) }
        return try await gateway.item(
            at: try ItemPath(location.path), provider: provider.identifier, domain: location.domain,
            followsLink: followsLink)
    }

    /// Why an item that was just described is as it was known before (``DocumentGateway/remembered(_:asked:)``).
    package func remembered(_ item: Wire.Item, asked: Date) async throws -> Wire.Remembered? {
        try await gateway.remembered(item, asked: asked)
    }

    /// One page of the folder at a location.
    package func list(
        _ location: Wire.Location, page: String?
    ) async throws -> FolderPage {
        let provider = try await browsable(location)
        let path = try ItemPath(location.path)
        guard provider.description.fileProvider != nil else { return try await entries(provider, location, path, page) }
        let folder = try await gateway.item(at: path, provider: provider.identifier, domain: location.domain)
        guard folder.isFolder else { return FolderPage(items: [folder]) }
        return try await gateway.listing(of: folder.reference.key, path: path.text, page: page)
    }

    // The entries that a picker without a file provider shows. Their path is their only identifier.
    private func entries(
        _ provider: KnownProvider, _ location: Wire.Location, _ path: ItemPath, _ page: String?
    ) async throws -> FolderPage {
        let shown = try await driver.contents(provider, .import, domain: location.domain, path: path, page: page)
        return FolderPage(
            items: shown.entries.map { entry in
                Wire.Item(
                    reference: .init(provider: provider.identifier, domain: location.domain, identifier: entry.path),
                    name: entry.name, path: entry.path,
                    contentType: entry.contentType
                        ?? types.registry.type(fileName: entry.name, isDirectory: entry.isFolder).identifier,
                    size: entry.size, modificationDate: entry.modificationDate, creationDate: entry.creationDate,
                    isFolder: entry.isFolder, isDownloaded: entry.isDownloaded ?? true, isUploaded: true)
            }, nextPage: shown.nextPage)
    }

    // One entry of such a picker, found in its folder. The top folder is not listed anywhere and always exists.
    private func shown(_ provider: KnownProvider, _ location: Wire.Location) async throws -> Wire.Item {
        var path = try ItemPath(location.path)
        guard let name = path.names.popLast() else {
            return Wire.Item(
                reference: .init(provider: provider.identifier, domain: location.domain, identifier: "/"),
                name: provider.description.displayName, path: "/", contentType: "public.folder", isFolder: true,
                isDownloaded: true, isUploaded: true)
        }
        var pages = PageSequence(provider: provider.identifier, folder: path.text)
        var page: String?
        repeat {
            let listed = try await entries(provider, location, path, page)
            if let found = listed.items.first(where: { $0.name.isSame(as: name) }) { return found }
            page = try pages.next(listed.nextPage, items: listed.items.count)
        } while page != nil
        throw Failure(
            .notFound, "The picker of \(provider.identifier) shows no \"\(name)\" in \(path.text).",
            suggestion: "`docent ls` shows what is there.", provider: provider.identifier)
    }

    private func browsable(_ location: Wire.Location) async throws -> KnownProvider {
        let provider = try await registry.usable(location.provider)
        guard provider.isBrowsable else {
            throw DropBoxes.refusal(provider.identifier)
        }
        return provider
    }

    private func provider(_ location: Wire.Location, offering mode: PickerMode) async throws -> KnownProvider {
        let provider = try await registry.usable(location.provider)
        guard provider.description.modes.contains(mode) else {
            throw Failure(
                .notSupported, "\(provider.identifier) does not offer \(mode.shortName).",
                suggestion: "`docent providers --mode \(mode.shortName)` lists those that do.",
                provider: provider.identifier)
        }
        return provider
    }

    // MARK: Import and open

    /// Import mode (C1): makes a private copy. No grant is recorded (C10).
    package func pickImport(
        _ session: Session, _ location: Wire.Location, types: [String]?
    ) async throws -> (item: Wire.Item, path: String?, file: OpenDescriptor) {
        let provider = try await provider(location, offering: .import)
        let path = try ItemPath(location.path)
        guard PickerDriver.hasOwnPicker(provider) else {
            let item = try await chosen(provider, location, path, types)
            try requireFile(item)
            return try await documents.importCopy(session, item.reference.key)
        }
        return try await session.choosing {
            try await driver.present(
                provider, .import, domain: location.domain, types: types, original: nil, path: path, name: nil
            ) { choice in
                if case .pickerFile = choice.verdict, let file = choice.file {
                    return try await documents.importFile(
                        session, file, name: path.names.last ?? "document", provider, path)
                }
                let item = try await item(choice, provider, location, types)
                try requireFile(item)
                return try await documents.importCopy(session, item.reference.key)
            }
        }
    }

    /// Open mode (C2): grants the document; durable when it returns. A folder with its content, including the root of a
    /// domain, is granted only to a client that asks for folders by name (complaint 27).
    package func pickOpen(
        _ session: Session, _ location: Wire.Location, types: [String]?, offer: GrantOffer
    ) async throws -> (item: Wire.Item, access: AccessLevel) {
        let provider = try await provider(location, offering: .open)
        let path = try ItemPath(location.path)
        let item: Wire.Item
        if PickerDriver.hasOwnPicker(provider) {
            item = try await session.choosing {
                try await driver.present(
                    provider, .open, domain: location.domain, types: types, original: nil, path: path, name: nil
                ) { choice in try await self.item(choice, provider, location, types, allowsFolders: true) }
            }
        } else {
            item = try await chosen(provider, location, path, types, allowsFolders: true)
        }
        let chosen = try await granted(session, item, offer)
        noteUsed(session, chosen)
        return (chosen, offer.access)
    }

    /// Grants an item. If the provider's identifier replaces a provisional one in the meantime, the new one is granted
    /// too; a right to the provisional one alone would be lost.
    private func granted(_ session: Session, _ item: Wire.Item, _ offer: GrantOffer) async throws -> Wire.Item {
        let offer = try GrantTerms.offer(offer, of: item)
        let key = item.reference.key
        try await access.grant(session, key, offer)
        let now = try await gateway.currentKey(key)
        guard now != key else { return item }
        try await access.grant(session, now, offer)
        var item = item
        item.reference = now.reference
        return item
    }

    // A folder that was chosen is a right to what is in it, not a document that is used.
    private func noteUsed(_ session: Session, _ item: Wire.Item) {
        if item.isFolder, !PackageElements.isPackage(item, types.registry) { return }
        access.noteUsed(session, item)
    }

    private func chosen(
        _ provider: KnownProvider, _ location: Wire.Location, _ path: ItemPath, _ types: [String]?,
        allowsFolders: Bool = false
    ) async throws -> Wire.Item {
        let item = try await gateway.item(at: path, provider: provider.identifier, domain: location.domain)
        // Checked first: a person named the location, so a folder is not the picker's mistake.
        try check(item, types, allowsFolders)
        if !(allowsFolders && item.isFolder && FolderChoice.isAsked(types)) {
            _ = try URLRule.judge(
                .document(item.reference), mode: .open, facts: nil, provider: provider.identifier, storage: "/")
        }
        return item
    }

    private func item(
        _ choice: PickerDriver.Choice, _ provider: KnownProvider, _ location: Wire.Location, _ types: [String]?,
        allowsFolders: Bool = false
    ) async throws -> Wire.Item {
        let key: ItemKey
        switch choice.verdict {
        case .item(let reference): key = reference.key
        case .storage, .pickerFile:
            key = try await gateway.identifier(of: choice.url, provider: provider.identifier, domain: location.domain)
        }
        var item = try await gateway.item(key)
        // Picking a link picks its target. The right is to that item, even if the link changes later.
        if item.symbolicLinkTarget != nil {
            item = try await gateway.whole(SymbolicLinks.end(of: item) { try await gateway.bare($0) })
        }
        try check(item, types, allowsFolders)
        return item
    }

    // Only types that the client can use can be chosen (B7).
    private func check(_ item: Wire.Item, _ wanted: [String]?, _ allowsFolders: Bool) throws {
        if item.isFolder, !PackageElements.isPackage(item, types.registry) {
            guard !allowsFolders || !FolderChoice.isAsked(wanted) else { return }
            throw Failure(
                .invalidArgument, "\"\(item.name)\" is a folder.",
                suggestion: allowsFolders
                    ? "Choose a document in it, or ask for folders: docent open --folder, or the type public.folder."
                    : "Choose a document in it.")
        }
        guard let wanted else { return }
        let type = try Self.type(item.contentType)
        guard try wanted.contains(where: { types.registry.conforms(type, to: try Self.type($0)) }) else {
            throw Failure(
                .invalidArgument, "\"\(item.name)\" is \(item.contentType), which the client cannot use.",
                suggestion: "It can use \(wanted.joined(separator: ", ")).")
        }
    }

    // A copy of a package would be a folder, but an import is a file.
    private func requireFile(_ item: Wire.Item) throws(Failure) {
        guard item.isFolder else { return }
        throw Failure(
            .notSupported,
            "\"\(item.name)\" is a package, a folder that is one document; it cannot be imported as a file.",
            suggestion: "Open it in place, or read it for uploading, which gives a zip file.")
    }

    // MARK: Export and move

    /// Export mode (C3): no grant is recorded.
    package func pickExport(
        _ session: Session, _ folder: Wire.Location, _ original: PickerDriver.Original, operation: String,
        progress: PublishProgress = .unheard
    ) async throws -> Wire.Item {
        let provider = try await provider(folder, offering: .exportToService)
        return provider.told(
            try await session.choosing {
                try await exports.export(
                    session, provider, folder, original, operation: operation, isMove: false, progress: progress)
            }.item)
    }

    /// Move mode (C4): grants the new document; the client removes its source afterwards.
    package func pickMove(
        _ session: Session, _ folder: Wire.Location, _ original: PickerDriver.Original, operation: String,
        offer: GrantOffer = GrantOffer(access: .readWrite, origin: .move), progress: PublishProgress = .unheard
    ) async throws -> (item: Wire.Item, source: FileStatus) {
        let provider = try await provider(folder, offering: .moveToService)
        var result = try await session.choosing {
            try await exports.export(
                session, provider, folder, original, operation: operation, isMove: true, progress: progress)
        }
        result.item = try await granted(session, result.item, offer)
        noteUsed(session, result.item)
        return result
    }

    // MARK: Moving and deleting within a provider

    /// Moves or renames the item at a location, or both; its rights follow it. By naming it, the user has chosen it.
    package func move(
        _ session: Session, _ location: Wire.Location, to folder: Wire.Location?, name: String?, operation: String
    ) async throws -> Wire.Item {
        // A repeated call whose first reply was lost finds nothing at the location.
        if let done = try await mover.repeated(.move, operation, session) { return done }
        let item = try await located(location, followsLink: false)
        var target: ItemKey?
        if let folder {
            let same = try await registry.usable(folder.provider).identifier == item.reference.provider
            guard same, folder.domain == location.domain else {
                throw Failure(
                    .notSupported, "Items can only be moved within one domain of a provider.",
                    suggestion: "Use `docent export` to the other place, then `docent rm` here.")
            }
            target = try await located(folder).reference.key
        }
        return try await mover.move(session, item.reference.key, to: target, name: name, operation: operation)
    }

    /// Deletes the item at a location.
    @discardableResult
    package func delete(
        _ session: Session, _ location: Wire.Location, isRecursive: Bool, trash: TrashUse = .preferred,
        operation: String
    ) async throws -> Deletion {
        if let done = try await mover.deletion(operation, session) { return done }
        let item = try await located(location, followsLink: false)
        return try await mover.delete(
            session, item.reference.key, version: nil, isRecursive: isRecursive, trash: trash, operation: operation)
    }

    /// Makes an empty folder.
    package func makeFolder(
        _ session: Session, in folder: Wire.Location, name: String, operation: String
    ) async throws -> Wire.Item {
        let item = try await located(folder)
        guard item.isFolder else {
            throw Failure(
                .invalidArgument, "\"\(item.name)\" is not a folder.", suggestion: "Choose the folder above it.")
        }
        return try await mover.makeFolder(session, in: item.reference.key, name: name, operation: operation)
    }

    private func located(_ location: Wire.Location, followsLink: Bool = true) async throws -> Wire.Item {
        let provider = try await browsable(location)
        guard provider.description.fileProvider != nil else {
            throw Failure(
                .notSupported, "\(provider.identifier) has no file provider: what it shows cannot be changed.",
                provider: provider.identifier)
        }
        return try await gateway.item(
            at: try ItemPath(location.path), provider: provider.identifier, domain: location.domain,
            followsLink: followsLink)
    }
}
