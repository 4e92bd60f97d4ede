package import Access
package import DocentInterfaces
package import ExtensionHosting
package import HostCore
package import Logging
package import RemoteDocuments
import Rights
package import Storage

/// Pictures of documents, whose content is never fetched for them (K9): an earlier one of the same version, else one of
/// its provider, else one that is drawn here if the content is here. A confined client gets those of what it may read.
package struct ThumbnailService: Sendable {
    private let values: PromisedValues
    private let gateway: DocumentGateway
    private let access: AccessControl
    private let aliases: ItemAliases
    private let store: ThumbnailStore
    private let worker: BlockingWorker
    private let providers: ProviderThumbnails
    private let local: LocalThumbnails
    private let refusals: ThumbnailRefusals
    private let logger: Logger

    package init(
        values: PromisedValues, gateway: DocumentGateway, access: AccessControl, aliases: ItemAliases,
        providers: ProviderAccess, types: TypeCatalogue, store: ThumbnailStore, environment: [String: String],
        worker: BlockingWorker, sandbox: ThumbnailerSandbox, logger: Logger, clock: any HostClock
    ) {
        (self.values, self.gateway, self.access, self.aliases) = (values, gateway, access, aliases)
        (self.store, self.worker, self.logger) = (store, worker, logger)
        self.providers = ProviderThumbnails(access: providers, clock: clock)
        local = LocalThumbnails(
            installed: InstalledThumbnailers(environment: environment, worker: worker, clock: clock), sandbox: sandbox,
            types: types)
        refusals = ThumbnailRefusals(clock: clock)
    }

    /// A picture of a document.
    ///
    /// - Parameter size: the most pixels of the longer side, 1 to 1024. Where its provider has only a larger one, and
    ///   nothing here can draw it again, the picture is larger, but never than 1024.
    /// - Throws: ``Failure``: `NotSupported` if there is none; `NotPermitted` for a confined client without a right to
    ///   the document; `InvalidArgument` for a size out of range; why its provider cannot be asked.
    package func thumbnail(
        _ session: Session, _ reference: Wire.ItemReference, size: Int
    ) async throws -> Thumbnail {
        guard let size = ThumbnailSize(atLeast: size) else {
            throw Failure(.invalidArgument, "A picture has between 1 and 1024 pixels a side.")
        }
        let key = aliases.current(reference.key)
        guard session.principal.isConfined else {
            let item = try await SymbolicLinks.end(of: values.described(key)) { try await values.described($0) }
            return try await picture(of: item, size)
        }
        try await access.require(session, key, .read, for: "thumbnail")
        let used = try await access.used(session, key, .read, for: "thumbnail")
        return try await access.whileAllowed(session, used, .read) {
            try await picture(of: values.described(used), size)
        }
    }

    // MARK: Steps

    private func picture(of item: Wire.Item, _ size: ThumbnailSize, isSecond: Bool = false) async throws -> Thumbnail {
        guard !item.isFolder, item.symbolicLinkTarget == nil else {
            throw Failure(.notSupported, "There are pictures of documents only.")
        }
        let stamp = Self.stamp(item)
        if let stamp, let kept = await kept(item, stamp, size) { return kept }
        let wanted = stamp.map { ThumbnailRefusals.Key(item: item.reference.key, version: $0, size: size) }
        if let wanted, let failure = refusals.refusal(wanted) { throw failure }
        do {
            let (picture, source) = try await made(item, size)
            return try await keep(picture, source, item, stamp, size)
        } catch let failure as Failure {
            if failure.code == .conflict, !isSecond {
                // It has changed since it was described.
                let now = try await gateway.refreshed(item.reference.key)
                return try await self.picture(of: now, size, isSecond: true)
            }
            if let wanted { refusals.note(failure, wanted) }
            throw failure
        }
    }

    private func made(_ item: Wire.Item, _ size: ThumbnailSize) async throws -> (PNGPicture, Thumbnail.Source) {
        var failure: Failure?
        // The provider has no picture of a content that was not sent to it yet.
        if item.isUploaded {
            do {
                if let picture = try await ofProvider(item, size) { return (picture, .provider) }
            } catch let error as Failure {
                guard error.code != .cancelled, error.code != .conflict else { throw error }
                failure = error
            }
        }
        try Task.checkCancellation()
        if let content = try await gateway.contentHere(item.reference.key, version: item.version),
            let picture = try await local.picture(of: content, type: item.contentType, name: item.name, size: size)
        {
            return (picture, .local)
        }
        throw failure ?? Self.none(item)
    }

    private func ofProvider(_ item: Wire.Item, _ size: ThumbnailSize) async throws -> PNGPicture? {
        switch try await providers.picture(of: item.reference.key, version: item.version, size: size) {
        case nil: return nil
        case .picture(let picture) where max(picture.width, picture.height) <= size.pixels: return picture
        case .picture(let picture):
            let bytes = picture.encoded(texts: [])
            return (try? await local.picture(of: bytes, mimeType: "image/png", size: size)) ?? picture
        case .raw(let bytes, let type):
            guard let picture = try await local.picture(of: bytes, mimeType: type, size: size) else {
                throw Failure(
                    .notSupported, "The provider's picture is of the type \(type), which nothing here can draw.",
                    suggestion: "Install a thumbnailer for \(type).", provider: item.reference.provider)
            }
            return picture
        }
    }

    private static func none(_ item: Wire.Item) -> Failure {
        let reason =
            item.isDownloaded
            ? "Its provider has none, and no thumbnailer here draws its type, \(item.contentType)."
            : "Its provider has none, and its content is not on this machine."
        return Failure(
            .notSupported, "There is no picture of \"\(item.name)\". \(reason)", provider: item.reference.provider)
    }

    // MARK: Keeping

    private static let (addressText, timeText, versionText) = ("Thumb::URI", "Thumb::MTime", "X-Docent::Version")

    /// Names the content that a picture must show; nil if nothing tells one content of the document from the next.
    private static func stamp(_ item: Wire.Item) -> String? {
        if let version = item.version { return ThumbnailAddress.escaped(version) }
        return item.modificationDate.map { "\($0)/\(item.size ?? 0)" }
    }

    private func place(_ item: Wire.Item, _ size: ThumbnailSize) -> ThumbnailStore.Place {
        .init(
            provider: item.reference.provider, domain: item.reference.domain, folder: size.folder,
            address: ThumbnailAddress.text(item.reference))
    }

    private func kept(_ item: Wire.Item, _ stamp: String, _ size: ThumbnailSize) async -> Thumbnail? {
        let place = place(item, size)
        return try? await worker.run { [store] _ -> Thumbnail? in
            guard let found = store.read(place),
                let picture = PNGPicture(found.bytes, most: ThumbnailSize.doubleExtraLarge.pixels),
                picture.texts[Self.addressText] == place.address, picture.texts[Self.versionText] == stamp
            else { return nil }
            return Thumbnail(
                file: try BoundedMemoryFile.reading(found.bytes), width: picture.width, height: picture.height,
                source: .cache, version: item.version, path: found.path)
        }
    }

    private func keep(
        _ picture: PNGPicture, _ source: Thumbnail.Source, _ item: Wire.Item, _ stamp: String?, _ size: ThumbnailSize
    ) async throws -> Thumbnail {
        let place = place(item, size)
        let time = item.modificationDate.flatMap { Int(exactly: $0.rounded(.down)) } ?? 0
        let texts = [
            (Self.addressText, place.address), (Self.timeText, String(time)), ("Software", "Docent"),
            (Self.versionText, stamp ?? ""),
        ]
        let isKept = stamp != nil
        return try await worker.run { [store, logger] _ in
            let bytes = picture.encoded(texts: texts)
            var path: String?
            do {
                if isKept { path = try store.put(bytes, at: place) }
            } catch {
                logger.notice("a picture was not kept", metadata: ["why": "\(error)"])
            }
            return Thumbnail(
                file: try BoundedMemoryFile.reading(bytes), width: picture.width, height: picture.height,
                source: source, version: item.version, path: path)
        }
    }
}
