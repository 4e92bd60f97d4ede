import CommandConsole
import DocentInterfaces
import Documents

/// The records of docs/json.md. Every key is always present; an unknown value is null.
extension JSONValue {
    /// An item with its provider and domain, for `docent info`.
    ///
    /// - Parameters:
    ///   - remembered: why the item is as it was known before, and since when.
    ///   - space: that of the account.
    init(
        information item: DocumentItem, path: String?, remembered: RememberedListing? = nil, space: AccountUsage? = nil
    ) {
        var members = Self.members(of: item, path: path)
        members["provider"] = .string(item.reference.provider)
        members["domain"] = .string(item.reference.domain)
        members["creationDate"] = JSONValue(Timestamp.text(item.creationDate))
        members["version"] = JSONValue(item.version)
        members["uploadError"] = JSONValue(item.uploadState.reason)
        members["remembered"] = Self.value(remembered)
        members["space"] = Self.value(space)
        self = .object(members)
    }

    /// The space of an account.
    private static func value(_ space: AccountUsage?) -> JSONValue {
        space.map {
            .object([
                "totalBytes": JSONValue($0.totalBytes), "usedBytes": JSONValue($0.usedBytes),
                "availableBytes": JSONValue($0.availableBytes),
            ])
        } ?? .null
    }

    /// Why a listing or an item is as it was known before, and since when.
    static func value(_ remembered: RememberedListing?) -> JSONValue {
        remembered.map {
            .object(["reason": .string($0.reason), "since": JSONValue(Timestamp.text($0.since))])
        } ?? .null
    }

    /// The item that a bookmark resolves to.
    init(resolved item: DocumentItem, access: AccessMode, isStale: Bool) {
        var members = Self.members(of: item, path: item.path)
        members["provider"] = .string(item.reference.provider)
        members["domain"] = .string(item.reference.domain)
        members["access"] = .string(access.rawValue)
        members["isStale"] = .bool(isStale)
        self = .object(members)
    }

    private static func members(of item: DocumentItem, path: String?) -> JSONMembers {
        var members = JSONMembers([])
        item.describe(to: &members, path: path, remembered: .null)
        members["remembered"] = nil
        return members
    }

    /// An opened document.
    init(opened document: SecurityScopedDocument, bookmark: String?) {
        self = .object([
            "bookmark": JSONValue(bookmark),
            "provider": .string(document.reference.provider),
            "domain": .string(document.reference.domain),
            "identifier": .string(document.reference.identifier),
            "access": .string(document.access.rawValue),
        ])
    }

    /// A provider, for `docent providers`.
    init(provider: Wire.ProviderSummary) {
        self = .object([
            "identifier": .string(provider.identifier),
            "displayName": .string(provider.displayName),
            "enabled": .bool(provider.enabled),
            "state": .string(provider.state),
            "modes": JSONValue(provider.modes),
            "supportedTypes": JSONValue(provider.supportedTypes),
            "documentGroup": JSONValue(provider.documentGroup),
            "domains": JSONValue(provider.domains),
            "sandboxed": .bool(provider.sandboxed),
            "extensions": .array(
                provider.extensions.map { part in
                    .object([
                        "point": .string(part.point),
                        "principalClass": JSONValue(part.principalClass),
                        "library": JSONValue(part.library),
                        "manifest": .string(part.manifest),
                    ])
                }),
            "withheld": .array((provider.withheld ?? []).map(JSONValue.init(request:))),
        ])
    }

    /// A manifest that cannot be used, listed among the providers by `docent providers --all`.
    ///
    /// - Parameter identifier: the provider's, if it can be read.
    init(broken: Wire.BrokenManifest, identifier: String?) {
        self = .object([
            "identifier": JSONValue(identifier),
            "displayName": .string(identifier.flatMap { $0.split(separator: ".").last.map(String.init) } ?? ""),
            "enabled": .bool(false),
            "state": .string("broken"),
            "modes": .array([]),
            "supportedTypes": .array([]),
            "documentGroup": JSONValue(nil as String?),
            "domains": .array([]),
            "sandboxed": .bool(true),
            "extensions": .array([]),
            "withheld": .array([]),
            "manifest": .string(broken.manifest),
            "problems": .array(broken.problems.map(JSONValue.init(problem:))),
        ])
    }

    /// One request of a provider.
    init(request: Wire.Request) {
        self = .object([
            "kind": .string(request.kind), "value": .string(request.value),
            "explanation": .string(request.explanation),
        ])
    }

    /// What the user agrees to by enabling a provider.
    init(consent: Wire.Consent) {
        self = .object([
            "provider": .string(consent.provider),
            "displayName": .string(consent.displayName),
            "digest": .string(consent.digest),
            "isSystem": .bool(consent.isSystem),
            "enabled": .bool(consent.enabled),
            "state": .string(consent.state),
            "message": JSONValue(consent.message),
            "manifests": JSONValue(consent.manifests),
            "libraries": JSONValue(consent.libraries),
            "requests": .array(consent.requests.map(JSONValue.init(request:))),
            "withheld": .array((consent.withheld ?? []).map(JSONValue.init(request:))),
            "limits": .array(
                (consent.limits ?? []).map {
                    .object([
                        "kind": .string($0.kind), "amount": .integer($0.amount), "text": .string($0.text),
                        "standard": .integer($0.standard),
                    ])
                }),
            "problems": .array(consent.problems.map(JSONValue.init(problem:))),
        ])
    }

    /// A problem of a manifest.
    init(problem: Wire.Problem) {
        self = .object([
            "severity": .string(problem.severity), "key": .string(problem.key), "found": .string(problem.found),
            "expected": .string(problem.expected), "remedy": .string(problem.remedy),
            "message": .string(problem.message),
        ])
    }

    init(grant: Wire.Grant) {
        self = .object([
            "id": JSONValue(grant.id),
            "client": .string(grant.client),
            "clientKind": .string(grant.clientKind),
            "strength": JSONValue(grant.strength),
            "executable": JSONValue(grant.executable),
            "provider": .string(grant.provider),
            "domain": .string(grant.domain),
            "identifier": .string(grant.identifier),
            "name": JSONValue(grant.name),
            "isFolder": .bool(grant.isFolder == true),
            "access": .string(grant.access),
            "origin": .string(grant.origin),
            "created": JSONValue(Timestamp.text(grant.created)),
            "expires": JSONValue(Timestamp.text(grant.expires)),
            "used": JSONValue(Timestamp.text(grant.used)),
            "isTaken": .bool(grant.isPersistent != false),
            "companions": JSONValue(grant.companions ?? []),
        ])
    }

    /// One check of `docent doctor`.
    init(check: Wire.Check) {
        self = .object([
            "name": .string(check.name), "status": .string(check.status), "detail": .string(check.detail),
            "remedy": JSONValue(check.remedy),
        ])
    }

    /// The status that the daemon reports.
    init(status: AdministrationInterface.Status.Reply) {
        self = .object([
            "running": .bool(true),
            "version": .string(status.version),
            "processIdentifier": .integer(status.processIdentifier),
            "uptime": .number(status.uptime),
            "socket": .string(status.socket),
            "dataDirectory": .string(status.dataDirectory),
            "residentBytes": .integer(status.residentBytes),
            "sessions": .integer(status.sessions),
            "pendingOperations": .integer(status.pendingOperations),
            "extensions": .array(
                status.extensions.map { part in
                    .object([
                        "provider": .string(part.provider),
                        "point": .string(part.point),
                        "state": .string(part.state),
                        "processIdentifier": JSONValue(part.processIdentifier),
                        "residentBytes": JSONValue(part.residentBytes),
                        "crashes": .integer(part.crashes),
                        "message": JSONValue(part.message),
                    ])
                }),
        ])
    }
}

extension DocumentItem {
    /// The item in `docent ls --json`.
    ///
    /// - Parameters:
    ///   - path: used if the item has none.
    ///   - remembered: why the listing of its folder is from memory, and since when.
    func describe(
        to receiver: inout some JSONMemberReceiver, path: @autoclosure () -> String?, remembered: JSONValue
    ) {
        receiver.add("conflicts", .integer(conflicts))
        receiver.add("contentType", .string(contentType))
        receiver.add("identifier", .string(reference.identifier))
        receiver.add("isDownloaded", .bool(isDownloaded))
        receiver.add("isFolder", .bool(isFolder))
        receiver.add("isPinned", .bool(isPinned))
        receiver.add("isStale", .bool(isStale))
        receiver.add("isUploaded", .bool(isUploaded))
        receiver.add("modificationDate", JSONValue(Timestamp.text(modificationDate)))
        receiver.add("name", .string(name))
        receiver.add("path", JSONValue(self.path ?? path()))
        receiver.add("remembered", remembered)
        receiver.add("size", JSONValue(size))
        receiver.add("symbolicLinkTarget", JSONValue(symbolicLinkTarget?.identifier))
        receiver.add("uploadState", .string(uploadState.name))
    }
}
