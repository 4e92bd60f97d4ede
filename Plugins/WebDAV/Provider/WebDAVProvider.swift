package import FileProvider
import HTTPTransport
import Synchronization

/// The documents in a folder of a WebDAV server.
///
/// Identifiers are paths below the root, or Nextcloud's file numbers, which survive a rename. Versions are entity tags,
/// or date and size if the server has no entity tags.
package final class WebDAVProvider: ReplicatedFileProvider {
    /// Everything except content in place and a list of changes. Only a Nextcloud has a trash, versions and previews.
    package static var features: ProviderFeatures {
        [
            .write, .delete, .move, .resume, .ranges, .signIn, .packages, .metadata, .usage, .trash, .versions,
            .thumbnails,
        ]
    }

    let server: RemoteServer
    let identities = IdentityMap()
    let notes: OperationNotes
    let listings = ListingCache()
    let creations = ItemOrder<RemotePath>()
    let replacements = ReplacementLog()
    /// Saves of the same document run one after the other.
    let savings = ItemOrder<RemotePath>()
    let destinations = DestinationTrials()
    let trials = ItemOrder<RemotePath>()
    /// How often the content of an operation was sent.
    let attempts: OperationNotes
    /// Operations whose MOVE the server failed to finish.
    let brokenMoves: OperationNotes
    /// How often the server refused the MOVE of an operation although nobody else had changed the document.
    let refusals: OperationNotes
    /// Whether the server keeps control characters in names; nil until it was tried.
    let keepsControlCharacters = Mutex<Bool?>(nil)
    /// Whether the server lists names that begin with a dot; nil until it was tried.
    let listsHiddenNames = Mutex<Bool?>(nil)
    /// Whether the server keeps names that look percent-encoded; nil until it was tried.
    let keepsEncodedNames = Mutex<Bool?>(nil)
    /// Whether the server has a trash bin; nil until it was asked.
    let hasTrashBin = Mutex<Bool?>(nil)
    /// How the server has answered requests for parts so far.
    let partTraits = Mutex(PartTraits())
    let chunkSize: Int
    private let username: String?
    let certificateAuthority: String?
    private let isUnprotectedAllowed: Bool
    private let host: FileProviderHost
    private let displayName: String

    /// The provider of a folder on a server. Does not send a request yet.
    ///
    /// The domain's settings are `url`; `username`; `certificateAuthorityData`, certificates in PEM that are trusted
    /// instead of the system's; `chunkSizeBytes`, the size of the pieces in which Nextcloud gets larger documents;
    /// `unprotected`, `yes` if the user has agreed that the secret is sent to another machine without https.
    ///
    /// - Throws: `FileProviderError` for invalid settings.
    package init(domain: FileProviderDomain, host: FileProviderHost) throws {
        guard let url = domain.settings["url"] else {
            throw FileProviderError(
                .invalidArgument,
                "The domain has no url. Give the address of a WebDAV folder: docent domains add … --url URL.")
        }
        let address = try ServerAddress(url: url)
        if let text = domain.settings["certificateAuthorityData"], !text.contains("-----BEGIN CERTIFICATE-----") {
            throw FileProviderError(
                .invalidArgument, "The certificate authority is not in PEM format. Convert it with openssl x509.")
        }
        let chunkSize = domain.settings["chunkSizeBytes"].map { Int($0) ?? 0 } ?? 32 << 20
        guard chunkSize > 0 else {
            throw FileProviderError(.invalidArgument, "chunkSizeBytes is not a number of bytes.")
        }
        self.chunkSize = chunkSize
        self.host = host
        certificateAuthority = domain.settings["certificateAuthorityData"]
        username = domain.settings["username"]
        isUnprotectedAllowed = domain.settings[Self.consentSetting] == Self.consent
        displayName = address.base.last?.displayed ?? address.origin
        server = RemoteServer(
            address: address, certificateAuthority: certificateAuthority,
            directory: domain.documentStorage)
        notes = OperationNotes(directory: domain.documentStorage)
        attempts = OperationNotes(directory: domain.documentStorage, kind: "attempts")
        brokenMoves = OperationNotes(directory: domain.documentStorage, kind: "moves")
        refusals = OperationNotes(directory: domain.documentStorage, kind: "refusals")
    }

    /// Signs in and checks that the server accepts the credential. Without https, nothing is sent to another machine
    /// unless the domain's settings contain the user's consent.
    package func signIn(_ credential: Credential) async throws -> String? {
        if credential.secret != nil, !server.address.isProtected {
            guard isUnprotectedAllowed, credential.kind != .oauth else {
                throw Self.unprotected(server.address, .notAuthenticated)
            }
        }
        // A token is sent without a challenge, so the server is first asked whether it has moved to https.
        if credential.kind == .token, server.address.origin.hasPrefix("http://") { try await refuseRedirect() }
        return try await enter(credential)
    }

    /// Signs in at an address that was checked before.
    func enter(_ credential: Credential) async throws -> String? {
        if let secret = credential.secret {
            switch credential.kind {
            case .token: server.authenticate(with: .token(secret))
            case .oauth: server.authenticate(with: .session(try session(secret)))
            default:
                guard let name = credential.username ?? username else {
                    throw FileProviderError(.invalidArgument, "The password has no user name. Give it with --username.")
                }
                server.authenticate(with: .password(username: name, password: secret))
            }
        }
        guard try await server.existing(.root).isFolder else {
            throw FileProviderError(
                .invalidArgument,
                "\(server.address.url(of: .root)) is the address of a document. Give the address of its folder.")
        }
        return credential.username ?? username
    }

    private func session(_ secret: String) throws -> OAuthSession {
        let credential = try OAuthCredential(secret: secret)
        let client = OAuthClient(certificateAuthority: certificateAuthority)
        return OAuthSessions.shared.session(of: credential) { [host] in
            OAuthSession(credential, client) { try await host.save($0) }
        }
    }

    /// Forgets the secret.
    package func signOut() async { server.authenticate(with: .none) }

    /// The quota of the root, if the server has one.
    package func usage() async throws -> StorageUsage { try await server.usage() }

    /// Describes an item.
    package func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        try await describe(existing(try await path(of: identifier), identifier))
    }

    /// Finds one item by its name.
    package func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        let folder = try await path(of: parent)
        var names: [LocalName] = []
        for candidate in [LocalName(name), LocalName(displayed: name)] {
            if let candidate, !names.contains(candidate), !TemporaryUpload.isOne(candidate) { names.append(candidate) }
        }
        for name in names {
            if let entry = try await optional(folder.appending(name)) { return try await describe(entry) }
        }
        throw FileProviderError(.noSuchItem, "There is no \"\(name)\" in the folder.")
    }

    /// Returns one page of a folder. The listing is kept while it is paged through.
    package func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        let folder = try await path(of: parent)
        var listing = page.flatMap { listings.listing(of: folder, token: $0) }
        if listing == nil {
            let traits = try await server.traits()
            let start = replacements.now
            var entries = try await server.entries(in: folder)
            for path in replacements.touched(in: folder, since: start) {
                try await complete(&entries, path)
            }
            if traits.nextcloud != nil { identities.learn(entries) }
            listing = listings.keep(entries, of: folder)
        }
        guard let listing else { return ItemPage(items: []) }
        let slice = try listing.slice(after: page)
        let parentIdentifier = parent
        return ItemPage(
            items: slice.entries.map {
                $0.item(identifier: identities.identifier(of: $0.path), parent: parentIdentifier)
            }, nextPage: slice.nextPage)
    }

    /// The current path of an item.
    ///
    /// - Throws: `FileProviderError`: noSuchItem if it certainly does not exist, or the identifier is not ours.
    func path(of identifier: ItemIdentifier) async throws -> RemotePath {
        if let path = RemotePath(identifier: identifier) { return path }
        guard let number = IdentityMap.number(of: identifier) else {
            throw FileProviderError(.noSuchItem, "There is no item \"\(identifier)\" in this domain.")
        }
        if let path = identities.path(of: identifier) { return path }
        guard let nextcloud = try await server.traits().nextcloud else {
            throw FileProviderError(
                .serverUnreachable, "The server no longer identifies itself as a Nextcloud. Try again later.")
        }
        guard let entry = try await server.search(number: number, in: nextcloud) else {
            throw FileProviderError(.noSuchItem, "The document is not on the server any more.")
        }
        identities.learn([entry])
        return entry.path
    }

    /// The item for an entry, with its identifier and its parent's.
    func describe(_ entry: RemoteEntry) async throws -> FileProviderItem {
        guard try await server.traits().nextcloud != nil, !entry.path.isRoot else {
            return entry.item(identifier: entry.path.identifier, parent: entry.path.parent.identifier)
        }
        identities.learn([entry])
        let parent = entry.path.parent
        if !parent.isRoot, identities.identifier(of: parent) == parent.identifier {
            identities.learn([try await server.existing(parent)])
        }
        return entry.item(
            identifier: identities.identifier(of: entry.path), parent: identities.identifier(of: parent))
    }
}
