// Made from Interfaces/org.docent.Administration.varlink by Scripts/generate-interfaces.py; edit that file.

import Varlink

/// The interface `org.docent.Administration`.
package enum AdministrationInterface {
    /// Its name.
    package static let name = "org.docent.Administration"

    /// Its text, as introspection gives it.
    package static var description: String {
        String(decoding: PackageResources.org_docent_Administration_varlink, as: UTF8.self)
    }

    /// What enabling would mean. The digest names exactly what was shown.
    package enum DescribeProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.DescribeProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var consent: Wire.Consent

            package init(consent: Wire.Consent) {
                self.consent = consent
            }
        }
    }

    /// Enables a provider as it was shown. digest: of the Consent that the user agreed to; another one is refused.
    /// joinGroups: agree that it joins a document group which belongs to another provider.
    package enum EnableProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.EnableProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var digest: String
            package var unsandboxed: Bool?
            package var joinGroups: Bool?

            package init(provider: String, digest: String, unsandboxed: Bool? = nil, joinGroups: Bool? = nil) {
                self.provider = provider
                self.digest = digest
                self.unsandboxed = unsandboxed
                self.joinGroups = joinGroups
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// DisableProvider.
    package enum DisableProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.DisableProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Lifts a quarantine and forgets crashes.
    package enum ResetProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.ResetProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Manifests that cannot be used, and why.
    package enum ListBroken: InterfaceMethod {
        package static let name = "org.docent.Administration.ListBroken"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var broken: [Wire.BrokenManifest]

            package init(broken: [Wire.BrokenManifest]) {
                self.broken = broken
            }
        }
    }

    /// ListDomains.
    package enum ListDomains: InterfaceMethod {
        package static let name = "org.docent.Administration.ListDomains"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String?

            package init(provider: String? = nil) {
                self.provider = provider
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var domains: [Wire.Domain]

            package init(domains: [Wire.Domain]) {
                self.domains = domains
            }
        }
    }

    /// Adds a signed-in service or, for a provider of local files, a folder (an absolute path), which the provider's
    /// sandbox is then opened for. An account's service is asked at once, with the credential where there is one, and the account is added only
    /// if it answers, unless unchecked. found: what it answered, for people.
    package enum AddDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.AddDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: Wire.Domain
            package var credential: Wire.Credential?
            package var unchecked: Bool?

            package init(domain: Wire.Domain, credential: Wire.Credential? = nil, unchecked: Bool? = nil) {
                self.domain = domain
                self.credential = credential
                self.unchecked = unchecked
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var found: String?

            package init(found: String? = nil) {
                self.found = found
            }
        }
    }

    /// Changes a domain: settings are merged, an empty value removes one; the credential, if given, replaces.
    package enum ChangeDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.ChangeDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var identifier: String
            package var displayName: String?
            package var settings: [String: String]?
            package var credential: Wire.Credential?

            package init(
                provider: String,
                identifier: String,
                displayName: String? = nil,
                settings: [String: String]? = nil,
                credential: Wire.Credential? = nil
            ) {
                self.provider = provider
                self.identifier = identifier
                self.displayName = displayName
                self.settings = settings
                self.credential = credential
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var domain: Wire.Domain

            package init(domain: Wire.Domain) {
                self.domain = domain
            }
        }
    }

    /// Refused while changes of it wait to be sent, unless forced: then they are kept as versions. Refused too while its secret cannot be
    /// deleted because its keyring cannot be opened, unless leaveSecret: then `left` says where it stays.
    package enum RemoveDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.RemoveDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var identifier: String
            package var force: Bool?
            package var leaveSecret: Bool?

            package init(provider: String, identifier: String, force: Bool? = nil, leaveSecret: Bool? = nil) {
                self.provider = provider
                self.identifier = identifier
                self.force = force
                self.leaveSecret = leaveSecret
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var left: String?

            package init(left: String? = nil) {
                self.left = left
            }
        }
    }

    /// What a person is to be asked for, and where the secret will be stored. provider may be a short name; domain need not be there yet.
    package enum PrepareLogin: InterfaceMethod {
        package static let name = "org.docent.Administration.PrepareLogin"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var sealedFile: Bool?

            package init(provider: String, domain: String, sealedFile: Bool? = nil) {
                self.provider = provider
                self.domain = domain
                self.sealedFile = sealedFile
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: Wire.Domain?
            package var forms: [Wire.SignInForm]
            package var storage: Wire.CredentialStorage

            package init(
                provider: String,
                domain: Wire.Domain? = nil,
                forms: [Wire.SignInForm],
                storage: Wire.CredentialStorage
            ) {
                self.provider = provider
                self.domain = domain
                self.forms = forms
                self.storage = storage
            }
        }
    }

    /// Signs a domain in, and adds it if it is not there yet. The service is asked before anything is kept; a refusal keeps nothing. values: the answers to the form, secrets
    /// included. sealedFile: agrees to our own sealed file where there is no keyring. session: in memory only. redirect: see FileProvider.Authenticate. Called with `more`, every
    /// reply but the last has a step; the end of the call ends the attempt. What waited for it goes on. answersQuestions: steps of the kind question are answered
    /// with AnswerLogin; without it nobody answers them. At most 16 of them, for each of which there are 15 minutes at most.
    package enum Login: InterfaceMethod {
        package static let name = "org.docent.Administration.Login"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var form: String
            package var values: [String: String]
            package var attempt: String
            package var displayName: String?
            package var redirect: String?
            package var sealedFile: Bool?
            package var session: Bool?
            package var answersQuestions: Bool?

            package init(
                provider: String,
                domain: String,
                form: String,
                values: [String: String],
                attempt: String,
                displayName: String? = nil,
                redirect: String? = nil,
                sealedFile: Bool? = nil,
                session: Bool? = nil,
                answersQuestions: Bool? = nil
            ) {
                self.provider = provider
                self.domain = domain
                self.form = form
                self.values = values
                self.attempt = attempt
                self.displayName = displayName
                self.redirect = redirect
                self.sealedFile = sealedFile
                self.session = session
                self.answersQuestions = answersQuestions
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var step: Wire.SignInStep?
            package var domain: Wire.Domain?
            package var storage: Wire.CredentialStorage?

            package init(
                step: Wire.SignInStep? = nil,
                domain: Wire.Domain? = nil,
                storage: Wire.CredentialStorage? = nil
            ) {
                self.step = step
                self.domain = domain
                self.storage = storage
            }
        }
    }

    /// The address that the browser was sent back to.
    package enum ContinueLogin: InterfaceMethod {
        package static let name = "org.docent.Administration.ContinueLogin"

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

    /// The answer to a question of the attempt, once. absent: nobody can be asked, or the person does not answer. InvalidArgument: another answer may follow;
    /// NotFound: nobody waits for it any more.
    package enum AnswerLogin: InterfaceMethod {
        package static let name = "org.docent.Administration.AnswerLogin"

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

    /// Signs a domain out: sends what waits (at most timeout seconds), keeps aside what could not be sent (discard: drops it), deletes the credential, the placeholders
    /// and the local copies, and lets nobody in until the next login; rights and bookmarks work again then. Called with `more`, every reply but the last tells the
    /// stage: uploading (pending changes), keeping, deletingCredential, removingCopies. The last: kept, what was set aside; discarded, how many were dropped; openDescriptors, read
    /// descriptors that are out already. Done when answered, also after a crash in between: the next daemon goes on. leaveSecret and left as in RemoveDomain.
    package enum Logout: InterfaceMethod {
        package static let name = "org.docent.Administration.Logout"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var discard: Bool?
            package var timeout: Double?
            package var leaveSecret: Bool?

            package init(
                provider: String,
                domain: String,
                discard: Bool? = nil,
                timeout: Double? = nil,
                leaveSecret: Bool? = nil
            ) {
                self.provider = provider
                self.domain = domain
                self.discard = discard
                self.timeout = timeout
                self.leaveSecret = leaveSecret
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var stage: String?
            package var pending: Int?
            package var domain: Wire.Domain?
            package var kept: [Wire.Version]?
            package var discarded: Int?
            package var openDescriptors: Int?
            package var left: String?

            package init(
                stage: String? = nil,
                pending: Int? = nil,
                domain: Wire.Domain? = nil,
                kept: [Wire.Version]? = nil,
                discarded: Int? = nil,
                openDescriptors: Int? = nil,
                left: String? = nil
            ) {
                self.stage = stage
                self.pending = pending
                self.domain = domain
                self.kept = kept
                self.discarded = discarded
                self.openDescriptors = openDescriptors
                self.left = left
            }
        }
    }

    /// The transfers that wait, run, or failed. Called with `more` it is answered again whenever something changed, four times a
    /// second at most.
    package enum Transfers: InterfaceMethod {
        package static let name = "org.docent.Administration.Transfers"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String?

            package init(provider: String? = nil) {
                self.provider = provider
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var transfers: [Wire.Transfer]

            package init(transfers: [Wire.Transfer]) {
                self.transfers = transfers
            }
        }
    }

    /// Ends a transfer. A download's waiters are told; an upload is kept as a failed one, never dropped.
    package enum CancelTransfer: InterfaceMethod {
        package static let name = "org.docent.Administration.CancelTransfer"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Tries again at once what waits or failed; every argument narrows.
    package enum RetryTransfers: InterfaceMethod {
        package static let name = "org.docent.Administration.RetryTransfers"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String?
            package var provider: String?
            package var domain: String?

            package init(identifier: String? = nil, provider: String? = nil, domain: String? = nil) {
                self.identifier = identifier
                self.provider = provider
                self.domain = domain
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var count: Int

            package init(count: Int) {
                self.count = count
            }
        }
    }

    /// Waits until every change is sent. Called with `more`, every reply but the last tells what is left; ends when nothing can go
    /// on without the user (failed), or the deadline (seconds) is over.
    package enum Drain: InterfaceMethod {
        package static let name = "org.docent.Administration.Drain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var timeout: Double?

            package init(timeout: Double? = nil) {
                self.timeout = timeout
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var pending: Int
            package var failed: Int

            package init(pending: Int, failed: Int) {
                self.pending = pending
                self.failed = failed
            }
        }
    }

    /// Keeps a document, or all that is in a folder now, on this machine; or no longer.
    package enum Pin: InterfaceMethod {
        package static let name = "org.docent.Administration.Pin"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var pinned: Bool

            package init(location: Wire.Location, pinned: Bool) {
                self.location = location
                self.pinned = pinned
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: Int

            package init(items: Int) {
                self.items = items
            }
        }
    }

    /// Removes local copies, of a document or of all that is in a folder. Refused for what is open, pinned or not uploaded (a folder:
    /// they are skipped).
    package enum Evict: InterfaceMethod {
        package static let name = "org.docent.Administration.Evict"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location

            package init(location: Wire.Location) {
                self.location = location
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: Int
            package var bytes: Int

            package init(items: Int, bytes: Int) {
                self.items = items
                self.bytes = bytes
            }
        }
    }

    /// Asks the provider what changed. accept: believe a listing that lacks more than half of what was there. held: folders whose
    /// listing is held until somebody accepts it.
    package enum Refresh: InterfaceMethod {
        package static let name = "org.docent.Administration.Refresh"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var accept: Bool?

            package init(location: Wire.Location, accept: Bool? = nil) {
                self.location = location
                self.accept = accept
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var changed: Int
            package var deleted: Int
            package var held: [String]

            package init(changed: Int, deleted: Int, held: [String]) {
                self.changed = changed
                self.deleted = deleted
                self.held = held
            }
        }
    }

    /// Who holds claims and who waits for whom. Called with `more` it is answered again whenever something changed, four times a second at
    /// most.
    package enum Claims: InterfaceMethod {
        package static let name = "org.docent.Administration.Claims"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location?

            package init(location: Wire.Location? = nil) {
                self.location = location
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var claims: [Wire.Claim]
            package var presenters: [Wire.Presenter]

            package init(claims: [Wire.Claim], presenters: [Wire.Presenter]) {
                self.claims = claims
                self.presenters = presenters
            }
        }
    }

    /// Versions that are kept of a document; without a location, all.
    package enum Versions: InterfaceMethod {
        package static let name = "org.docent.Administration.Versions"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location?

            package init(location: Wire.Location? = nil) {
                self.location = location
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var versions: [Wire.Version]

            package init(versions: [Wire.Version]) {
                self.versions = versions
            }
        }
    }

    /// Reads a kept version.
    package enum OpenVersion: InterfaceMethod {
        package static let name = "org.docent.Administration.OpenVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var version: Wire.Version
            package var file: Int

            package var descriptorCount: Int { 1 }

            package init(version: Wire.Version, file: Int) {
                self.version = version
                self.file = file
            }
        }
    }

    /// Removes a kept version for good.
    package enum RemoveVersion: InterfaceMethod {
        package static let name = "org.docent.Administration.RemoveVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Every argument narrows. olderThan: seconds since it was given. Without `page` the first page; `nextPage` is absent on the last.
    package enum ListGrants: InterfaceMethod {
        package static let name = "org.docent.Administration.ListGrants"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var provider: String?
            package var location: Wire.Location?
            package var clientKind: String?
            package var olderThan: Double?
            package var page: String?

            package init(
                client: String? = nil,
                provider: String? = nil,
                location: Wire.Location? = nil,
                clientKind: String? = nil,
                olderThan: Double? = nil,
                page: String? = nil
            ) {
                self.client = client
                self.provider = provider
                self.location = location
                self.clientKind = clientKind
                self.olderThan = olderThan
                self.page = page
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var grants: [Wire.Grant]
            package var nextPage: String?

            package init(grants: [Wire.Grant], nextPage: String? = nil) {
                self.grants = grants
                self.nextPage = nextPage
            }
        }
    }

    /// Durable, and in force, when it is answered. Every argument narrows; none revokes all. openDescriptors: read descriptors that are
    /// already out; they keep the old content.
    package enum Revoke: InterfaceMethod {
        package static let name = "org.docent.Administration.Revoke"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var provider: String?
            package var location: Wire.Location?
            package var clientKind: String?
            package var olderThan: Double?
            package var id: Int?

            package init(
                client: String? = nil,
                provider: String? = nil,
                location: Wire.Location? = nil,
                clientKind: String? = nil,
                olderThan: Double? = nil,
                id: Int? = nil
            ) {
                self.client = client
                self.provider = provider
                self.location = location
                self.clientKind = clientKind
                self.olderThan = olderThan
                self.id = id
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var revoked: Int
            package var openDescriptors: Int

            package init(revoked: Int, openDescriptors: Int) {
                self.revoked = revoked
                self.openDescriptors = openDescriptors
            }
        }
    }

    /// Gives a client the right to what is at a location, as if it had been chosen for it. expires: seconds from now.
    package enum AddGrant: InterfaceMethod {
        package static let name = "org.docent.Administration.AddGrant"

        package struct Parameters: VarlinkMessage, Equatable {
            package var clientKind: String
            package var client: String
            package var location: Wire.Location
            package var access: String
            package var persist: Bool?
            package var expires: Double?
            package var companions: [String]?

            package init(
                clientKind: String,
                client: String,
                location: Wire.Location,
                access: String,
                persist: Bool? = nil,
                expires: Double? = nil,
                companions: [String]? = nil
            ) {
                self.clientKind = clientKind
                self.client = client
                self.location = location
                self.access = access
                self.persist = persist
                self.expires = expires
                self.companions = companions
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var grant: Wire.Grant
            package var item: Wire.Item

            package init(grant: Wire.Grant, item: Wire.Item) {
                self.grant = grant
                self.item = item
            }
        }
    }

    /// The audit, newest first; every argument narrows. Called with `more` (follow) new entries come as they arise, oldest first in each reply,
    /// until the caller goes.
    package enum Log: InterfaceMethod {
        package static let name = "org.docent.Administration.Log"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var location: Wire.Location?
            package var refused: Bool?
            package var since: Double?
            package var limit: Int?

            package init(
                client: String? = nil,
                location: Wire.Location? = nil,
                refused: Bool? = nil,
                since: Double? = nil,
                limit: Int? = nil
            ) {
                self.client = client
                self.location = location
                self.refused = refused
                self.since = since
                self.limit = limit
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var entries: [Wire.LogEntry]

            package init(entries: [Wire.LogEntry]) {
                self.entries = entries
            }
        }
    }

    /// Who may reach an item and through what, and who caused its last download. grants: on it, on folders above it, and as a companion;
    /// sentences: the same for people.
    package enum Why: InterfaceMethod {
        package static let name = "org.docent.Administration.Why"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var client: String?

            package init(location: Wire.Location, client: String? = nil) {
                self.location = location
                self.client = client
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var grants: [Wire.Grant]
            package var lastDownload: Wire.LogEntry?
            package var sentences: [String]

            package init(
                item: Wire.Item,
                grants: [Wire.Grant],
                lastDownload: Wire.LogEntry? = nil,
                sentences: [String]
            ) {
                self.item = item
                self.grants = grants
                self.lastDownload = lastDownload
                self.sentences = sentences
            }
        }
    }

    /// Whoever calls this (with `more`) is asked when a client wants the user to choose; each reply has what waits now. client: only
    /// requests of that one. The end of the call ends being asked; nobody left to ask refuses what waits.
    package enum PickRequests: InterfaceMethod {
        package static let name = "org.docent.Administration.PickRequests"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var clientKind: String?

            package init(client: String? = nil, clientKind: String? = nil) {
                self.client = client
                self.clientKind = clientKind
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var requests: [Wire.PickRequest]

            package init(requests: [Wire.PickRequest]) {
                self.requests = requests
            }
        }
    }

    /// Answers a request: with a location (of a document, or of the folder for export and move), or refuses it. access: what is granted, at
    /// most what was asked for. name: under which it is exported or moved.
    package enum AnswerPick: InterfaceMethod {
        package static let name = "org.docent.Administration.AnswerPick"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String
            package var location: Wire.Location?
            package var access: String?
            package var name: String?
            package var persist: Bool?
            package var expires: Double?
            package var companions: [String]?

            package init(
                identifier: String,
                location: Wire.Location? = nil,
                access: String? = nil,
                name: String? = nil,
                persist: Bool? = nil,
                expires: Double? = nil,
                companions: [String]? = nil
            ) {
                self.identifier = identifier
                self.location = location
                self.access = access
                self.name = name
                self.persist = persist
                self.expires = expires
                self.companions = companions
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Doctor.
    package enum Doctor: InterfaceMethod {
        package static let name = "org.docent.Administration.Doctor"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var checks: [Wire.Check]

            package init(checks: [Wire.Check]) {
                self.checks = checks
            }
        }
    }

    /// Status.
    package enum Status: InterfaceMethod {
        package static let name = "org.docent.Administration.Status"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var version: String
            package var processIdentifier: Int
            package var uptime: Double
            package var socket: String
            package var dataDirectory: String
            package var residentBytes: Int
            package var sessions: Int
            package var pendingOperations: Int
            package var extensions: [Wire.ExtensionStatus]

            package init(
                version: String,
                processIdentifier: Int,
                uptime: Double,
                socket: String,
                dataDirectory: String,
                residentBytes: Int,
                sessions: Int,
                pendingOperations: Int,
                extensions: [Wire.ExtensionStatus]
            ) {
                self.version = version
                self.processIdentifier = processIdentifier
                self.uptime = uptime
                self.socket = socket
                self.dataDirectory = dataDirectory
                self.residentBytes = residentBytes
                self.sessions = sessions
                self.pendingOperations = pendingOperations
                self.extensions = extensions
            }
        }
    }

    /// A socket for one confined client, which is that client whoever connects; it lives as long as this call
    /// (call it with `more`).
    package enum ListenForClient: InterfaceMethod {
        package static let name = "org.docent.Administration.ListenForClient"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String

            package init(client: String) {
                self.client = client
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var path: String

            package init(path: String) {
                self.path = path
            }
        }
    }

    /// Ends the daemon. Refused while changes wait to be uploaded, unless forced; they are kept either way. ifIdle: for a successor; refused
    /// too while anybody else is connected or anything goes on, and who connects later starts another daemon.
    package enum Stop: InterfaceMethod {
        package static let name = "org.docent.Administration.Stop"

        package struct Parameters: VarlinkMessage, Equatable {
            package var force: Bool?
            package var ifIdle: Bool?

            package init(force: Bool? = nil, ifIdle: Bool? = nil) {
                self.force = force
                self.ifIdle = ifIdle
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }
}
