// Made from the files in Interfaces by Scripts/generate-interfaces.py; edit those.

import Varlink

/// The types that several messages share, as they are on the wire.
package enum Wire {
    package struct BrokenManifest: VarlinkMessage, Hashable {
        package var manifest: String
        package var problems: [Wire.Problem]

        package init(manifest: String, problems: [Wire.Problem]) {
            self.manifest = manifest
            self.problems = problems
        }
    }

    package struct Check: VarlinkMessage, Hashable {
        package var name: String
        package var status: String
        package var detail: String
        package var remedy: String?

        package init(name: String, status: String, detail: String, remedy: String? = nil) {
            self.name = name
            self.status = status
            self.detail = detail
            self.remedy = remedy
        }
    }

    package struct Consent: VarlinkMessage, Hashable {
        package var provider: String
        package var displayName: String
        package var digest: String
        package var isSystem: Bool
        package var manifests: [String]
        package var libraries: [String]
        package var requests: [Wire.Request]
        package var problems: [Wire.Problem]
        package var enabled: Bool
        package var state: String
        package var message: String?

        package init(
            provider: String,
            displayName: String,
            digest: String,
            isSystem: Bool,
            manifests: [String],
            libraries: [String],
            requests: [Wire.Request],
            problems: [Wire.Problem],
            enabled: Bool,
            state: String,
            message: String? = nil
        ) {
            self.provider = provider
            self.displayName = displayName
            self.digest = digest
            self.isSystem = isSystem
            self.manifests = manifests
            self.libraries = libraries
            self.requests = requests
            self.problems = problems
            self.enabled = enabled
            self.state = state
            self.message = message
        }
    }

    /// How a domain signs in. kind: password or token. source: file (path, 0600, read again when needed), systemd (name of a credential in
    /// $CREDENTIALS_DIRECTORY), session (secret, in memory only: gone with the daemon, which does not leave while it is needed).
    package struct Credential: VarlinkMessage, Hashable {
        package var kind: String
        package var source: String
        package var username: String?
        package var path: String?
        package var name: String?
        package var secret: String?

        package init(
            kind: String,
            source: String,
            username: String? = nil,
            path: String? = nil,
            name: String? = nil,
            secret: String? = nil
        ) {
            self.kind = kind
            self.source = source
            self.username = username
            self.path = path
            self.name = name
            self.secret = secret
        }
    }

    /// An account of a provider. settings: url, username and what else the provider knows; quotaBytes, minimumFreeBytes (for local
    /// copies), maximumTransfers (at once) are the host's own. What follows folder but settings is told, never taken. state: ready, offline,
    /// notAuthenticated. pendingChanges wait to be sent; localBytes are the local copies'.
    package struct Domain: VarlinkMessage, Hashable {
        package var provider: String
        package var identifier: String
        package var displayName: String
        package var folder: String?
        package var settings: [String: String]?
        package var state: String?
        package var message: String?
        package var pendingChanges: Int?
        package var failedChanges: Int?
        package var localBytes: Int?
        package var credential: String?

        package init(
            provider: String,
            identifier: String,
            displayName: String,
            folder: String? = nil,
            settings: [String: String]? = nil,
            state: String? = nil,
            message: String? = nil,
            pendingChanges: Int? = nil,
            failedChanges: Int? = nil,
            localBytes: Int? = nil,
            credential: String? = nil
        ) {
            self.provider = provider
            self.identifier = identifier
            self.displayName = displayName
            self.folder = folder
            self.settings = settings
            self.state = state
            self.message = message
            self.pendingChanges = pendingChanges
            self.failedChanges = failedChanges
            self.localBytes = localBytes
            self.credential = credential
        }
    }

    /// One step of the chain of causes below an error, as the provider gave it.
    package struct ErrorDetail: VarlinkMessage, Hashable {
        package var domain: String
        package var code: Int
        package var message: String

        package init(domain: String, code: Int, message: String) {
            self.domain = domain
            self.code = code
            self.message = message
        }
    }

    package struct ExtensionStatus: VarlinkMessage, Hashable {
        package var provider: String
        package var point: String
        package var state: String
        package var processIdentifier: Int?
        package var residentBytes: Int?
        package var crashes: Int
        package var message: String?

        package init(
            provider: String,
            point: String,
            state: String,
            processIdentifier: Int? = nil,
            residentBytes: Int? = nil,
            crashes: Int,
            message: String? = nil
        ) {
            self.provider = provider
            self.point = point
            self.state = state
            self.processIdentifier = processIdentifier
            self.residentBytes = residentBytes
            self.crashes = crashes
            self.message = message
        }
    }

    /// point: com.apple.fileprovider-ui or com.apple.fileprovider-nonui.
    package struct ExtensionSummary: VarlinkMessage, Hashable {
        package var point: String
        package var principalClass: String?
        package var library: String?
        package var manifest: String

        package init(point: String, principalClass: String? = nil, library: String? = nil, manifest: String) {
            self.point = point
            self.principalClass = principalClass
            self.library = library
            self.manifest = manifest
        }
    }

    /// access: read or readWrite. created: seconds since 1970.
    package struct Grant: VarlinkMessage, Hashable {
        package var clientKind: String
        package var client: String
        package var provider: String
        package var domain: String
        package var identifier: String
        package var access: String
        package var origin: String
        package var created: Double
        package var name: String?

        package init(
            clientKind: String,
            client: String,
            provider: String,
            domain: String,
            identifier: String,
            access: String,
            origin: String,
            created: Double,
            name: String? = nil
        ) {
            self.clientKind = clientKind
            self.client = client
            self.provider = provider
            self.domain = domain
            self.identifier = identifier
            self.access = access
            self.origin = origin
            self.created = created
            self.name = name
        }
    }

    /// What is known of an item. `path` is how it was reached, where that is known.
    /// `version` changes whenever the content does. uploadState, of documents: uploaded, queued, uploading or failed (why: uploadError).
    /// isStale: there is a newer version remotely than the local copy. conflicts: how many versions are kept of it beside
    /// the current one (Administration.Versions). Absent booleans are false.
    package struct Item: VarlinkMessage, Hashable {
        package var reference: Wire.ItemReference
        package var parent: String?
        package var name: String
        package var path: String?
        package var contentType: String
        package var size: Int?
        package var modificationDate: Double?
        package var creationDate: Double?
        package var isFolder: Bool
        package var isDownloaded: Bool
        package var isUploaded: Bool
        package var version: String?
        package var uploadState: String?
        package var uploadError: String?
        package var isPinned: Bool?
        package var isStale: Bool?
        package var conflicts: Int?
        package var thumbnail: String?

        package init(
            reference: Wire.ItemReference,
            parent: String? = nil,
            name: String,
            path: String? = nil,
            contentType: String,
            size: Int? = nil,
            modificationDate: Double? = nil,
            creationDate: Double? = nil,
            isFolder: Bool,
            isDownloaded: Bool,
            isUploaded: Bool,
            version: String? = nil,
            uploadState: String? = nil,
            uploadError: String? = nil,
            isPinned: Bool? = nil,
            isStale: Bool? = nil,
            conflicts: Int? = nil,
            thumbnail: String? = nil
        ) {
            self.reference = reference
            self.parent = parent
            self.name = name
            self.path = path
            self.contentType = contentType
            self.size = size
            self.modificationDate = modificationDate
            self.creationDate = creationDate
            self.isFolder = isFolder
            self.isDownloaded = isDownloaded
            self.isUploaded = isUploaded
            self.version = version
            self.uploadState = uploadState
            self.uploadError = uploadError
            self.isPinned = isPinned
            self.isStale = isStale
            self.conflicts = conflicts
            self.thumbnail = thumbnail
        }
    }

    /// A document or folder in a provider. `domain` is "" for the default domain. The identifier is the
    /// provider's own, opaque, and the right is bound to it: a rename keeps it.
    package struct ItemReference: VarlinkMessage, Hashable {
        package var provider: String
        package var domain: String
        package var identifier: String

        package init(provider: String, domain: String, identifier: String) {
            self.provider = provider
            self.domain = domain
            self.identifier = identifier
        }
    }

    /// provider: a bundle identifier, or its last component when that is unambiguous. path: names separated by
    /// "/", "/" for the top. A name's byte that is not UTF-8 is written \xHH.
    package struct Location: VarlinkMessage, Hashable {
        package var provider: String
        package var domain: String
        package var path: String

        package init(provider: String, domain: String, path: String) {
            self.provider = provider
            self.domain = domain
            self.path = path
        }
    }

    /// selectable: its type conforms to one that the client can use, or it is a folder.
    package struct PickerEntry: VarlinkMessage, Hashable {
        package var path: String
        package var name: String
        package var contentType: String?
        package var size: Int?
        package var modificationDate: Double?
        package var creationDate: Double?
        package var isFolder: Bool
        package var isDownloaded: Bool?
        package var selectable: Bool

        package init(
            path: String,
            name: String,
            contentType: String? = nil,
            size: Int? = nil,
            modificationDate: Double? = nil,
            creationDate: Double? = nil,
            isFolder: Bool,
            isDownloaded: Bool? = nil,
            selectable: Bool
        ) {
            self.path = path
            self.name = name
            self.contentType = contentType
            self.size = size
            self.modificationDate = modificationDate
            self.creationDate = creationDate
            self.isFolder = isFolder
            self.isDownloaded = isDownloaded
            self.selectable = selectable
        }
    }

    /// Who the caller is. kind: run, flatpak, snap, unconfined. An unconfined program states its own identifier.
    package struct Principal: VarlinkMessage, Hashable {
        package var kind: String
        package var identifier: String

        package init(kind: String, identifier: String) {
            self.kind = kind
            self.identifier = identifier
        }
    }

    package struct Problem: VarlinkMessage, Hashable {
        package var severity: String
        package var key: String
        package var found: String
        package var expected: String
        package var remedy: String
        package var message: String

        package init(
            severity: String,
            key: String,
            found: String,
            expected: String,
            remedy: String,
            message: String
        ) {
            self.severity = severity
            self.key = key
            self.found = found
            self.expected = expected
            self.remedy = remedy
            self.message = message
        }
    }

    /// settings: what the user set for this domain, e.g. url, username; never a secret.
    package struct ProviderDomain: VarlinkMessage, Hashable {
        package var identifier: String
        package var displayName: String
        package var folder: String?
        package var storage: String
        package var settings: [String: String]?

        package init(
            identifier: String,
            displayName: String,
            folder: String? = nil,
            storage: String,
            settings: [String: String]? = nil
        ) {
            self.identifier = identifier
            self.displayName = displayName
            self.folder = folder
            self.storage = storage
            self.settings = settings
        }
    }

    /// version: opaque, at most 128 bytes; changes with the content. capabilities: read, write, rename, delete,
    /// addItems. thumbnail: whatever the provider wants to be asked for later to make a thumbnail, at most 1,024 bytes.
    package struct ProviderItem: VarlinkMessage, Hashable {
        package var identifier: String
        package var parent: String
        package var name: String
        package var contentType: String?
        package var size: Int?
        package var modificationDate: Double?
        package var creationDate: Double?
        package var isFolder: Bool
        package var version: String?
        package var capabilities: [String]?
        package var isDownloaded: Bool?
        package var isUploaded: Bool?
        package var thumbnail: String?

        package init(
            identifier: String,
            parent: String,
            name: String,
            contentType: String? = nil,
            size: Int? = nil,
            modificationDate: Double? = nil,
            creationDate: Double? = nil,
            isFolder: Bool,
            version: String? = nil,
            capabilities: [String]? = nil,
            isDownloaded: Bool? = nil,
            isUploaded: Bool? = nil,
            thumbnail: String? = nil
        ) {
            self.identifier = identifier
            self.parent = parent
            self.name = name
            self.contentType = contentType
            self.size = size
            self.modificationDate = modificationDate
            self.creationDate = creationDate
            self.isFolder = isFolder
            self.version = version
            self.capabilities = capabilities
            self.isDownloaded = isDownloaded
            self.isUploaded = isUploaded
            self.thumbnail = thumbnail
        }
    }

    /// state: ready, disabled, changed (enable it again), quarantined, broken.
    package struct ProviderSummary: VarlinkMessage, Hashable {
        package var identifier: String
        package var displayName: String
        package var enabled: Bool
        package var state: String
        package var modes: [String]
        package var supportedTypes: [String]
        package var documentGroup: String?
        package var domains: [String]
        package var sandboxed: Bool
        package var extensions: [Wire.ExtensionSummary]

        package init(
            identifier: String,
            displayName: String,
            enabled: Bool,
            state: String,
            modes: [String],
            supportedTypes: [String],
            documentGroup: String? = nil,
            domains: [String],
            sandboxed: Bool,
            extensions: [Wire.ExtensionSummary]
        ) {
            self.identifier = identifier
            self.displayName = displayName
            self.enabled = enabled
            self.state = state
            self.modes = modes
            self.supportedTypes = supportedTypes
            self.documentGroup = documentGroup
            self.domains = domains
            self.sandboxed = sandboxed
            self.extensions = extensions
        }
    }

    /// What a provider asks for, in words that a person reads before enabling it.
    package struct Request: VarlinkMessage, Hashable {
        package var kind: String
        package var value: String
        package var explanation: String

        package init(kind: String, value: String, explanation: String) {
            self.kind = kind
            self.value = value
            self.explanation = explanation
        }
    }

    /// One transfer. kind: download, upload. state: waiting, running, retrying (nextAttempt, seconds since 1970), paused (its domain is
    /// offline or not signed in), failed (message says why; RetryTransfers). priority: awaited, pinned, background.
    package struct Transfer: VarlinkMessage, Hashable {
        package var identifier: String
        package var kind: String
        package var state: String
        package var priority: String
        package var reference: Wire.ItemReference
        package var name: String
        package var completedBytes: Int
        package var totalBytes: Int?
        package var bytesPerSecond: Double?
        package var attempts: Int
        package var waiters: Int
        package var message: String?
        package var nextAttempt: Double?

        package init(
            identifier: String,
            kind: String,
            state: String,
            priority: String,
            reference: Wire.ItemReference,
            name: String,
            completedBytes: Int,
            totalBytes: Int? = nil,
            bytesPerSecond: Double? = nil,
            attempts: Int,
            waiters: Int,
            message: String? = nil,
            nextAttempt: Double? = nil
        ) {
            self.identifier = identifier
            self.kind = kind
            self.state = state
            self.priority = priority
            self.reference = reference
            self.name = name
            self.completedBytes = completedBytes
            self.totalBytes = totalBytes
            self.bytesPerSecond = bytesPerSecond
            self.attempts = attempts
            self.waiters = waiters
            self.message = message
            self.nextAttempt = nextAttempt
        }
    }

    /// What is kept of a document beside its current content. reason: conflict, unsent, recovered, deleted.
    package struct Version: VarlinkMessage, Hashable {
        package var identifier: String
        package var reference: Wire.ItemReference
        package var name: String
        package var reason: String
        package var size: Int
        package var created: Double

        package init(
            identifier: String,
            reference: Wire.ItemReference,
            name: String,
            reason: String,
            size: Int,
            created: Double
        ) {
            self.identifier = identifier
            self.reference = reference
            self.name = name
            self.reason = reason
            self.size = size
            self.created = created
        }
    }
}
