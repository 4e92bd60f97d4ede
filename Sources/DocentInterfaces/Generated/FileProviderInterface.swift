// Made from Interfaces/org.docent.FileProvider.varlink by Scripts/generate-interfaces.py; edit that file.

import Varlink

/// The interface `org.docent.FileProvider`.
package enum FileProviderInterface {
    /// Its name.
    package static let name = "org.docent.FileProvider"

    /// Its text, as introspection gives it.
    package static var description: String {
        String(decoding: PackageResources.org_docent_FileProvider_varlink, as: UTF8.self)
    }

    /// The first call. storage in ProviderDomain: documentStorageURL as a path inside the sandbox. features: inPlace
    /// (OpenInPlace), write (Create, Modify), delete, move, changes, resume (Fetch uses its offset), signIn, packages
    /// (BeginPackage), metadata (Create, Modify and CommitPackage keep what is beside the content), authenticate
    /// (SignInForms, Authenticate), classic (the iOS 8 class: no Fetch; Provide creates the file). Later calls add,
    /// change and remove domains.
    package enum Initialize: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Initialize"

        package struct Parameters: VarlinkMessage, Equatable {
            package var version: Int
            package var provider: String
            package var point: String
            package var principalClass: String?
            package var displayName: String
            package var domains: [Wire.ProviderDomain]

            package init(
                version: Int,
                provider: String,
                point: String,
                principalClass: String? = nil,
                displayName: String,
                domains: [Wire.ProviderDomain]
            ) {
                self.version = version
                self.provider = provider
                self.point = point
                self.principalClass = principalClass
                self.displayName = displayName
                self.domains = domains
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var sdk: String
            package var features: [String]

            package init(sdk: String, features: [String]) {
                self.sdk = sdk
                self.features = features
            }
        }
    }

    /// Adds a connection for simultaneous calls: one descriptor, an end of a socket pair.
    package enum Connect: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Connect"

        package struct Parameters: VarlinkMessage, Equatable {
            package var socket: Int

            package var descriptorCount: Int { 1 }

            package init(socket: Int) {
                self.socket = socket
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Notifications, for as long as the call lasts (call with `more`). kind: changed, deleted, resync, log. One
    /// reply per batch; identifiers are those of items and folders of the domain.
    package enum Events: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Events"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var kind: String
            package var domain: String
            package var identifiers: [String]
            package var message: String?

            package init(kind: String, domain: String, identifiers: [String], message: String? = nil) {
                self.kind = kind
                self.domain = domain
                self.identifiers = identifiers
                self.message = message
            }
        }
    }

    /// Item.
    package enum Item: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Item"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }
        }
    }

    /// The child with this name.
    package enum Child: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Child"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var parent: String
            package var name: String

            package init(domain: String, parent: String, name: String) {
                self.domain = domain
                self.parent = parent
                self.name = name
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }
        }
    }

    /// One page; without `page`, the first. A page token has at most 500 bytes.
    package enum Children: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Children"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var parent: String
            package var page: String?

            package init(domain: String, parent: String, page: String? = nil) {
                self.domain = domain
                self.parent = parent
                self.page = page
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.ProviderItem]
            package var nextPage: String?

            package init(items: [Wire.ProviderItem], nextPage: String? = nil) {
                self.items = items
                self.nextPage = nextPage
            }
        }
    }

    /// The changes since an anchor; without one, only the current anchor. AnchorExpired: list again.
    package enum Changes: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Changes"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var anchor: String?

            package init(domain: String, anchor: String? = nil) {
                self.domain = domain
                self.anchor = anchor
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var changed: [Wire.ProviderItem]
            package var deleted: [String]
            package var anchor: String
            package var more: Bool

            package init(changed: [Wire.ProviderItem], deleted: [String], anchor: String, more: Bool) {
                self.changed = changed
                self.deleted = deleted
                self.anchor = anchor
                self.more = more
            }
        }
    }

    /// Opens the content in place: a descriptor for reading the file itself.
    package enum OpenInPlace: InterfaceMethod {
        package static let name = "org.docent.FileProvider.OpenInPlace"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem
            package var file: Int

            package var descriptorCount: Int { 1 }

            package init(item: Wire.ProviderItem, file: Int) {
                self.item = item
                self.file = file
            }
        }
    }

    /// Writes the content to the descriptor `destination`, which is open for writing. Called with `more`, every reply
    /// but the last has progress and extends the deadline. completedBytes counts from the start of the content,
    /// including bytes that were already there. offset: the number of bytes of that version that are already there.
    /// The reply's offset is where writing began: 0 (or absent) when the provider started again because the version
    /// has changed or it cannot resume.
    package enum Fetch: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Fetch"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var destination: Int
            package var offset: Int?
            package var version: String?

            package var descriptorCount: Int { 1 }

            package init(
                domain: String,
                identifier: String,
                destination: Int,
                offset: Int? = nil,
                version: String? = nil
            ) {
                self.domain = domain
                self.identifier = identifier
                self.destination = destination
                self.offset = offset
                self.version = version
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var completedBytes: Int
            package var totalBytes: Int?
            package var offset: Int?

            package init(
                item: Wire.ProviderItem? = nil,
                completedBytes: Int,
                totalBytes: Int? = nil,
                offset: Int? = nil
            ) {
                self.item = item
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
                self.offset = offset
            }
        }
    }

    /// Creates an item; content (a descriptor for reading) is absent for a folder. Never replaces an item: Collision.
    /// digest is the SHA-256 of the content. A repeated operation with the same digest gets the same answer. Called
    /// with `more`, every reply but the last has progress (without an item) and extends the deadline; the same holds
    /// for Modify. metadata and thumbnail (a descriptor of a PNG) are sent only with the feature metadata; what
    /// cannot be kept is ignored.
    package enum Create: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Create"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var parent: String
            package var name: String
            package var isFolder: Bool
            package var contentType: String?
            package var content: Int?
            package var size: Int?
            package var digest: String?
            package var operation: String
            package var metadata: Wire.ItemMetadata?
            package var thumbnail: Int?

            package var descriptorCount: Int { (content == nil ? 0 : 1) + (thumbnail == nil ? 0 : 1) }

            package init(
                domain: String,
                parent: String,
                name: String,
                isFolder: Bool,
                contentType: String? = nil,
                content: Int? = nil,
                size: Int? = nil,
                digest: String? = nil,
                operation: String,
                metadata: Wire.ItemMetadata? = nil,
                thumbnail: Int? = nil
            ) {
                self.domain = domain
                self.parent = parent
                self.name = name
                self.isFolder = isFolder
                self.contentType = contentType
                self.content = content
                self.size = size
                self.digest = digest
                self.operation = operation
                self.metadata = metadata
                self.thumbnail = thumbnail
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package init(item: Wire.ProviderItem? = nil, completedBytes: Int? = nil, totalBytes: Int? = nil) {
                self.item = item
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }
        }
    }

    /// Replaces the content if the item is still at baseVersion. Otherwise the stored content is kept beside it and
    /// named in `conflict`, or the answer is VersionOutOfDate. Repeated calls work as for Create.
    package enum Modify: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Modify"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var baseVersion: String?
            package var content: Int
            package var size: Int
            package var digest: String
            package var operation: String
            package var metadata: Wire.ItemMetadata?
            package var thumbnail: Int?

            package var descriptorCount: Int { 1 + (thumbnail == nil ? 0 : 1) }

            package init(
                domain: String,
                identifier: String,
                baseVersion: String? = nil,
                content: Int,
                size: Int,
                digest: String,
                operation: String,
                metadata: Wire.ItemMetadata? = nil,
                thumbnail: Int? = nil
            ) {
                self.domain = domain
                self.identifier = identifier
                self.baseVersion = baseVersion
                self.content = content
                self.size = size
                self.digest = digest
                self.operation = operation
                self.metadata = metadata
                self.thumbnail = thumbnail
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var conflict: String?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package init(
                item: Wire.ProviderItem? = nil,
                conflict: String? = nil,
                completedBytes: Int? = nil,
                totalBytes: Int? = nil
            ) {
                self.item = item
                self.conflict = conflict
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }
        }
    }

    /// Delete.
    package enum Delete: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Delete"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var baseVersion: String?
            package var recursive: Bool

            package init(domain: String, identifier: String, baseVersion: String? = nil, recursive: Bool) {
                self.domain = domain
                self.identifier = identifier
                self.baseVersion = baseVersion
                self.recursive = recursive
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Moves an item to another folder or renames it, never replacing anything: Collision.
    package enum Move: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Move"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var baseVersion: String?
            package var parent: String
            package var name: String
            package var operation: String

            package init(
                domain: String,
                identifier: String,
                baseVersion: String? = nil,
                parent: String,
                name: String,
                operation: String
            ) {
                self.domain = domain
                self.identifier = identifier
                self.baseVersion = baseVersion
                self.parent = parent
                self.name = name
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }
        }
    }

    /// Gives the domain its credentials for the life of the process: a user name and a secret (password or token),
    /// one of them, or neither to ask what is already known. NotAuthenticated when the service refuses them. kind:
    /// password or token.
    package enum SignIn: InterfaceMethod {
        package static let name = "org.docent.FileProvider.SignIn"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var kind: String
            package var username: String?
            package var secret: String?

            package init(domain: String, kind: String, username: String? = nil, secret: String? = nil) {
                self.domain = domain
                self.kind = kind
                self.username = username
                self.secret = secret
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var displayName: String?

            package init(displayName: String? = nil) {
                self.displayName = displayName
            }
        }
    }

    /// Discards the secret of the domain.
    package enum SignOut: InterfaceMethod {
        package static let name = "org.docent.FileProvider.SignOut"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String

            package init(domain: String) {
                self.domain = domain
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// The ways to sign in. No domain is needed.
    package enum SignInForms: InterfaceMethod {
        package static let name = "org.docent.FileProvider.SignInForms"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var forms: [Wire.SignInForm]

            package init(forms: [Wire.SignInForm]) {
                self.forms = forms
            }
        }
    }

    /// Tries a person's answers with the service, in a separate instance with that domain, which need not exist yet.
    /// Nothing is kept. values: the answers by key, including secrets. redirect: the loopback address
    /// (http://127.0.0.1:PORT/) that a browser may be redirected to. Called with `more`, every reply but the last has
    /// a step and extends the deadline. The last has what to pass to SignIn from now on (kind, username, secret), the
    /// account's name for people, and settings of the domain. kind: password, token, or oauth (the provider's own
    /// text with its tokens). NotAuthenticated says why it was refused. answersQuestions: the caller answers steps of
    /// the kind question with AnswerAuthentication; otherwise no question can be asked. At most 16 of them in an
    /// attempt.
    package enum Authenticate: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Authenticate"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: Wire.ProviderDomain
            package var form: String
            package var values: [String: String]
            package var attempt: String
            package var redirect: String?
            package var answersQuestions: Bool?

            package init(
                domain: Wire.ProviderDomain,
                form: String,
                values: [String: String],
                attempt: String,
                redirect: String? = nil,
                answersQuestions: Bool? = nil
            ) {
                self.domain = domain
                self.form = form
                self.values = values
                self.attempt = attempt
                self.redirect = redirect
                self.answersQuestions = answersQuestions
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var step: Wire.SignInStep?
            package var kind: String?
            package var username: String?
            package var secret: String?
            package var displayName: String?
            package var settings: [String: String]?

            package init(
                step: Wire.SignInStep? = nil,
                kind: String? = nil,
                username: String? = nil,
                secret: String? = nil,
                displayName: String? = nil,
                settings: [String: String]? = nil
            ) {
                self.step = step
                self.kind = kind
                self.username = username
                self.secret = secret
                self.displayName = displayName
                self.settings = settings
            }
        }
    }

    /// Passes on the address that the browser was redirected to, with its query.
    package enum ContinueAuthentication: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ContinueAuthentication"

        package struct Parameters: VarlinkMessage, Equatable {
            package var attempt: String
            package var url: String

            package init(attempt: String, url: String) {
                self.attempt = attempt
                self.url = url
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Answers a question of the attempt, once. answer is absent when there is no one to ask or the person does not
    /// answer. InvalidArgument: another answer may follow; NoSuchItem: the answer is no longer expected.
    package enum AnswerAuthentication: InterfaceMethod {
        package static let name = "org.docent.FileProvider.AnswerAuthentication"

        package struct Parameters: VarlinkMessage, Equatable {
            package var attempt: String
            package var number: Int
            package var answer: String?

            package init(attempt: String, number: Int, answer: String? = nil) {
                self.attempt = attempt
                self.number = number
                self.answer = answer
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// The extension's requests to the system keyring, which it never accesses itself. Called once with `more`, for
    /// the life of the connection. request: a name of the extension's choice, for KeychainAnswered. kind: store
    /// (replaces an entry with the same group, domain and account), lookUp, delete, list, or save (kind of
    /// credential, username and secret of `domain`, replacing its credentials, for example after a token was
    /// refreshed). group: one of the manifest's keychain-access-groups; others are refused. secret: base64, at most
    /// 64 KiB decoded; for save, text.
    package enum Keychain: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Keychain"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var kind: String
            package var request: String
            package var group: String?
            package var domain: String?
            package var account: String?
            package var secret: String?
            package var label: String?
            package var credentialKind: String?
            package var username: String?

            package init(
                kind: String,
                request: String,
                group: String? = nil,
                domain: String? = nil,
                account: String? = nil,
                secret: String? = nil,
                label: String? = nil,
                credentialKind: String? = nil,
                username: String? = nil
            ) {
                self.kind = kind
                self.request = request
                self.group = group
                self.domain = domain
                self.account = account
                self.secret = secret
                self.label = label
                self.credentialKind = credentialKind
                self.username = username
            }
        }
    }

    /// Answers a request. secret: base64; absent if there is none. items: for list. code (an error's name) and
    /// message: why it failed.
    package enum KeychainAnswered: InterfaceMethod {
        package static let name = "org.docent.FileProvider.KeychainAnswered"

        package struct Parameters: VarlinkMessage, Equatable {
            package var request: String
            package var secret: String?
            package var items: [Wire.KeychainItem]?
            package var code: String?
            package var message: String?

            package init(
                request: String,
                secret: String? = nil,
                items: [Wire.KeychainItem]? = nil,
                code: String? = nil,
                message: String? = nil
            ) {
                self.request = request
                self.secret = secret
                self.items = items
                self.code = code
                self.message = message
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// persistentIdentifierForItemAtURL and URLForItemWithPersistentIdentifier. URLs are file URLs below storage.
    package enum PersistentIdentifier: InterfaceMethod {
        package static let name = "org.docent.FileProvider.PersistentIdentifier"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var url: String

            package init(domain: String, url: String) {
                self.domain = domain
                self.url = url
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }
        }
    }

    /// URLForItem.
    package enum URLForItem: InterfaceMethod {
        package static let name = "org.docent.FileProvider.URLForItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var url: String

            package init(url: String) {
                self.url = url
            }
        }
    }

    /// The calls of the classic class (feature classic), for the item's file URL. ProvidePlaceholder:
    /// providePlaceholderAtURL. Provide: startProvidingItemAtURL; the file exists when it is answered. Called with
    /// `more`, it may report progress. ItemChanged: itemChangedAtURL; a client's save has replaced the file below
    /// storage.
    package enum ProvidePlaceholder: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ProvidePlaceholder"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Provide.
    package enum Provide: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Provide"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package init(item: Wire.ProviderItem? = nil, completedBytes: Int? = nil, totalBytes: Int? = nil) {
                self.item = item
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }
        }
    }

    /// ItemChanged.
    package enum ItemChanged: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ItemChanged"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Requests notifications about an item (Events: changed, deleted) for as long as it is presented. observing
    /// false: no longer needed. A folder stands for its contents.
    package enum Observe: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Observe"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var observing: Bool

            package init(domain: String, identifier: String, observing: Bool) {
                self.domain = domain
                self.identifier = identifier
                self.observing = observing
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// The provider's own file coordination: the extension's requests to read or write its items in turn with all
    /// other programs. Called once with `more`, for the life of the connection. kind: request, or release of a
    /// granted claim. claim: a name of the extension's choice. within: the host's call ("Method domain identifier",
    /// or the `operation` of one without an identifier) during which it is made. domain: that of the items; absent
    /// for the default one. enclosing: granted claims that enclose this one. A release withdraws a request that has
    /// not been answered.
    package enum Claims: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Claims"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var kind: String
            package var claim: String
            package var domain: String?
            package var accesses: [Wire.ProviderAccess]?
            package var purpose: String?
            package var within: String?
            package var enclosing: [String]?

            package init(
                kind: String,
                claim: String,
                domain: String? = nil,
                accesses: [Wire.ProviderAccess]? = nil,
                purpose: String? = nil,
                within: String? = nil,
                enclosing: [String]? = nil
            ) {
                self.kind = kind
                self.claim = claim
                self.domain = domain
                self.accesses = accesses
                self.purpose = purpose
                self.within = within
                self.enclosing = enclosing
            }
        }
    }

    /// Answers a request. message: why it was not granted. code: the same for programs, an error's name such as
    /// Deadlock. NoSuchItem when the extension no longer waits for that claim.
    package enum ClaimAnswered: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ClaimAnswered"

        package struct Parameters: VarlinkMessage, Equatable {
            package var claim: String
            package var granted: Bool
            package var code: String?
            package var message: String?

            package init(claim: String, granted: Bool, code: String? = nil, message: String? = nil) {
                self.claim = claim
                self.granted = granted
                self.code = code
                self.message = message
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Replaces a package as a whole, in steps that may be repeated: BeginPackage, StageElement for each element,
    /// CommitPackage. elements: the elements afterwards. Those with a version are unchanged from the stored ones of
    /// that version and are not sent. needed: the paths whose content must still be sent. If the package is not at
    /// baseVersion, the stored one is kept beside it and named in `conflict`, or the answer is VersionOutOfDate.
    /// identifier absent: a new package `name` in `parent` (Collision). digest: that of the list of elements.
    package enum BeginPackage: InterfaceMethod {
        package static let name = "org.docent.FileProvider.BeginPackage"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String?
            package var parent: String?
            package var name: String?
            package var baseVersion: String?
            package var elements: [Wire.PackagePart]
            package var digest: String
            package var operation: String

            package init(
                domain: String,
                identifier: String? = nil,
                parent: String? = nil,
                name: String? = nil,
                baseVersion: String? = nil,
                elements: [Wire.PackagePart],
                digest: String,
                operation: String
            ) {
                self.domain = domain
                self.identifier = identifier
                self.parent = parent
                self.name = name
                self.baseVersion = baseVersion
                self.elements = elements
                self.digest = digest
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var needed: [String]
            package var item: Wire.ProviderItem?

            package init(needed: [String], item: Wire.ProviderItem? = nil) {
                self.needed = needed
                self.item = item
            }
        }
    }

    /// StageElement.
    package enum StageElement: InterfaceMethod {
        package static let name = "org.docent.FileProvider.StageElement"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var path: String
            package var content: Int
            package var size: Int
            package var digest: String

            package var descriptorCount: Int { 1 }

            package init(operation: String, path: String, content: Int, size: Int, digest: String) {
                self.operation = operation
                self.path = path
                self.content = content
                self.size = size
                self.digest = digest
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// CommitPackage.
    package enum CommitPackage: InterfaceMethod {
        package static let name = "org.docent.FileProvider.CommitPackage"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var metadata: Wire.ItemMetadata?
            package var thumbnail: Int?

            package var descriptorCount: Int { (thumbnail == nil ? 0 : 1) }

            package init(operation: String, metadata: Wire.ItemMetadata? = nil, thumbnail: Int? = nil) {
                self.operation = operation
                self.metadata = metadata
                self.thumbnail = thumbnail
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var conflict: String?

            package init(item: Wire.ProviderItem? = nil, conflict: String? = nil) {
                self.item = item
                self.conflict = conflict
            }
        }
    }

    /// Reports that the item is no longer in use (stopProvidingItemAtURL).
    package enum StopProviding: InterfaceMethod {
        package static let name = "org.docent.FileProvider.StopProviding"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    package static let errorNoSuchItem = "org.docent.FileProvider.NoSuchItem"

    package static let errorNotAuthenticated = "org.docent.FileProvider.NotAuthenticated"

    package static let errorServerUnreachable = "org.docent.FileProvider.ServerUnreachable"

    package static let errorBusy = "org.docent.FileProvider.Busy"

    package static let errorCollision = "org.docent.FileProvider.Collision"

    package static let errorVersionOutOfDate = "org.docent.FileProvider.VersionOutOfDate"

    package static let errorInsufficientQuota = "org.docent.FileProvider.InsufficientQuota"

    package static let errorAnchorExpired = "org.docent.FileProvider.AnchorExpired"

    package static let errorNotSupported = "org.docent.FileProvider.NotSupported"

    package static let errorNotPermitted = "org.docent.FileProvider.NotPermitted"

    package static let errorInvalidArgument = "org.docent.FileProvider.InvalidArgument"

    package static let errorFailed = "org.docent.FileProvider.Failed"
}
