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

    package struct Domain: VarlinkMessage, Hashable {
        package var provider: String
        package var identifier: String
        package var displayName: String
        package var folder: String?

        package init(provider: String, identifier: String, displayName: String, folder: String? = nil) {
            self.provider = provider
            self.identifier = identifier
            self.displayName = displayName
            self.folder = folder
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
    /// `version` changes whenever the content does.
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
            version: String? = nil
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

    package struct ProviderDomain: VarlinkMessage, Hashable {
        package var identifier: String
        package var displayName: String
        package var folder: String?
        package var storage: String

        package init(identifier: String, displayName: String, folder: String? = nil, storage: String) {
            self.identifier = identifier
            self.displayName = displayName
            self.folder = folder
            self.storage = storage
        }
    }

    /// version: opaque, at most 128 bytes; changes with the content. capabilities: read, write, rename, delete,
    /// addItems.
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
            isUploaded: Bool? = nil
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
}
