// Made from the files in Interfaces by Scripts/generate-interfaces.py; edit those.

import Varlink

/// The types that several messages share, as they are on the wire.
package enum Wire {
    /// One row of the result of an action: texts by name.
    package struct ActionRow: VarlinkMessage, Hashable {
        package var values: [String: String]

        package init(values: [String: String]) {
            self.values = values
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            values = try container.decode([String: String].self, forKey: "values")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(values, forKey: "values")
        }
    }

    package struct BrokenManifest: VarlinkMessage, Hashable {
        package var manifest: String
        package var problems: [Wire.Problem]

        package init(manifest: String, problems: [Wire.Problem]) {
            self.manifest = manifest
            self.problems = problems
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            manifest = try container.decode(String.self, forKey: "manifest")
            problems = try container.decode([Wire.Problem].self, forKey: "problems")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(manifest, forKey: "manifest")
            try container.encode(problems, forKey: "problems")
        }
    }

    /// Who caused something: a client, a provider, or the daemon itself (kind docent). process: its number, if known.
    /// operation: the claim or change behind it.
    package struct Cause: VarlinkMessage, Hashable {
        package var kind: String
        package var client: String
        package var process: Int?
        package var executable: String?
        package var purpose: String?
        package var operation: String?

        package init(
            kind: String,
            client: String,
            process: Int? = nil,
            executable: String? = nil,
            purpose: String? = nil,
            operation: String? = nil
        ) {
            self.kind = kind
            self.client = client
            self.process = process
            self.executable = executable
            self.purpose = purpose
            self.operation = operation
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            kind = try container.decode(String.self, forKey: "kind")
            client = try container.decode(String.self, forKey: "client")
            process = try container.decodeIfPresent(Int.self, forKey: "process")
            executable = try container.decodeIfPresent(String.self, forKey: "executable")
            purpose = try container.decodeIfPresent(String.self, forKey: "purpose")
            operation = try container.decodeIfPresent(String.self, forKey: "operation")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(kind, forKey: "kind")
            try container.encode(client, forKey: "client")
            try container.encodeIfPresent(process, forKey: "process")
            try container.encodeIfPresent(executable, forKey: "executable")
            try container.encodeIfPresent(purpose, forKey: "purpose")
            try container.encodeIfPresent(operation, forKey: "operation")
        }
    }

    /// A change that a client made through Docent. kind: delete, move, rename, overwrite. name: of the item now, or
    /// when it was deleted. formerName: before the change. folder and formerFolder: paths of the folders it is in now
    /// and was in before, if they are known. created: seconds since 1970. obstacle: why it cannot be taken back now.
    package struct Change: VarlinkMessage, Hashable {
        package var identifier: String
        package var kind: String
        package var clientKind: String
        package var client: String
        package var provider: String
        package var domain: String
        package var name: String
        package var formerName: String
        package var folder: String?
        package var formerFolder: String?
        package var isFolder: Bool
        package var created: Double
        package var obstacle: String?

        package init(
            identifier: String,
            kind: String,
            clientKind: String,
            client: String,
            provider: String,
            domain: String,
            name: String,
            formerName: String,
            folder: String? = nil,
            formerFolder: String? = nil,
            isFolder: Bool,
            created: Double,
            obstacle: String? = nil
        ) {
            self.identifier = identifier
            self.kind = kind
            self.clientKind = clientKind
            self.client = client
            self.provider = provider
            self.domain = domain
            self.name = name
            self.formerName = formerName
            self.folder = folder
            self.formerFolder = formerFolder
            self.isFolder = isFolder
            self.created = created
            self.obstacle = obstacle
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            kind = try container.decode(String.self, forKey: "kind")
            clientKind = try container.decode(String.self, forKey: "clientKind")
            client = try container.decode(String.self, forKey: "client")
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            name = try container.decode(String.self, forKey: "name")
            formerName = try container.decode(String.self, forKey: "formerName")
            folder = try container.decodeIfPresent(String.self, forKey: "folder")
            formerFolder = try container.decodeIfPresent(String.self, forKey: "formerFolder")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
            created = try container.decode(Double.self, forKey: "created")
            obstacle = try container.decodeIfPresent(String.self, forKey: "obstacle")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(kind, forKey: "kind")
            try container.encode(clientKind, forKey: "clientKind")
            try container.encode(client, forKey: "client")
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(name, forKey: "name")
            try container.encode(formerName, forKey: "formerName")
            try container.encodeIfPresent(folder, forKey: "folder")
            try container.encodeIfPresent(formerFolder, forKey: "formerFolder")
            try container.encode(isFolder, forKey: "isFolder")
            try container.encode(created, forKey: "created")
            try container.encodeIfPresent(obstacle, forKey: "obstacle")
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            name = try container.decode(String.self, forKey: "name")
            status = try container.decode(String.self, forKey: "status")
            detail = try container.decode(String.self, forKey: "detail")
            remedy = try container.decodeIfPresent(String.self, forKey: "remedy")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(name, forKey: "name")
            try container.encode(status, forKey: "status")
            try container.encode(detail, forKey: "detail")
            try container.encodeIfPresent(remedy, forKey: "remedy")
        }
    }

    /// A claim. state: waiting (for its turn), asking (presenters have not answered), fetching, held. since: when it
    /// entered this state, in seconds since 1970. waitsFor: operations of claims, identifiers of presenters, and
    /// providers, as "claim …", "presenter …" or "provider …".
    package struct Claim: VarlinkMessage, Hashable {
        package var operation: String
        package var state: String
        package var clientKind: String
        package var client: String
        package var process: Int?
        package var executable: String?
        package var isStopped: Bool?
        package var purpose: String?
        package var presenter: String?
        package var items: [Wire.ClaimItem]
        package var since: Double
        package var waitsFor: [String]

        package init(
            operation: String,
            state: String,
            clientKind: String,
            client: String,
            process: Int? = nil,
            executable: String? = nil,
            isStopped: Bool? = nil,
            purpose: String? = nil,
            presenter: String? = nil,
            items: [Wire.ClaimItem],
            since: Double,
            waitsFor: [String]
        ) {
            self.operation = operation
            self.state = state
            self.clientKind = clientKind
            self.client = client
            self.process = process
            self.executable = executable
            self.isStopped = isStopped
            self.purpose = purpose
            self.presenter = presenter
            self.items = items
            self.since = since
            self.waitsFor = waitsFor
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            operation = try container.decode(String.self, forKey: "operation")
            state = try container.decode(String.self, forKey: "state")
            clientKind = try container.decode(String.self, forKey: "clientKind")
            client = try container.decode(String.self, forKey: "client")
            process = try container.decodeIfPresent(Int.self, forKey: "process")
            executable = try container.decodeIfPresent(String.self, forKey: "executable")
            isStopped = try container.decodeIfPresent(Bool.self, forKey: "isStopped")
            purpose = try container.decodeIfPresent(String.self, forKey: "purpose")
            presenter = try container.decodeIfPresent(String.self, forKey: "presenter")
            items = try container.decode([Wire.ClaimItem].self, forKey: "items")
            since = try container.decode(Double.self, forKey: "since")
            waitsFor = try container.decode([String].self, forKey: "waitsFor")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(operation, forKey: "operation")
            try container.encode(state, forKey: "state")
            try container.encode(clientKind, forKey: "clientKind")
            try container.encode(client, forKey: "client")
            try container.encodeIfPresent(process, forKey: "process")
            try container.encodeIfPresent(executable, forKey: "executable")
            try container.encodeIfPresent(isStopped, forKey: "isStopped")
            try container.encodeIfPresent(purpose, forKey: "purpose")
            try container.encodeIfPresent(presenter, forKey: "presenter")
            try container.encode(items, forKey: "items")
            try container.encode(since, forKey: "since")
            try container.encode(waitsFor, forKey: "waitsFor")
        }
    }

    /// One access of a claim. options for reading: withoutChanges, resolvesSymbolicLink,
    /// immediatelyAvailableMetadataOnly, forUploading; for writing, at most one of: forDeleting, forMoving,
    /// forMerging, forReplacing, contentIndependentMetadataOnly.
    package struct ClaimAccess: VarlinkMessage, Hashable {
        package var place: Wire.ItemPlace
        package var writing: Bool
        package var options: [String]?

        package init(place: Wire.ItemPlace, writing: Bool, options: [String]? = nil) {
            self.place = place
            self.writing = writing
            self.options = options
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            place = try container.decode(Wire.ItemPlace.self, forKey: "place")
            writing = try container.decode(Bool.self, forKey: "writing")
            options = try container.decodeIfPresent([String].self, forKey: "options")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(place, forKey: "place")
            try container.encode(writing, forKey: "writing")
            try container.encodeIfPresent(options, forKey: "options")
        }
    }

    /// The access of a claim to one item. name: if known.
    package struct ClaimItem: VarlinkMessage, Hashable {
        package var reference: Wire.ItemReference
        package var name: String?
        package var writing: Bool
        package var options: [String]

        package init(reference: Wire.ItemReference, name: String? = nil, writing: Bool, options: [String]) {
            self.reference = reference
            self.name = name
            self.writing = writing
            self.options = options
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            name = try container.decodeIfPresent(String.self, forKey: "name")
            writing = try container.decode(Bool.self, forKey: "writing")
            options = try container.decode([String].self, forKey: "options")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(reference, forKey: "reference")
            try container.encodeIfPresent(name, forKey: "name")
            try container.encode(writing, forKey: "writing")
            try container.encode(options, forKey: "options")
        }
    }

    /// An item of a granted claim; absent when it does not exist.
    package struct ClaimedItem: VarlinkMessage, Hashable {
        package var item: Wire.Item?

        package init(item: Wire.Item? = nil) {
            self.item = item
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encodeIfPresent(item, forKey: "item")
        }
    }

    /// withheld: the requests that have not been agreed to yet; an administrator's provider runs without them until
    /// it is enabled again.
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
        package var limits: [Wire.Limit]?
        package var withheld: [Wire.Request]?

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
            message: String? = nil,
            limits: [Wire.Limit]? = nil,
            withheld: [Wire.Request]? = nil
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
            self.limits = limits
            self.withheld = withheld
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decode(String.self, forKey: "provider")
            displayName = try container.decode(String.self, forKey: "displayName")
            digest = try container.decode(String.self, forKey: "digest")
            isSystem = try container.decode(Bool.self, forKey: "isSystem")
            manifests = try container.decode([String].self, forKey: "manifests")
            libraries = try container.decode([String].self, forKey: "libraries")
            requests = try container.decode([Wire.Request].self, forKey: "requests")
            problems = try container.decode([Wire.Problem].self, forKey: "problems")
            enabled = try container.decode(Bool.self, forKey: "enabled")
            state = try container.decode(String.self, forKey: "state")
            message = try container.decodeIfPresent(String.self, forKey: "message")
            limits = try container.decodeIfPresent([Wire.Limit].self, forKey: "limits")
            withheld = try container.decodeIfPresent([Wire.Request].self, forKey: "withheld")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(provider, forKey: "provider")
            try container.encode(displayName, forKey: "displayName")
            try container.encode(digest, forKey: "digest")
            try container.encode(isSystem, forKey: "isSystem")
            try container.encode(manifests, forKey: "manifests")
            try container.encode(libraries, forKey: "libraries")
            try container.encode(requests, forKey: "requests")
            try container.encode(problems, forKey: "problems")
            try container.encode(enabled, forKey: "enabled")
            try container.encode(state, forKey: "state")
            try container.encodeIfPresent(message, forKey: "message")
            try container.encodeIfPresent(limits, forKey: "limits")
            try container.encodeIfPresent(withheld, forKey: "withheld")
        }
    }

    /// How a domain signs in. kind: password or token. source: file (path, mode 0600, read again when needed),
    /// systemd (the name of a credential in $CREDENTIALS_DIRECTORY), session (a secret kept only in memory: it is
    /// lost when the daemon ends, and the daemon does not exit while it is needed).
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            kind = try container.decode(String.self, forKey: "kind")
            source = try container.decode(String.self, forKey: "source")
            username = try container.decodeIfPresent(String.self, forKey: "username")
            path = try container.decodeIfPresent(String.self, forKey: "path")
            name = try container.decodeIfPresent(String.self, forKey: "name")
            secret = try container.decodeIfPresent(String.self, forKey: "secret")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(kind, forKey: "kind")
            try container.encode(source, forKey: "source")
            try container.encodeIfPresent(username, forKey: "username")
            try container.encodeIfPresent(path, forKey: "path")
            try container.encodeIfPresent(name, forKey: "name")
            try container.encodeIfPresent(secret, forKey: "secret")
        }
    }

    /// Where a new secret will be stored, or an existing one is stored. rung: secretService, encryptedFile
    /// (libsecret's), systemd (read only), sealedFile, none. name: for people, such as "GNOME keyring, collection
    /// Login". protection: what protects the secret there. reason: why this rung is used and none above it.
    package struct CredentialStorage: VarlinkMessage, Hashable {
        package var rung: String
        package var name: String
        package var isWritable: Bool
        package var protection: String
        package var reason: String
        package var remedy: String?

        package init(
            rung: String,
            name: String,
            isWritable: Bool,
            protection: String,
            reason: String,
            remedy: String? = nil
        ) {
            self.rung = rung
            self.name = name
            self.isWritable = isWritable
            self.protection = protection
            self.reason = reason
            self.remedy = remedy
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            rung = try container.decode(String.self, forKey: "rung")
            name = try container.decode(String.self, forKey: "name")
            isWritable = try container.decode(Bool.self, forKey: "isWritable")
            protection = try container.decode(String.self, forKey: "protection")
            reason = try container.decode(String.self, forKey: "reason")
            remedy = try container.decodeIfPresent(String.self, forKey: "remedy")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(rung, forKey: "rung")
            try container.encode(name, forKey: "name")
            try container.encode(isWritable, forKey: "isWritable")
            try container.encode(protection, forKey: "protection")
            try container.encode(reason, forKey: "reason")
            try container.encodeIfPresent(remedy, forKey: "remedy")
        }
    }

    /// For how long a deletion can be taken back where the provider has no trash: in one account (provider and domain), or
    /// in all others (neither). seconds: 0 deletes for good at once.
    package struct DeletionRule: VarlinkMessage, Hashable {
        package var provider: String?
        package var domain: String?
        package var seconds: Int

        package init(provider: String? = nil, domain: String? = nil, seconds: Int) {
            self.provider = provider
            self.domain = domain
            self.seconds = seconds
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decodeIfPresent(String.self, forKey: "provider")
            domain = try container.decodeIfPresent(String.self, forKey: "domain")
            seconds = try container.decode(Int.self, forKey: "seconds")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encodeIfPresent(provider, forKey: "provider")
            try container.encodeIfPresent(domain, forKey: "domain")
            try container.encode(seconds, forKey: "seconds")
        }
    }

    /// A transfer of a document. kind: download or upload. state: waiting, running, retrying (by itself, at nextAttempt in
    /// seconds since 1970), paused (its account is offline or not signed in), failed (an upload that waits for a decision);
    /// of one that has ended, finished, failed or cancelled. bytesPerSecond: while it runs. message: why it does not go on.
    package struct DocumentTransfer: VarlinkMessage, Hashable {
        package var reference: Wire.ItemReference
        package var name: String
        package var kind: String
        package var state: String
        package var completedBytes: Int
        package var totalBytes: Int?
        package var bytesPerSecond: Double?
        package var message: String?
        package var nextAttempt: Double?

        package init(
            reference: Wire.ItemReference,
            name: String,
            kind: String,
            state: String,
            completedBytes: Int,
            totalBytes: Int? = nil,
            bytesPerSecond: Double? = nil,
            message: String? = nil,
            nextAttempt: Double? = nil
        ) {
            self.reference = reference
            self.name = name
            self.kind = kind
            self.state = state
            self.completedBytes = completedBytes
            self.totalBytes = totalBytes
            self.bytesPerSecond = bytesPerSecond
            self.message = message
            self.nextAttempt = nextAttempt
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            name = try container.decode(String.self, forKey: "name")
            kind = try container.decode(String.self, forKey: "kind")
            state = try container.decode(String.self, forKey: "state")
            completedBytes = try container.decode(Int.self, forKey: "completedBytes")
            totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            bytesPerSecond = try container.decodeIfPresent(Double.self, forKey: "bytesPerSecond")
            message = try container.decodeIfPresent(String.self, forKey: "message")
            nextAttempt = try container.decodeIfPresent(Double.self, forKey: "nextAttempt")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(reference, forKey: "reference")
            try container.encode(name, forKey: "name")
            try container.encode(kind, forKey: "kind")
            try container.encode(state, forKey: "state")
            try container.encode(completedBytes, forKey: "completedBytes")
            try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            try container.encodeIfPresent(bytesPerSecond, forKey: "bytesPerSecond")
            try container.encodeIfPresent(message, forKey: "message")
            try container.encodeIfPresent(nextAttempt, forKey: "nextAttempt")
        }
    }

    /// A version of a document: the current one (identifier: current), one that is kept beside it on this machine, or one that
    /// its provider has. reason, of a kept one: conflict, unsent, deleted (all three are conflicts, until they are resolved),
    /// recovered, replaced (by an earlier version), superseded (by a save), added (by a program). created: when it was kept.
    /// modificationDate: when its content was saved. savedBy and host: the client and the machine that saved it, as far as
    /// known; a confined client learns only of its own saves, and only of versions since it got its right. hasLocalContents:
    /// opening it fetches nothing. base: of an unresolved conflict, the version that both sides started from, if it is kept.
    /// isAtProvider: the provider has it too, or alone. author: the person who saved it, as the provider names them; never for
    /// a confined client. isPackage: it is a folder; VersionElements lists what is in it. Its size is that of all elements.
    package struct DocumentVersion: VarlinkMessage, Hashable {
        package var identifier: String
        package var name: String
        package var reason: String?
        package var isCurrent: Bool?
        package var isConflict: Bool?
        package var isResolved: Bool?
        package var size: Int?
        package var modificationDate: Double?
        package var created: Double?
        package var savedBy: Wire.Principal?
        package var host: String?
        package var hasLocalContents: Bool
        package var base: String?
        package var isAtProvider: Bool?
        package var author: String?
        package var isPackage: Bool?

        package init(
            identifier: String,
            name: String,
            reason: String? = nil,
            isCurrent: Bool? = nil,
            isConflict: Bool? = nil,
            isResolved: Bool? = nil,
            size: Int? = nil,
            modificationDate: Double? = nil,
            created: Double? = nil,
            savedBy: Wire.Principal? = nil,
            host: String? = nil,
            hasLocalContents: Bool,
            base: String? = nil,
            isAtProvider: Bool? = nil,
            author: String? = nil,
            isPackage: Bool? = nil
        ) {
            self.identifier = identifier
            self.name = name
            self.reason = reason
            self.isCurrent = isCurrent
            self.isConflict = isConflict
            self.isResolved = isResolved
            self.size = size
            self.modificationDate = modificationDate
            self.created = created
            self.savedBy = savedBy
            self.host = host
            self.hasLocalContents = hasLocalContents
            self.base = base
            self.isAtProvider = isAtProvider
            self.author = author
            self.isPackage = isPackage
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            name = try container.decode(String.self, forKey: "name")
            reason = try container.decodeIfPresent(String.self, forKey: "reason")
            isCurrent = try container.decodeIfPresent(Bool.self, forKey: "isCurrent")
            isConflict = try container.decodeIfPresent(Bool.self, forKey: "isConflict")
            isResolved = try container.decodeIfPresent(Bool.self, forKey: "isResolved")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            created = try container.decodeIfPresent(Double.self, forKey: "created")
            savedBy = try container.decodeIfPresent(Wire.Principal.self, forKey: "savedBy")
            host = try container.decodeIfPresent(String.self, forKey: "host")
            hasLocalContents = try container.decode(Bool.self, forKey: "hasLocalContents")
            base = try container.decodeIfPresent(String.self, forKey: "base")
            isAtProvider = try container.decodeIfPresent(Bool.self, forKey: "isAtProvider")
            author = try container.decodeIfPresent(String.self, forKey: "author")
            isPackage = try container.decodeIfPresent(Bool.self, forKey: "isPackage")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(name, forKey: "name")
            try container.encodeIfPresent(reason, forKey: "reason")
            try container.encodeIfPresent(isCurrent, forKey: "isCurrent")
            try container.encodeIfPresent(isConflict, forKey: "isConflict")
            try container.encodeIfPresent(isResolved, forKey: "isResolved")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            try container.encodeIfPresent(created, forKey: "created")
            try container.encodeIfPresent(savedBy, forKey: "savedBy")
            try container.encodeIfPresent(host, forKey: "host")
            try container.encode(hasLocalContents, forKey: "hasLocalContents")
            try container.encodeIfPresent(base, forKey: "base")
            try container.encodeIfPresent(isAtProvider, forKey: "isAtProvider")
            try container.encodeIfPresent(author, forKey: "author")
            try container.encodeIfPresent(isPackage, forKey: "isPackage")
        }
    }

    /// An account of a provider. settings: url, username and others that the provider defines; quotaBytes,
    /// minimumFreeBytes (for local copies) and maximumTransfers (at once) belong to the host. The members after
    /// folder, except settings, are reported but never accepted. state: ready, offline, notAuthenticated, locked (its
    /// secret is in a keyring that is locked or unavailable), signingOut, signedOut. pendingChanges: the changes that
    /// wait to be uploaded. localBytes: the size of the local copies.
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decode(String.self, forKey: "provider")
            identifier = try container.decode(String.self, forKey: "identifier")
            displayName = try container.decode(String.self, forKey: "displayName")
            folder = try container.decodeIfPresent(String.self, forKey: "folder")
            settings = try container.decodeIfPresent([String: String].self, forKey: "settings")
            state = try container.decodeIfPresent(String.self, forKey: "state")
            message = try container.decodeIfPresent(String.self, forKey: "message")
            pendingChanges = try container.decodeIfPresent(Int.self, forKey: "pendingChanges")
            failedChanges = try container.decodeIfPresent(Int.self, forKey: "failedChanges")
            localBytes = try container.decodeIfPresent(Int.self, forKey: "localBytes")
            credential = try container.decodeIfPresent(String.self, forKey: "credential")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(provider, forKey: "provider")
            try container.encode(identifier, forKey: "identifier")
            try container.encode(displayName, forKey: "displayName")
            try container.encodeIfPresent(folder, forKey: "folder")
            try container.encodeIfPresent(settings, forKey: "settings")
            try container.encodeIfPresent(state, forKey: "state")
            try container.encodeIfPresent(message, forKey: "message")
            try container.encodeIfPresent(pendingChanges, forKey: "pendingChanges")
            try container.encodeIfPresent(failedChanges, forKey: "failedChanges")
            try container.encodeIfPresent(localBytes, forKey: "localBytes")
            try container.encodeIfPresent(credential, forKey: "credential")
        }
    }

    /// An earlier content of a document that the provider has, never the current one. identifier: names it among the versions
    /// of its document, at most 500 bytes. modificationDate: when that content was saved, in seconds since 1970. version: the
    /// version that the item had with this content, if it had one. savedBy: the name of the person who saved it, for people.
    package struct EarlierVersion: VarlinkMessage, Hashable {
        package var identifier: String
        package var modificationDate: Double?
        package var size: Int?
        package var version: String?
        package var savedBy: String?

        package init(
            identifier: String,
            modificationDate: Double? = nil,
            size: Int? = nil,
            version: String? = nil,
            savedBy: String? = nil
        ) {
            self.identifier = identifier
            self.modificationDate = modificationDate
            self.size = size
            self.version = version
            self.savedBy = savedBy
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            version = try container.decodeIfPresent(String.self, forKey: "version")
            savedBy = try container.decodeIfPresent(String.self, forKey: "savedBy")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(version, forKey: "version")
            try container.encodeIfPresent(savedBy, forKey: "savedBy")
        }
    }

    /// One step in the chain of causes of an error, as the provider reported it.
    package struct ErrorDetail: VarlinkMessage, Hashable {
        package var domain: String
        package var code: Int
        package var message: String

        package init(domain: String, code: Int, message: String) {
            self.domain = domain
            self.code = code
            self.message = message
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            domain = try container.decode(String.self, forKey: "domain")
            code = try container.decode(Int.self, forKey: "code")
            message = try container.decode(String.self, forKey: "message")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(domain, forKey: "domain")
            try container.encode(code, forKey: "code")
            try container.encode(message, forKey: "message")
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decode(String.self, forKey: "provider")
            point = try container.decode(String.self, forKey: "point")
            state = try container.decode(String.self, forKey: "state")
            processIdentifier = try container.decodeIfPresent(Int.self, forKey: "processIdentifier")
            residentBytes = try container.decodeIfPresent(Int.self, forKey: "residentBytes")
            crashes = try container.decode(Int.self, forKey: "crashes")
            message = try container.decodeIfPresent(String.self, forKey: "message")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(provider, forKey: "provider")
            try container.encode(point, forKey: "point")
            try container.encode(state, forKey: "state")
            try container.encodeIfPresent(processIdentifier, forKey: "processIdentifier")
            try container.encodeIfPresent(residentBytes, forKey: "residentBytes")
            try container.encode(crashes, forKey: "crashes")
            try container.encodeIfPresent(message, forKey: "message")
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            point = try container.decode(String.self, forKey: "point")
            principalClass = try container.decodeIfPresent(String.self, forKey: "principalClass")
            library = try container.decodeIfPresent(String.self, forKey: "library")
            manifest = try container.decode(String.self, forKey: "manifest")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(point, forKey: "point")
            try container.encodeIfPresent(principalClass, forKey: "principalClass")
            try container.encodeIfPresent(library, forKey: "library")
            try container.encode(manifest, forKey: "manifest")
        }
    }

    /// access: read or readWrite; on a folder it covers the contents. created, expires, used (last): seconds since
    /// 1970. strength: enforced or stated. isPersistent: it was taken; otherwise it ends with the client. companions:
    /// patterns for files beside the document.
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
        package var id: Int?
        package var strength: String?
        package var executable: String?
        package var expires: Double?
        package var used: Double?
        package var isPersistent: Bool?
        package var isFolder: Bool?
        package var companions: [String]?

        package init(
            clientKind: String,
            client: String,
            provider: String,
            domain: String,
            identifier: String,
            access: String,
            origin: String,
            created: Double,
            name: String? = nil,
            id: Int? = nil,
            strength: String? = nil,
            executable: String? = nil,
            expires: Double? = nil,
            used: Double? = nil,
            isPersistent: Bool? = nil,
            isFolder: Bool? = nil,
            companions: [String]? = nil
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
            self.id = id
            self.strength = strength
            self.executable = executable
            self.expires = expires
            self.used = used
            self.isPersistent = isPersistent
            self.isFolder = isFolder
            self.companions = companions
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            clientKind = try container.decode(String.self, forKey: "clientKind")
            client = try container.decode(String.self, forKey: "client")
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            identifier = try container.decode(String.self, forKey: "identifier")
            access = try container.decode(String.self, forKey: "access")
            origin = try container.decode(String.self, forKey: "origin")
            created = try container.decode(Double.self, forKey: "created")
            name = try container.decodeIfPresent(String.self, forKey: "name")
            id = try container.decodeIfPresent(Int.self, forKey: "id")
            strength = try container.decodeIfPresent(String.self, forKey: "strength")
            executable = try container.decodeIfPresent(String.self, forKey: "executable")
            expires = try container.decodeIfPresent(Double.self, forKey: "expires")
            used = try container.decodeIfPresent(Double.self, forKey: "used")
            isPersistent = try container.decodeIfPresent(Bool.self, forKey: "isPersistent")
            isFolder = try container.decodeIfPresent(Bool.self, forKey: "isFolder")
            companions = try container.decodeIfPresent([String].self, forKey: "companions")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(clientKind, forKey: "clientKind")
            try container.encode(client, forKey: "client")
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(identifier, forKey: "identifier")
            try container.encode(access, forKey: "access")
            try container.encode(origin, forKey: "origin")
            try container.encode(created, forKey: "created")
            try container.encodeIfPresent(name, forKey: "name")
            try container.encodeIfPresent(id, forKey: "id")
            try container.encodeIfPresent(strength, forKey: "strength")
            try container.encodeIfPresent(executable, forKey: "executable")
            try container.encodeIfPresent(expires, forKey: "expires")
            try container.encodeIfPresent(used, forKey: "used")
            try container.encodeIfPresent(isPersistent, forKey: "isPersistent")
            try container.encodeIfPresent(isFolder, forKey: "isFolder")
            try container.encodeIfPresent(companions, forKey: "companions")
        }
    }

    /// A right of the caller. access: read or readWrite; on a folder it covers the contents. isPersistent: it was
    /// taken; otherwise it ends with the client. isPersistable: it may be taken. expires: seconds since 1970.
    /// companions: patterns for files beside the document that are also covered, like {stem}.srt. origin: how it was
    /// given.
    package struct GrantedItem: VarlinkMessage, Hashable {
        package var reference: Wire.ItemReference
        package var name: String?
        package var isFolder: Bool?
        package var access: String
        package var isPersistent: Bool
        package var isPersistable: Bool
        package var origin: String
        package var created: Double
        package var expires: Double?
        package var companions: [String]?

        package init(
            reference: Wire.ItemReference,
            name: String? = nil,
            isFolder: Bool? = nil,
            access: String,
            isPersistent: Bool,
            isPersistable: Bool,
            origin: String,
            created: Double,
            expires: Double? = nil,
            companions: [String]? = nil
        ) {
            self.reference = reference
            self.name = name
            self.isFolder = isFolder
            self.access = access
            self.isPersistent = isPersistent
            self.isPersistable = isPersistable
            self.origin = origin
            self.created = created
            self.expires = expires
            self.companions = companions
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            name = try container.decodeIfPresent(String.self, forKey: "name")
            isFolder = try container.decodeIfPresent(Bool.self, forKey: "isFolder")
            access = try container.decode(String.self, forKey: "access")
            isPersistent = try container.decode(Bool.self, forKey: "isPersistent")
            isPersistable = try container.decode(Bool.self, forKey: "isPersistable")
            origin = try container.decode(String.self, forKey: "origin")
            created = try container.decode(Double.self, forKey: "created")
            expires = try container.decodeIfPresent(Double.self, forKey: "expires")
            companions = try container.decodeIfPresent([String].self, forKey: "companions")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(reference, forKey: "reference")
            try container.encodeIfPresent(name, forKey: "name")
            try container.encodeIfPresent(isFolder, forKey: "isFolder")
            try container.encode(access, forKey: "access")
            try container.encode(isPersistent, forKey: "isPersistent")
            try container.encode(isPersistable, forKey: "isPersistable")
            try container.encode(origin, forKey: "origin")
            try container.encode(created, forKey: "created")
            try container.encodeIfPresent(expires, forKey: "expires")
            try container.encodeIfPresent(companions, forKey: "companions")
        }
    }

    /// A client whose deletions and saves are refused until AllowHeld, because it deleted or replaced too many documents
    /// within a minute. documents: how many, with the one that was refused. since: seconds since 1970. isNoise: it is held
    /// because what it saved is not of the type of the documents any more, and looks like random data.
    package struct HeldClient: VarlinkMessage, Hashable {
        package var clientKind: String
        package var client: String
        package var documents: Int
        package var since: Double
        package var isNoise: Bool?

        package init(clientKind: String, client: String, documents: Int, since: Double, isNoise: Bool? = nil) {
            self.clientKind = clientKind
            self.client = client
            self.documents = documents
            self.since = since
            self.isNoise = isNoise
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            clientKind = try container.decode(String.self, forKey: "clientKind")
            client = try container.decode(String.self, forKey: "client")
            documents = try container.decode(Int.self, forKey: "documents")
            since = try container.decode(Double.self, forKey: "since")
            isNoise = try container.decodeIfPresent(Bool.self, forKey: "isNoise")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(clientKind, forKey: "clientKind")
            try container.encode(client, forKey: "client")
            try container.encode(documents, forKey: "documents")
            try container.encode(since, forKey: "since")
            try container.encodeIfPresent(isNoise, forKey: "isNoise")
        }
    }

    /// A listing of a server that lacks so many of the known items that it is not believed until Refresh accepts it. known and
    /// listed: how many items there were, and how many are left. since: seconds since 1970. path: if known.
    package struct HeldListing: VarlinkMessage, Hashable {
        package var reference: Wire.ItemReference
        package var path: String?
        package var known: Int
        package var listed: Int
        package var since: Double

        package init(reference: Wire.ItemReference, path: String? = nil, known: Int, listed: Int, since: Double) {
            self.reference = reference
            self.path = path
            self.known = known
            self.listed = listed
            self.since = since
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            path = try container.decodeIfPresent(String.self, forKey: "path")
            known = try container.decode(Int.self, forKey: "known")
            listed = try container.decode(Int.self, forKey: "listed")
            since = try container.decode(Double.self, forKey: "since")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(reference, forKey: "reference")
            try container.encodeIfPresent(path, forKey: "path")
            try container.encode(known, forKey: "known")
            try container.encode(listed, forKey: "listed")
            try container.encode(since, forKey: "since")
        }
    }

    /// How far an account is in the index for searching. state: unlisted, listing, paused, done, failed. documents: the items
    /// that are known. listedFolders, waitingFolders: of this round. failures: folders that could not be listed. message: why
    /// it failed, or what was left out. finished: the end of the last round, in seconds since 1970.
    package struct IndexedAccount: VarlinkMessage, Hashable {
        package var provider: String
        package var domain: String
        package var state: String
        package var documents: Int
        package var listedFolders: Int
        package var waitingFolders: Int
        package var failures: Int
        package var message: String?
        package var finished: Double?

        package init(
            provider: String,
            domain: String,
            state: String,
            documents: Int,
            listedFolders: Int,
            waitingFolders: Int,
            failures: Int,
            message: String? = nil,
            finished: Double? = nil
        ) {
            self.provider = provider
            self.domain = domain
            self.state = state
            self.documents = documents
            self.listedFolders = listedFolders
            self.waitingFolders = waitingFolders
            self.failures = failures
            self.message = message
            self.finished = finished
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            state = try container.decode(String.self, forKey: "state")
            documents = try container.decode(Int.self, forKey: "documents")
            listedFolders = try container.decode(Int.self, forKey: "listedFolders")
            waitingFolders = try container.decode(Int.self, forKey: "waitingFolders")
            failures = try container.decode(Int.self, forKey: "failures")
            message = try container.decodeIfPresent(String.self, forKey: "message")
            finished = try container.decodeIfPresent(Double.self, forKey: "finished")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(state, forKey: "state")
            try container.encode(documents, forKey: "documents")
            try container.encode(listedFolders, forKey: "listedFolders")
            try container.encode(waitingFolders, forKey: "waitingFolders")
            try container.encode(failures, forKey: "failures")
            try container.encodeIfPresent(message, forKey: "message")
            try container.encodeIfPresent(finished, forKey: "finished")
        }
    }

    /// An item's metadata. `path`: how it was reached, if known. `version` changes whenever the content does; that of
    /// a package is present only when the package itself is described, not in listings. uploadState, for documents:
    /// uploaded, queued, uploading or failed (uploadError has the reason). isStale: the provider has a newer version
    /// than the local copy. conflicts: the number of versions kept beside the current one (Administration.Versions).
    /// symbolicLinkTarget: the item is a link (of type public.symlink) to that item of the same domain; a right to
    /// the link is not a right to its target. ignoresCase, for folders: names that differ only in case are the same.
    /// An absent boolean is false.
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
        package var formerVersion: String?
        package var symbolicLinkTarget: String?
        package var ignoresCase: Bool?

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
            thumbnail: String? = nil,
            formerVersion: String? = nil,
            symbolicLinkTarget: String? = nil,
            ignoresCase: Bool? = nil
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
            self.formerVersion = formerVersion
            self.symbolicLinkTarget = symbolicLinkTarget
            self.ignoresCase = ignoresCase
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            parent = try container.decodeIfPresent(String.self, forKey: "parent")
            name = try container.decode(String.self, forKey: "name")
            path = try container.decodeIfPresent(String.self, forKey: "path")
            contentType = try container.decode(String.self, forKey: "contentType")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            creationDate = try container.decodeIfPresent(Double.self, forKey: "creationDate")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
            isDownloaded = try container.decode(Bool.self, forKey: "isDownloaded")
            isUploaded = try container.decode(Bool.self, forKey: "isUploaded")
            version = try container.decodeIfPresent(String.self, forKey: "version")
            uploadState = try container.decodeIfPresent(String.self, forKey: "uploadState")
            uploadError = try container.decodeIfPresent(String.self, forKey: "uploadError")
            isPinned = try container.decodeIfPresent(Bool.self, forKey: "isPinned")
            isStale = try container.decodeIfPresent(Bool.self, forKey: "isStale")
            conflicts = try container.decodeIfPresent(Int.self, forKey: "conflicts")
            thumbnail = try container.decodeIfPresent(String.self, forKey: "thumbnail")
            formerVersion = try container.decodeIfPresent(String.self, forKey: "formerVersion")
            symbolicLinkTarget = try container.decodeIfPresent(String.self, forKey: "symbolicLinkTarget")
            ignoresCase = try container.decodeIfPresent(Bool.self, forKey: "ignoresCase")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(reference, forKey: "reference")
            try container.encodeIfPresent(parent, forKey: "parent")
            try container.encode(name, forKey: "name")
            try container.encodeIfPresent(path, forKey: "path")
            try container.encode(contentType, forKey: "contentType")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            try container.encodeIfPresent(creationDate, forKey: "creationDate")
            try container.encode(isFolder, forKey: "isFolder")
            try container.encode(isDownloaded, forKey: "isDownloaded")
            try container.encode(isUploaded, forKey: "isUploaded")
            try container.encodeIfPresent(version, forKey: "version")
            try container.encodeIfPresent(uploadState, forKey: "uploadState")
            try container.encodeIfPresent(uploadError, forKey: "uploadError")
            try container.encodeIfPresent(isPinned, forKey: "isPinned")
            try container.encodeIfPresent(isStale, forKey: "isStale")
            try container.encodeIfPresent(conflicts, forKey: "conflicts")
            try container.encodeIfPresent(thumbnail, forKey: "thumbnail")
            try container.encodeIfPresent(formerVersion, forKey: "formerVersion")
            try container.encodeIfPresent(symbolicLinkTarget, forKey: "symbolicLinkTarget")
            try container.encodeIfPresent(ignoresCase, forKey: "ignoresCase")
        }
    }

    /// What to keep beside the content. attributes: extended attributes in the namespace user.*, with values in base
    /// 64. Dates in seconds since 1970; absent for no particular value.
    package struct ItemMetadata: VarlinkMessage, Hashable {
        package var attributes: [String: String]?
        package var creationDate: Double?
        package var modificationDate: Double?
        package var hasHiddenExtension: Bool?

        package init(
            attributes: [String: String]? = nil,
            creationDate: Double? = nil,
            modificationDate: Double? = nil,
            hasHiddenExtension: Bool? = nil
        ) {
            self.attributes = attributes
            self.creationDate = creationDate
            self.modificationDate = modificationDate
            self.hasHiddenExtension = hasHiddenExtension
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            attributes = try container.decodeIfPresent([String: String].self, forKey: "attributes")
            creationDate = try container.decodeIfPresent(Double.self, forKey: "creationDate")
            modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            hasHiddenExtension = try container.decodeIfPresent(Bool.self, forKey: "hasHiddenExtension")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encodeIfPresent(attributes, forKey: "attributes")
            try container.encodeIfPresent(creationDate, forKey: "creationDate")
            try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            try container.encodeIfPresent(hasHiddenExtension, forKey: "hasHiddenExtension")
        }
    }

    /// An item of a claim, or what a presenter presents. Without `name`, the item of the reference. With it, the item
    /// of that name in the folder of the reference, which need not exist yet (for forReplacing, and for presenters of
    /// a document that is still to be created).
    package struct ItemPlace: VarlinkMessage, Hashable {
        package var reference: Wire.ItemReference
        package var name: String?

        package init(reference: Wire.ItemReference, name: String? = nil) {
            self.reference = reference
            self.name = name
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            name = try container.decodeIfPresent(String.self, forKey: "name")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(reference, forKey: "reference")
            try container.encodeIfPresent(name, forKey: "name")
        }
    }

    /// A document or folder in a provider. `domain` is "" for the default domain. The identifier is the provider's
    /// own and opaque. Rights are bound to it, so a rename keeps them.
    package struct ItemReference: VarlinkMessage, Hashable {
        package var provider: String
        package var domain: String
        package var identifier: String

        package init(provider: String, domain: String, identifier: String) {
            self.provider = provider
            self.domain = domain
            self.identifier = identifier
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            identifier = try container.decode(String.self, forKey: "identifier")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(identifier, forKey: "identifier")
        }
    }

    /// One entry of the keychain, without its secret.
    package struct KeychainItem: VarlinkMessage, Hashable {
        package var group: String
        package var domain: String
        package var account: String
        package var label: String?

        package init(group: String, domain: String, account: String, label: String? = nil) {
            self.group = group
            self.domain = domain
            self.account = account
            self.label = label
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            group = try container.decode(String.self, forKey: "group")
            domain = try container.decode(String.self, forKey: "domain")
            account = try container.decode(String.self, forKey: "account")
            label = try container.decodeIfPresent(String.self, forKey: "label")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(group, forKey: "group")
            try container.encode(domain, forKey: "domain")
            try container.encode(account, forKey: "account")
            try container.encodeIfPresent(label, forKey: "label")
        }
    }

    /// The most that a provider may use. kind: memory, disk (bytes), processes (including threads), files,
    /// processorWeight (a program of the user has 100). text: the amount in words. standard: the limit of a provider
    /// that asks for nothing.
    package struct Limit: VarlinkMessage, Hashable {
        package var kind: String
        package var amount: Int
        package var text: String
        package var standard: Int

        package init(kind: String, amount: Int, text: String, standard: Int) {
            self.kind = kind
            self.amount = amount
            self.text = text
            self.standard = standard
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            kind = try container.decode(String.self, forKey: "kind")
            amount = try container.decode(Int.self, forKey: "amount")
            text = try container.decode(String.self, forKey: "text")
            standard = try container.decode(Int.self, forKey: "standard")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(kind, forKey: "kind")
            try container.encode(amount, forKey: "amount")
            try container.encode(text, forKey: "text")
            try container.encode(standard, forKey: "standard")
        }
    }

    /// provider: a bundle identifier, or its last component when that is unambiguous. path: names separated by "/";
    /// "/" is the top. A byte of a name that is not UTF-8 is written \xHH.
    package struct Location: VarlinkMessage, Hashable {
        package var provider: String
        package var domain: String
        package var path: String

        package init(provider: String, domain: String, path: String) {
            self.provider = provider
            self.domain = domain
            self.path = path
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            path = try container.decode(String.self, forKey: "path")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(path, forKey: "path")
        }
    }

    /// An entry of the audit log. event: granted, taken, revoked, expired, refused, opened, downloaded, merged. Identical
    /// opens or refusals within a minute are one entry, with their number in count. access: read or readWrite. grant:
    /// the right that allowed it. detail: the origin of a right, the reason for a refusal, the purpose of a download, or the
    /// version that was merged. name: if known.
    package struct LogEntry: VarlinkMessage, Hashable {
        package var id: Int
        package var event: String
        package var clientKind: String
        package var client: String
        package var strength: String
        package var provider: String
        package var domain: String
        package var identifier: String
        package var name: String?
        package var access: String
        package var detail: String
        package var grant: Int?
        package var process: Int?
        package var executable: String?
        package var count: Int
        package var first: Double
        package var last: Double

        package init(
            id: Int,
            event: String,
            clientKind: String,
            client: String,
            strength: String,
            provider: String,
            domain: String,
            identifier: String,
            name: String? = nil,
            access: String,
            detail: String,
            grant: Int? = nil,
            process: Int? = nil,
            executable: String? = nil,
            count: Int,
            first: Double,
            last: Double
        ) {
            self.id = id
            self.event = event
            self.clientKind = clientKind
            self.client = client
            self.strength = strength
            self.provider = provider
            self.domain = domain
            self.identifier = identifier
            self.name = name
            self.access = access
            self.detail = detail
            self.grant = grant
            self.process = process
            self.executable = executable
            self.count = count
            self.first = first
            self.last = last
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            id = try container.decode(Int.self, forKey: "id")
            event = try container.decode(String.self, forKey: "event")
            clientKind = try container.decode(String.self, forKey: "clientKind")
            client = try container.decode(String.self, forKey: "client")
            strength = try container.decode(String.self, forKey: "strength")
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            identifier = try container.decode(String.self, forKey: "identifier")
            name = try container.decodeIfPresent(String.self, forKey: "name")
            access = try container.decode(String.self, forKey: "access")
            detail = try container.decode(String.self, forKey: "detail")
            grant = try container.decodeIfPresent(Int.self, forKey: "grant")
            process = try container.decodeIfPresent(Int.self, forKey: "process")
            executable = try container.decodeIfPresent(String.self, forKey: "executable")
            count = try container.decode(Int.self, forKey: "count")
            first = try container.decode(Double.self, forKey: "first")
            last = try container.decode(Double.self, forKey: "last")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(id, forKey: "id")
            try container.encode(event, forKey: "event")
            try container.encode(clientKind, forKey: "clientKind")
            try container.encode(client, forKey: "client")
            try container.encode(strength, forKey: "strength")
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(identifier, forKey: "identifier")
            try container.encodeIfPresent(name, forKey: "name")
            try container.encode(access, forKey: "access")
            try container.encode(detail, forKey: "detail")
            try container.encodeIfPresent(grant, forKey: "grant")
            try container.encodeIfPresent(process, forKey: "process")
            try container.encodeIfPresent(executable, forKey: "executable")
            try container.encode(count, forKey: "count")
            try container.encode(first, forKey: "first")
            try container.encode(last, forKey: "last")
        }
    }

    /// An element of a package. path: its path inside, names separated by "/". version changes with its content. isMissing:
    /// an element of a kept version whose content was not on this machine when the version was kept.
    package struct PackageElement: VarlinkMessage, Hashable {
        package var path: String
        package var isFolder: Bool
        package var size: Int?
        package var version: String?
        package var reference: Wire.ItemReference?
        package var isMissing: Bool?

        package init(
            path: String,
            isFolder: Bool,
            size: Int? = nil,
            version: String? = nil,
            reference: Wire.ItemReference? = nil,
            isMissing: Bool? = nil
        ) {
            self.path = path
            self.isFolder = isFolder
            self.size = size
            self.version = version
            self.reference = reference
            self.isMissing = isMissing
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            path = try container.decode(String.self, forKey: "path")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            version = try container.decodeIfPresent(String.self, forKey: "version")
            reference = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "reference")
            isMissing = try container.decodeIfPresent(Bool.self, forKey: "isMissing")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(path, forKey: "path")
            try container.encode(isFolder, forKey: "isFolder")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(version, forKey: "version")
            try container.encodeIfPresent(reference, forKey: "reference")
            try container.encodeIfPresent(isMissing, forKey: "isMissing")
        }
    }

    /// An element of a package. version: the element is unchanged from the stored one of that version. from: the
    /// stored element is at this path and moves to `path`.
    package struct PackagePart: VarlinkMessage, Hashable {
        package var path: String
        package var isFolder: Bool
        package var size: Int?
        package var digest: String?
        package var version: String?
        package var from: String?

        package init(
            path: String,
            isFolder: Bool,
            size: Int? = nil,
            digest: String? = nil,
            version: String? = nil,
            from: String? = nil
        ) {
            self.path = path
            self.isFolder = isFolder
            self.size = size
            self.digest = digest
            self.version = version
            self.from = from
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            path = try container.decode(String.self, forKey: "path")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            digest = try container.decodeIfPresent(String.self, forKey: "digest")
            version = try container.decodeIfPresent(String.self, forKey: "version")
            from = try container.decodeIfPresent(String.self, forKey: "from")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(path, forKey: "path")
            try container.encode(isFolder, forKey: "isFolder")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(digest, forKey: "digest")
            try container.encodeIfPresent(version, forKey: "version")
            try container.encodeIfPresent(from, forKey: "from")
        }
    }

    /// A client's request that the user choose (Documents.RequestPick). clientKind and client identify the caller; `reason`
    /// is its own statement. size: of the source of an export or move.
    package struct PickRequest: VarlinkMessage, Hashable {
        package var identifier: String
        package var clientKind: String
        package var client: String
        package var strength: String
        package var process: Int?
        package var executable: String?
        package var mode: String
        package var types: [String]?
        package var access: String?
        package var companions: [String]?
        package var name: String?
        package var size: Int?
        package var reason: String?
        package var since: Double

        package init(
            identifier: String,
            clientKind: String,
            client: String,
            strength: String,
            process: Int? = nil,
            executable: String? = nil,
            mode: String,
            types: [String]? = nil,
            access: String? = nil,
            companions: [String]? = nil,
            name: String? = nil,
            size: Int? = nil,
            reason: String? = nil,
            since: Double
        ) {
            self.identifier = identifier
            self.clientKind = clientKind
            self.client = client
            self.strength = strength
            self.process = process
            self.executable = executable
            self.mode = mode
            self.types = types
            self.access = access
            self.companions = companions
            self.name = name
            self.size = size
            self.reason = reason
            self.since = since
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            clientKind = try container.decode(String.self, forKey: "clientKind")
            client = try container.decode(String.self, forKey: "client")
            strength = try container.decode(String.self, forKey: "strength")
            process = try container.decodeIfPresent(Int.self, forKey: "process")
            executable = try container.decodeIfPresent(String.self, forKey: "executable")
            mode = try container.decode(String.self, forKey: "mode")
            types = try container.decodeIfPresent([String].self, forKey: "types")
            access = try container.decodeIfPresent(String.self, forKey: "access")
            companions = try container.decodeIfPresent([String].self, forKey: "companions")
            name = try container.decodeIfPresent(String.self, forKey: "name")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            reason = try container.decodeIfPresent(String.self, forKey: "reason")
            since = try container.decode(Double.self, forKey: "since")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(clientKind, forKey: "clientKind")
            try container.encode(client, forKey: "client")
            try container.encode(strength, forKey: "strength")
            try container.encodeIfPresent(process, forKey: "process")
            try container.encodeIfPresent(executable, forKey: "executable")
            try container.encode(mode, forKey: "mode")
            try container.encodeIfPresent(types, forKey: "types")
            try container.encodeIfPresent(access, forKey: "access")
            try container.encodeIfPresent(companions, forKey: "companions")
            try container.encodeIfPresent(name, forKey: "name")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(reason, forKey: "reason")
            try container.encode(since, forKey: "since")
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            path = try container.decode(String.self, forKey: "path")
            name = try container.decode(String.self, forKey: "name")
            contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            creationDate = try container.decodeIfPresent(Double.self, forKey: "creationDate")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
            isDownloaded = try container.decodeIfPresent(Bool.self, forKey: "isDownloaded")
            selectable = try container.decode(Bool.self, forKey: "selectable")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(path, forKey: "path")
            try container.encode(name, forKey: "name")
            try container.encodeIfPresent(contentType, forKey: "contentType")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            try container.encodeIfPresent(creationDate, forKey: "creationDate")
            try container.encode(isFolder, forKey: "isFolder")
            try container.encodeIfPresent(isDownloaded, forKey: "isDownloaded")
            try container.encode(selectable, forKey: "selectable")
        }
    }

    /// A presenter. asked: the message that it has not answered. askedSince: when it was sent.
    package struct Presenter: VarlinkMessage, Hashable {
        package var identifier: String
        package var clientKind: String
        package var client: String
        package var process: Int?
        package var isStopped: Bool?
        package var reference: Wire.ItemReference
        package var name: String?
        package var asked: String?
        package var askedSince: Double?

        package init(
            identifier: String,
            clientKind: String,
            client: String,
            process: Int? = nil,
            isStopped: Bool? = nil,
            reference: Wire.ItemReference,
            name: String? = nil,
            asked: String? = nil,
            askedSince: Double? = nil
        ) {
            self.identifier = identifier
            self.clientKind = clientKind
            self.client = client
            self.process = process
            self.isStopped = isStopped
            self.reference = reference
            self.name = name
            self.asked = asked
            self.askedSince = askedSince
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            clientKind = try container.decode(String.self, forKey: "clientKind")
            client = try container.decode(String.self, forKey: "client")
            process = try container.decodeIfPresent(Int.self, forKey: "process")
            isStopped = try container.decodeIfPresent(Bool.self, forKey: "isStopped")
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            name = try container.decodeIfPresent(String.self, forKey: "name")
            asked = try container.decodeIfPresent(String.self, forKey: "asked")
            askedSince = try container.decodeIfPresent(Double.self, forKey: "askedSince")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(clientKind, forKey: "clientKind")
            try container.encode(client, forKey: "client")
            try container.encodeIfPresent(process, forKey: "process")
            try container.encodeIfPresent(isStopped, forKey: "isStopped")
            try container.encode(reference, forKey: "reference")
            try container.encodeIfPresent(name, forKey: "name")
            try container.encodeIfPresent(asked, forKey: "asked")
            try container.encodeIfPresent(askedSince, forKey: "askedSince")
        }
    }

    /// Who the caller is. kind: run, flatpak, snap, unconfined. An unconfined program states its own identifier.
    /// strength: enforced (a sandbox prevents it from posing as another client) or stated (only the program's own
    /// statement).
    package struct Principal: VarlinkMessage, Hashable {
        package var kind: String
        package var identifier: String
        package var strength: String?

        package init(kind: String, identifier: String, strength: String? = nil) {
            self.kind = kind
            self.identifier = identifier
            self.strength = strength
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            kind = try container.decode(String.self, forKey: "kind")
            identifier = try container.decode(String.self, forKey: "identifier")
            strength = try container.decodeIfPresent(String.self, forKey: "strength")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(kind, forKey: "kind")
            try container.encode(identifier, forKey: "identifier")
            try container.encodeIfPresent(strength, forKey: "strength")
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            severity = try container.decode(String.self, forKey: "severity")
            key = try container.decode(String.self, forKey: "key")
            found = try container.decode(String.self, forKey: "found")
            expected = try container.decode(String.self, forKey: "expected")
            remedy = try container.decode(String.self, forKey: "remedy")
            message = try container.decode(String.self, forKey: "message")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(severity, forKey: "severity")
            try container.encode(key, forKey: "key")
            try container.encode(found, forKey: "found")
            try container.encode(expected, forKey: "expected")
            try container.encode(remedy, forKey: "remedy")
            try container.encode(message, forKey: "message")
        }
    }

    /// What is known of an item, or why nothing is: failure names an error of this interface, message is for people.
    package struct PromisedItem: VarlinkMessage, Hashable {
        package var item: Wire.Item?
        package var failure: String?
        package var message: String?

        package init(item: Wire.Item? = nil, failure: String? = nil, message: String? = nil) {
            self.item = item
            self.failure = failure
            self.message = message
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
            failure = try container.decodeIfPresent(String.self, forKey: "failure")
            message = try container.decodeIfPresent(String.self, forKey: "message")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encodeIfPresent(item, forKey: "item")
            try container.encodeIfPresent(failure, forKey: "failure")
            try container.encodeIfPresent(message, forKey: "message")
        }
    }

    /// One access of a provider's own claim, by identifier; options as in org.docent.Documents.ClaimAccess.
    package struct ProviderAccess: VarlinkMessage, Hashable {
        package var identifier: String
        package var writing: Bool
        package var options: [String]?

        package init(identifier: String, writing: Bool, options: [String]? = nil) {
            self.identifier = identifier
            self.writing = writing
            self.options = options
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            writing = try container.decode(Bool.self, forKey: "writing")
            options = try container.decodeIfPresent([String].self, forKey: "options")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(writing, forKey: "writing")
            try container.encodeIfPresent(options, forKey: "options")
        }
    }

    /// settings: what the user set for this domain, such as url and username; never a secret.
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            displayName = try container.decode(String.self, forKey: "displayName")
            folder = try container.decodeIfPresent(String.self, forKey: "folder")
            storage = try container.decode(String.self, forKey: "storage")
            settings = try container.decodeIfPresent([String: String].self, forKey: "settings")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(displayName, forKey: "displayName")
            try container.encodeIfPresent(folder, forKey: "folder")
            try container.encode(storage, forKey: "storage")
            try container.encodeIfPresent(settings, forKey: "settings")
        }
    }

    /// version: opaque, at most 128 bytes; changes with the content. capabilities: read, write, rename, delete,
    /// addItems. thumbnail: what the provider needs to make a thumbnail later, at most 1,024 bytes.
    /// symbolicLinkTarget: the item is a link, and this is the identifier of its target in the same domain; content
    /// is only ever requested for the target. ignoresCase, for folders: names in it that differ only in case are the
    /// same.
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
        package var symbolicLinkTarget: String?
        package var ignoresCase: Bool?

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
            thumbnail: String? = nil,
            symbolicLinkTarget: String? = nil,
            ignoresCase: Bool? = nil
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
            self.symbolicLinkTarget = symbolicLinkTarget
            self.ignoresCase = ignoresCase
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            parent = try container.decode(String.self, forKey: "parent")
            name = try container.decode(String.self, forKey: "name")
            contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            creationDate = try container.decodeIfPresent(Double.self, forKey: "creationDate")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
            version = try container.decodeIfPresent(String.self, forKey: "version")
            capabilities = try container.decodeIfPresent([String].self, forKey: "capabilities")
            isDownloaded = try container.decodeIfPresent(Bool.self, forKey: "isDownloaded")
            isUploaded = try container.decodeIfPresent(Bool.self, forKey: "isUploaded")
            thumbnail = try container.decodeIfPresent(String.self, forKey: "thumbnail")
            symbolicLinkTarget = try container.decodeIfPresent(String.self, forKey: "symbolicLinkTarget")
            ignoresCase = try container.decodeIfPresent(Bool.self, forKey: "ignoresCase")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(parent, forKey: "parent")
            try container.encode(name, forKey: "name")
            try container.encodeIfPresent(contentType, forKey: "contentType")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            try container.encodeIfPresent(creationDate, forKey: "creationDate")
            try container.encode(isFolder, forKey: "isFolder")
            try container.encodeIfPresent(version, forKey: "version")
            try container.encodeIfPresent(capabilities, forKey: "capabilities")
            try container.encodeIfPresent(isDownloaded, forKey: "isDownloaded")
            try container.encodeIfPresent(isUploaded, forKey: "isUploaded")
            try container.encodeIfPresent(thumbnail, forKey: "thumbnail")
            try container.encodeIfPresent(symbolicLinkTarget, forKey: "symbolicLinkTarget")
            try container.encodeIfPresent(ignoresCase, forKey: "ignoresCase")
        }
    }

    /// state: ready, disabled, changed (enable it again), quarantined, broken. withheld: the requests that have not
    /// been agreed to.
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
        package var withheld: [Wire.Request]?

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
            extensions: [Wire.ExtensionSummary],
            withheld: [Wire.Request]? = nil
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
            self.withheld = withheld
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            displayName = try container.decode(String.self, forKey: "displayName")
            enabled = try container.decode(Bool.self, forKey: "enabled")
            state = try container.decode(String.self, forKey: "state")
            modes = try container.decode([String].self, forKey: "modes")
            supportedTypes = try container.decode([String].self, forKey: "supportedTypes")
            documentGroup = try container.decodeIfPresent(String.self, forKey: "documentGroup")
            domains = try container.decode([String].self, forKey: "domains")
            sandboxed = try container.decode(Bool.self, forKey: "sandboxed")
            extensions = try container.decode([Wire.ExtensionSummary].self, forKey: "extensions")
            withheld = try container.decodeIfPresent([Wire.Request].self, forKey: "withheld")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(displayName, forKey: "displayName")
            try container.encode(enabled, forKey: "enabled")
            try container.encode(state, forKey: "state")
            try container.encode(modes, forKey: "modes")
            try container.encode(supportedTypes, forKey: "supportedTypes")
            try container.encodeIfPresent(documentGroup, forKey: "documentGroup")
            try container.encode(domains, forKey: "domains")
            try container.encode(sandboxed, forKey: "sandboxed")
            try container.encode(extensions, forKey: "extensions")
            try container.encodeIfPresent(withheld, forKey: "withheld")
        }
    }

    /// A document that was used, or a favourite. used: when it was used last, in seconds since 1970; absent for a
    /// favourite. client: which one used it then; only for an unconfined caller. remembered: its provider could not be
    /// asked, so it may have changed or have gone.
    package struct RecentItem: VarlinkMessage, Hashable {
        package var item: Wire.Item
        package var used: Double?
        package var client: String?
        package var remembered: Bool?

        package init(item: Wire.Item, used: Double? = nil, client: String? = nil, remembered: Bool? = nil) {
            self.item = item
            self.used = used
            self.client = client
            self.remembered = remembered
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            item = try container.decode(Wire.Item.self, forKey: "item")
            used = try container.decodeIfPresent(Double.self, forKey: "used")
            client = try container.decodeIfPresent(String.self, forKey: "client")
            remembered = try container.decodeIfPresent(Bool.self, forKey: "remembered")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(item, forKey: "item")
            try container.encodeIfPresent(used, forKey: "used")
            try container.encodeIfPresent(client, forKey: "client")
            try container.encodeIfPresent(remembered, forKey: "remembered")
        }
    }

    /// Why a listing or a description is an earlier one: its provider cannot be asked now. since: its time, in seconds
    /// since 1970.
    package struct Remembered: VarlinkMessage, Hashable {
        package var reason: String
        package var since: Double?

        package init(reason: String, since: Double? = nil) {
            self.reason = reason
            self.since = since
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reason = try container.decode(String.self, forKey: "reason")
            since = try container.decodeIfPresent(Double.self, forKey: "since")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(reason, forKey: "reason")
            try container.encodeIfPresent(since, forKey: "since")
        }
    }

    /// A request of a provider, in words that a person reads before enabling it.
    package struct Request: VarlinkMessage, Hashable {
        package var kind: String
        package var value: String
        package var explanation: String

        package init(kind: String, value: String, explanation: String) {
            self.kind = kind
            self.value = value
            self.explanation = explanation
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            kind = try container.decode(String.self, forKey: "kind")
            value = try container.decode(String.self, forKey: "value")
            explanation = try container.decode(String.self, forKey: "explanation")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(kind, forKey: "kind")
            try container.encode(value, forKey: "value")
            try container.encode(explanation, forKey: "explanation")
        }
    }

    /// An account that a search could not cover, or not all of it. kind: offline, notAuthenticated, locked, signedOut,
    /// unlisted (nobody has listed its folders yet), listing (they are being listed; progress from 0 to 1), paused, failed,
    /// comparing (the index is being made from other records). message: a sentence; absent for a confined caller.
    package struct SearchGap: VarlinkMessage, Hashable {
        package var provider: String
        package var domain: String
        package var kind: String
        package var progress: Double?
        package var message: String?

        package init(
            provider: String,
            domain: String,
            kind: String,
            progress: Double? = nil,
            message: String? = nil
        ) {
            self.provider = provider
            self.domain = domain
            self.kind = kind
            self.progress = progress
            self.message = message
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            kind = try container.decode(String.self, forKey: "kind")
            progress = try container.decodeIfPresent(Double.self, forKey: "progress")
            message = try container.decodeIfPresent(String.self, forKey: "message")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(kind, forKey: "kind")
            try container.encodeIfPresent(progress, forKey: "progress")
            try container.encodeIfPresent(message, forKey: "message")
        }
    }

    /// A daemon's version, data directory, manifest directories and further directories of libraries, as absolute
    /// paths. folders: the variables that name the folder for documents (HOME, XDG_CONFIG_HOME, XDG_DOCUMENTS_DIR), as
    /// the daemon has them. Earlier daemons send neither libraries nor folders.
    package struct Serving: VarlinkMessage, Hashable {
        package var version: String
        package var dataDirectory: String
        package var manifests: [String]
        package var libraries: [String]?
        package var folders: [String: String]?

        package init(
            version: String,
            dataDirectory: String,
            manifests: [String],
            libraries: [String]? = nil,
            folders: [String: String]? = nil
        ) {
            self.version = version
            self.dataDirectory = dataDirectory
            self.manifests = manifests
            self.libraries = libraries
            self.folders = folders
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            version = try container.decode(String.self, forKey: "version")
            dataDirectory = try container.decode(String.self, forKey: "dataDirectory")
            manifests = try container.decode([String].self, forKey: "manifests")
            libraries = try container.decodeIfPresent([String].self, forKey: "libraries")
            folders = try container.decodeIfPresent([String: String].self, forKey: "folders")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(version, forKey: "version")
            try container.encode(dataDirectory, forKey: "dataDirectory")
            try container.encode(manifests, forKey: "manifests")
            try container.encodeIfPresent(libraries, forKey: "libraries")
            try container.encodeIfPresent(folders, forKey: "folders")
        }
    }

    package struct SignInChoice: VarlinkMessage, Hashable {
        package var value: String
        package var label: String

        package init(value: String, label: String) {
            self.value = value
            self.label = label
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            value = try container.decode(String.self, forKey: "value")
            label = try container.decode(String.self, forKey: "label")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(value, forKey: "value")
            try container.encode(label, forKey: "label")
        }
    }

    /// A question to a person. kind: text, url, secret (never shown, never a setting), choice (one of choices) or
    /// confirm ("yes" or "no"). value: the default. key: the key of the answer; answers that are not secret become
    /// settings of the domain unless the provider decides otherwise. isMultiline, for text and secret: the answer may
    /// have several lines, such as a private key, and then ends with a line feed. At most 64 KiB.
    package struct SignInField: VarlinkMessage, Hashable {
        package var key: String
        package var label: String
        package var kind: String
        package var value: String?
        package var help: String?
        package var isOptional: Bool?
        package var choices: [Wire.SignInChoice]?
        package var isMultiline: Bool?

        package init(
            key: String,
            label: String,
            kind: String,
            value: String? = nil,
            help: String? = nil,
            isOptional: Bool? = nil,
            choices: [Wire.SignInChoice]? = nil,
            isMultiline: Bool? = nil
        ) {
            self.key = key
            self.label = label
            self.kind = kind
            self.value = value
            self.help = help
            self.isOptional = isOptional
            self.choices = choices
            self.isMultiline = isMultiline
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            key = try container.decode(String.self, forKey: "key")
            label = try container.decode(String.self, forKey: "label")
            kind = try container.decode(String.self, forKey: "kind")
            value = try container.decodeIfPresent(String.self, forKey: "value")
            help = try container.decodeIfPresent(String.self, forKey: "help")
            isOptional = try container.decodeIfPresent(Bool.self, forKey: "isOptional")
            choices = try container.decodeIfPresent([Wire.SignInChoice].self, forKey: "choices")
            isMultiline = try container.decodeIfPresent(Bool.self, forKey: "isMultiline")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(key, forKey: "key")
            try container.encode(label, forKey: "label")
            try container.encode(kind, forKey: "kind")
            try container.encodeIfPresent(value, forKey: "value")
            try container.encodeIfPresent(help, forKey: "help")
            try container.encodeIfPresent(isOptional, forKey: "isOptional")
            try container.encodeIfPresent(choices, forKey: "choices")
            try container.encodeIfPresent(isMultiline, forKey: "isMultiline")
        }
    }

    /// A way to sign in. The person chooses one; the first is the default. browser: what it needs in addition to its
    /// fields: loopback (a browser on this machine, redirected to a local address) or device (a code that is typed
    /// into a browser anywhere); absent for nothing. questions: what may be asked during the sign-in, so that the
    /// answers can be prepared; other questions may follow.
    package struct SignInForm: VarlinkMessage, Hashable {
        package var identifier: String
        package var title: String
        package var help: String?
        package var fields: [Wire.SignInField]
        package var browser: [String]?
        package var questions: [Wire.SignInField]?

        package init(
            identifier: String,
            title: String,
            help: String? = nil,
            fields: [Wire.SignInField],
            browser: [String]? = nil,
            questions: [Wire.SignInField]? = nil
        ) {
            self.identifier = identifier
            self.title = title
            self.help = help
            self.fields = fields
            self.browser = browser
            self.questions = questions
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            title = try container.decode(String.self, forKey: "title")
            help = try container.decodeIfPresent(String.self, forKey: "help")
            fields = try container.decode([Wire.SignInField].self, forKey: "fields")
            browser = try container.decodeIfPresent([String].self, forKey: "browser")
            questions = try container.decodeIfPresent([Wire.SignInField].self, forKey: "questions")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(title, forKey: "title")
            try container.encodeIfPresent(help, forKey: "help")
            try container.encode(fields, forKey: "fields")
            try container.encodeIfPresent(browser, forKey: "browser")
            try container.encodeIfPresent(questions, forKey: "questions")
        }
    }

    /// What a person has to do. kind: open (url, in a browser on this machine), code (type userCode at url before
    /// `expires`, in seconds since 1970; completeURL already contains it), message (only a text), question (to be
    /// answered before `expires`, by its number within the attempt).
    package struct SignInStep: VarlinkMessage, Hashable {
        package var kind: String
        package var url: String?
        package var userCode: String?
        package var completeURL: String?
        package var expires: Double?
        package var message: String?
        package var question: Wire.SignInField?
        package var number: Int?

        package init(
            kind: String,
            url: String? = nil,
            userCode: String? = nil,
            completeURL: String? = nil,
            expires: Double? = nil,
            message: String? = nil,
            question: Wire.SignInField? = nil,
            number: Int? = nil
        ) {
            self.kind = kind
            self.url = url
            self.userCode = userCode
            self.completeURL = completeURL
            self.expires = expires
            self.message = message
            self.question = question
            self.number = number
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            kind = try container.decode(String.self, forKey: "kind")
            url = try container.decodeIfPresent(String.self, forKey: "url")
            userCode = try container.decodeIfPresent(String.self, forKey: "userCode")
            completeURL = try container.decodeIfPresent(String.self, forKey: "completeURL")
            expires = try container.decodeIfPresent(Double.self, forKey: "expires")
            message = try container.decodeIfPresent(String.self, forKey: "message")
            question = try container.decodeIfPresent(Wire.SignInField.self, forKey: "question")
            number = try container.decodeIfPresent(Int.self, forKey: "number")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(kind, forKey: "kind")
            try container.encodeIfPresent(url, forKey: "url")
            try container.encodeIfPresent(userCode, forKey: "userCode")
            try container.encodeIfPresent(completeURL, forKey: "completeURL")
            try container.encodeIfPresent(expires, forKey: "expires")
            try container.encodeIfPresent(message, forKey: "message")
            try container.encodeIfPresent(question, forKey: "question")
            try container.encodeIfPresent(number, forKey: "number")
        }
    }

    /// A transfer. kind: download, upload. state: waiting, running, retrying (nextAttempt, seconds since 1970),
    /// paused (its domain is offline or not signed in), failed (see message and RetryTransfers). priority: awaited,
    /// pinned, background.
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

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            kind = try container.decode(String.self, forKey: "kind")
            state = try container.decode(String.self, forKey: "state")
            priority = try container.decode(String.self, forKey: "priority")
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            name = try container.decode(String.self, forKey: "name")
            completedBytes = try container.decode(Int.self, forKey: "completedBytes")
            totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            bytesPerSecond = try container.decodeIfPresent(Double.self, forKey: "bytesPerSecond")
            attempts = try container.decode(Int.self, forKey: "attempts")
            waiters = try container.decode(Int.self, forKey: "waiters")
            message = try container.decodeIfPresent(String.self, forKey: "message")
            nextAttempt = try container.decodeIfPresent(Double.self, forKey: "nextAttempt")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(kind, forKey: "kind")
            try container.encode(state, forKey: "state")
            try container.encode(priority, forKey: "priority")
            try container.encode(reference, forKey: "reference")
            try container.encode(name, forKey: "name")
            try container.encode(completedBytes, forKey: "completedBytes")
            try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            try container.encodeIfPresent(bytesPerSecond, forKey: "bytesPerSecond")
            try container.encode(attempts, forKey: "attempts")
            try container.encode(waiters, forKey: "waiters")
            try container.encodeIfPresent(message, forKey: "message")
            try container.encodeIfPresent(nextAttempt, forKey: "nextAttempt")
        }
    }

    /// Something in the trash of a domain. identifier: names it in that trash. originalPath: where it was, from the top
    /// of the domain; absent if that is not known. deletionDate: seconds since 1970. finalDate: when it will be deleted for
    /// good, in seconds since 1970, because its provider has no trash: until then it is still there; absent for what is in
    /// the trash of a provider.
    package struct TrashEntry: VarlinkMessage, Hashable {
        package var identifier: String
        package var provider: String
        package var domain: String
        package var name: String
        package var originalPath: String?
        package var deletionDate: Double?
        package var size: Int?
        package var isFolder: Bool
        package var finalDate: Double?

        package init(
            identifier: String,
            provider: String,
            domain: String,
            name: String,
            originalPath: String? = nil,
            deletionDate: Double? = nil,
            size: Int? = nil,
            isFolder: Bool,
            finalDate: Double? = nil
        ) {
            self.identifier = identifier
            self.provider = provider
            self.domain = domain
            self.name = name
            self.originalPath = originalPath
            self.deletionDate = deletionDate
            self.size = size
            self.isFolder = isFolder
            self.finalDate = finalDate
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            provider = try container.decode(String.self, forKey: "provider")
            domain = try container.decode(String.self, forKey: "domain")
            name = try container.decode(String.self, forKey: "name")
            originalPath = try container.decodeIfPresent(String.self, forKey: "originalPath")
            deletionDate = try container.decodeIfPresent(Double.self, forKey: "deletionDate")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
            finalDate = try container.decodeIfPresent(Double.self, forKey: "finalDate")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(provider, forKey: "provider")
            try container.encode(domain, forKey: "domain")
            try container.encode(name, forKey: "name")
            try container.encodeIfPresent(originalPath, forKey: "originalPath")
            try container.encodeIfPresent(deletionDate, forKey: "deletionDate")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encode(isFolder, forKey: "isFolder")
            try container.encodeIfPresent(finalDate, forKey: "finalDate")
        }
    }

    /// Something in the trash. identifier: names it in the trash, and nowhere else. name: the last one that it had.
    /// path: where it was, from the top of the domain, for people; absent if that is not known. parent: the folder that
    /// it was in, if that still exists. item: the identifier that it had and will have again, if that is known.
    /// deletionDate: seconds since 1970.
    package struct TrashedItem: VarlinkMessage, Hashable {
        package var identifier: String
        package var name: String
        package var path: String?
        package var parent: String?
        package var item: String?
        package var deletionDate: Double?
        package var size: Int?
        package var isFolder: Bool

        package init(
            identifier: String,
            name: String,
            path: String? = nil,
            parent: String? = nil,
            item: String? = nil,
            deletionDate: Double? = nil,
            size: Int? = nil,
            isFolder: Bool
        ) {
            self.identifier = identifier
            self.name = name
            self.path = path
            self.parent = parent
            self.item = item
            self.deletionDate = deletionDate
            self.size = size
            self.isFolder = isFolder
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            name = try container.decode(String.self, forKey: "name")
            path = try container.decodeIfPresent(String.self, forKey: "path")
            parent = try container.decodeIfPresent(String.self, forKey: "parent")
            item = try container.decodeIfPresent(String.self, forKey: "item")
            deletionDate = try container.decodeIfPresent(Double.self, forKey: "deletionDate")
            size = try container.decodeIfPresent(Int.self, forKey: "size")
            isFolder = try container.decode(Bool.self, forKey: "isFolder")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(name, forKey: "name")
            try container.encodeIfPresent(path, forKey: "path")
            try container.encodeIfPresent(parent, forKey: "parent")
            try container.encodeIfPresent(item, forKey: "item")
            try container.encodeIfPresent(deletionDate, forKey: "deletionDate")
            try container.encodeIfPresent(size, forKey: "size")
            try container.encode(isFolder, forKey: "isFolder")
        }
    }

    /// A version that is kept beside a document's current content. reason: conflict, unsent, recovered, replaced,
    /// deleted, superseded. isUnresolved: somebody has to decide about it. path: of its document, if known and asked for.
    /// modificationDate: when its content was saved. savedBy, host: the client and the machine that saved it, if known.
    package struct Version: VarlinkMessage, Hashable {
        package var identifier: String
        package var reference: Wire.ItemReference
        package var name: String
        package var reason: String
        package var size: Int
        package var created: Double
        package var isUnresolved: Bool?
        package var path: String?
        package var modificationDate: Double?
        package var savedBy: String?
        package var host: String?

        package init(
            identifier: String,
            reference: Wire.ItemReference,
            name: String,
            reason: String,
            size: Int,
            created: Double,
            isUnresolved: Bool? = nil,
            path: String? = nil,
            modificationDate: Double? = nil,
            savedBy: String? = nil,
            host: String? = nil
        ) {
            self.identifier = identifier
            self.reference = reference
            self.name = name
            self.reason = reason
            self.size = size
            self.created = created
            self.isUnresolved = isUnresolved
            self.path = path
            self.modificationDate = modificationDate
            self.savedBy = savedBy
            self.host = host
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            identifier = try container.decode(String.self, forKey: "identifier")
            reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            name = try container.decode(String.self, forKey: "name")
            reason = try container.decode(String.self, forKey: "reason")
            size = try container.decode(Int.self, forKey: "size")
            created = try container.decode(Double.self, forKey: "created")
            isUnresolved = try container.decodeIfPresent(Bool.self, forKey: "isUnresolved")
            path = try container.decodeIfPresent(String.self, forKey: "path")
            modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            savedBy = try container.decodeIfPresent(String.self, forKey: "savedBy")
            host = try container.decodeIfPresent(String.self, forKey: "host")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(identifier, forKey: "identifier")
            try container.encode(reference, forKey: "reference")
            try container.encode(name, forKey: "name")
            try container.encode(reason, forKey: "reason")
            try container.encode(size, forKey: "size")
            try container.encode(created, forKey: "created")
            try container.encodeIfPresent(isUnresolved, forKey: "isUnresolved")
            try container.encodeIfPresent(path, forKey: "path")
            try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            try container.encodeIfPresent(savedBy, forKey: "savedBy")
            try container.encodeIfPresent(host, forKey: "host")
        }
    }

    /// What is kept of the content that saves replace: for all documents (without reference), for an account (its top
    /// folder), for a folder with everything in it, or for one document. What is absent is decided by the place above.
    /// isKept: whether anything is kept. versions: the most versions of one document. days: their greatest age. space: the
    /// most bytes of all versions together, only for all documents. whenFull: refuse (a save is refused if there is no room
    /// to keep what it replaces) or drop (it goes on without a version). merges: whether a conflict of texts whose changes do
    /// not touch is merged by itself.
    package struct VersionRule: VarlinkMessage, Hashable {
        package var reference: Wire.ItemReference?
        package var path: String?
        package var isKept: Bool?
        package var versions: Int?
        package var days: Int?
        package var space: Int?
        package var whenFull: String?
        package var merges: Bool?

        package init(
            reference: Wire.ItemReference? = nil,
            path: String? = nil,
            isKept: Bool? = nil,
            versions: Int? = nil,
            days: Int? = nil,
            space: Int? = nil,
            whenFull: String? = nil,
            merges: Bool? = nil
        ) {
            self.reference = reference
            self.path = path
            self.isKept = isKept
            self.versions = versions
            self.days = days
            self.space = space
            self.whenFull = whenFull
            self.merges = merges
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: WireKey.self)
            reference = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "reference")
            path = try container.decodeIfPresent(String.self, forKey: "path")
            isKept = try container.decodeIfPresent(Bool.self, forKey: "isKept")
            versions = try container.decodeIfPresent(Int.self, forKey: "versions")
            days = try container.decodeIfPresent(Int.self, forKey: "days")
            space = try container.decodeIfPresent(Int.self, forKey: "space")
            whenFull = try container.decodeIfPresent(String.self, forKey: "whenFull")
            merges = try container.decodeIfPresent(Bool.self, forKey: "merges")
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encodeIfPresent(reference, forKey: "reference")
            try container.encodeIfPresent(path, forKey: "path")
            try container.encodeIfPresent(isKept, forKey: "isKept")
            try container.encodeIfPresent(versions, forKey: "versions")
            try container.encodeIfPresent(days, forKey: "days")
            try container.encodeIfPresent(space, forKey: "space")
            try container.encodeIfPresent(whenFull, forKey: "whenFull")
            try container.encodeIfPresent(merges, forKey: "merges")
        }
    }
}
