package import FileProvider

/// The documents of an rclone remote, with any of rclone's back ends.
///
/// Identifiers are paths below the remote. Versions are hashes if the back end has them without reading the content,
/// otherwise date and size.
package final class RcloneProvider: ReplicatedFileProvider {
    /// What the best back ends can do. Each item reports what its own back end cannot do.
    package static var features: ProviderFeatures {
        [.write, .delete, .move, .resume, .ranges, .signIn, .usage, .versions]
    }

    let session: RemoteSession
    let notes: BegunOperations
    let replacements = ReplacementWatch()
    let listings = KeptListings()
    let transfers = Turnstile(4)
    /// The changes at each place. A change looks first and acts then: two at once would both find what they expect.
    let changes = ItemOrder<String>()
    let storage: String
    let settings: [String: String]
    private let displayName: String

    /// The provider of a remote. Does not start rclone or send a request yet.
    ///
    /// The domain's settings are `remote` (`NAME:PATH`, or `:BACKEND,KEY=VALUE:PATH`), or `backend` with `parameters`
    /// (`KEY=VALUE,…`) and `path`. Without either, the remote is the domain's folder. `program` is the path of rclone.
    ///
    /// - Throws: `FileProviderError` for invalid settings.
    package init(domain: FileProviderDomain, host: FileProviderHost) throws {
        var settings = domain.settings
        if settings["remote"] == nil, settings["backend"] == nil { settings["remote"] = domain.folder }
        let program = try Self.program(settings["program"])
        let account = try RemoteAccount(settings: settings, secret: nil)
        self.settings = settings
        displayName = settings["remote"] ?? settings["backend"] ?? "rclone"
        storage = domain.documentStorage + "/.org.docent.Rclone"
        notes = BegunOperations(directory: storage + "/operations")
        session = RemoteSession(account, service: .of(program: program)) { try await host.save($0) }
    }

    /// The path of rclone from the setting, which has to be absolute.
    static func program(_ setting: String?) throws -> String? {
        guard let setting, !setting.hasPrefix("/") else { return setting }
        throw FileProviderError(.invalidArgument, "\"program\" must be the absolute path of rclone.")
    }

    /// Takes the configuration of the remote, and checks that the service accepts it.
    package func signIn(_ credential: Credential) async throws -> String? {
        if let secret = credential.secret {
            do {
                let account = try RemoteAccount(settings: settings, secret: secret)
                try account.requireProtection(settings[RemoteAccount.consentSetting], .notAuthenticated)
                await session.use(account)
            } catch let error as FileProviderError where error.code == .invalidArgument {
                throw FileProviderError(.notAuthenticated, error.message)
            }
        }
        _ = try await entries(in: .root)
        return displayName
    }

    /// Removes the configuration from the provider and from rclone.
    package func signOut() async { await session.forget() }

    /// Describes an item.
    package func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        let place = try place(identifier)
        if place.isRoot {
            let traits = try await session.connected().traits
            var item = FileProviderItem(folder: .rootContainer, parent: .rootContainer, filename: displayName.slashless)
            item.capabilities = traits.capabilities(isFolder: true, isRoot: true)
            item.ignoresCase = traits.ignoresCase
            return item
        }
        return try await describe(existing(place), at: place)
    }

    /// Finds one item by its name.
    package func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        let folder = try place(parent)
        let missing = FileProviderError(.noSuchItem, "There is no \"\(name)\" in the folder.")
        guard let place = folder.child(name) else { throw missing }
        let ignoresCase = try await session.connected().traits.ignoresCase
        if ignoresCase || RemotePlace.hasQuotation(name) || RemotePlace.mayHaveSpellings(name) {
            // The listing has the true name. A direct lookup may also succeed for another spelling.
            guard let found = try await entries(in: folder).first(where: { $0.place == place }) else { throw missing }
            return try await describe(found.entry, at: place)
        }
        return try await describe(existing(place), at: place)
    }

    /// Returns one page of a folder.
    package func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        let folder = try place(parent)
        let listing: KeptListings.Listing
        if let page, let known = listings.listing(of: folder, page: page) {
            listing = known
        } else {
            let entries = try await entries(in: folder)
            // Many back ends list a document, or a missing item, as if it were an empty folder.
            if entries.isEmpty { try await existingFolder(folder) }
            listing = listings.keep(entries, of: folder)
        }
        let traits = try await session.connected().traits
        let (part, next) = try listing.part(after: page)
        return ItemPage(
            items: part.map { Self.item($0.entry, at: $0.place, traits) }, nextPage: next)
    }

    func place(_ identifier: ItemIdentifier) throws -> RemotePlace {
        guard let place = RemotePlace(identifier) else {
            throw FileProviderError(.noSuchItem, "There is no item \"\(identifier)\" in this domain.")
        }
        return place
    }

    func describe(_ entry: RcloneEntry, at place: RemotePlace) async throws -> FileProviderItem {
        Self.item(entry, at: place, try await session.connected().traits)
    }

    private static func item(_ entry: RcloneEntry, at place: RemotePlace, _ traits: RemoteTraits) -> FileProviderItem {
        let parent = place.folder.identifier
        var item =
            entry.isFolder
            ? FileProviderItem(folder: place.identifier, parent: parent, filename: place.filename)
            : FileProviderItem(
                identifier: place.identifier, parent: parent, filename: place.filename, size: entry.size,
                version: entry.version(hash: traits.versionHash))
        item.modificationDate = entry.modificationDate
        item.capabilities = traits.capabilities(isFolder: entry.isFolder, isRoot: false)
        if entry.isFolder { item.ignoresCase = traits.ignoresCase }
        return item
    }
}

extension String {
    /// The text as an item name, without slashes.
    fileprivate var slashless: String {
        let text = replacing("/", with: " ").trimmed
        return text.isEmpty ? "rclone" : String(text)
    }
}
