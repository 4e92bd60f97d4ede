import CLinux
import DocentInterfaces
package import Documents
import Synchronization
import Varlink

/// The documents of the daemon, for an unconfined view: all accounts of the user.
package final class DaemonSource: DocumentSource {
    let client: DocumentsClient
    let picker: DocumentPicker
    /// A picker that may also choose folders.
    let folderPicker: DocumentPicker
    /// The accounts whose top folder this view has a right to, or asks for one.
    private let rights = Mutex<[ViewAccount: Task<Void, any Error>]>([:])

    package init(client: DocumentsClient) {
        self.client = client
        picker = DocumentPicker(client: client)
        folderPicker = DocumentPicker(client: client, validTypes: ["public.folder"])
    }

    package func accounts() async throws(DocumentsError) -> [ViewAccount] {
        let providers = try await client.providers()
        let domains = try await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains
        var result: [ViewAccount] = []
        for domain in domains where providers.contains(where: { $0.identifier == domain.provider }) {
            let account = ViewAccount(
                provider: domain.provider, domain: domain.identifier, displayName: domain.displayName)
            // A provider that needs an account has a default domain without one, which nobody can use.
            if domain.identifier.isEmpty, domain.settings == nil, domain.credential == nil {
                guard await canBeUsed(account) else { continue }
            }
            result.append(account)
        }
        return result
    }

    // Its provider does not say that it needs to be set up. Any other failure may be over in a moment.
    private func canBeUsed(_ account: ViewAccount) async -> Bool {
        do throws(DocumentsError) {
            _ = try await picker.item(
                at: DocumentLocation(provider: account.provider, domain: account.domain, path: "/"))
            return true
        } catch {
            return error.code != .invalidArgument && error.code != .notAuthenticated
        }
    }

    package func observe(
        _ account: ViewAccount, _ received: @escaping @Sendable (DocumentsClient.News) async -> Void
    ) async throws(DocumentsError) {
        let top = DocumentReference(
            provider: account.provider, domain: account.domain, identifier: ViewTree.topIdentifier)
        try await withRight(to: top) { () async throws(DocumentsError) in try await client.observe(top, received) }
    }

    package func usage(of account: ViewAccount) async throws(DocumentsError) -> AccountUsage {
        let top = DocumentReference(
            provider: account.provider, domain: account.domain, identifier: ViewTree.topIdentifier)
        return try await withRight(to: top) { () async throws(DocumentsError) in try await client.usage(of: top) }
    }

    package func pastVersions(of reference: DocumentReference) async throws(DocumentsError) -> [FileVersion] {
        let document = SecurityScopedDocument(reference: reference, access: .read, client: client)
        return try await withRight(to: reference) { () async throws(DocumentsError) in
            try await FileVersion.otherVersions(of: document)
        }
    }

    package func open(_ version: FileVersion) async throws(DocumentsError) -> CInt {
        try await withRight(to: version.document) { () async throws(DocumentsError) in
            try await version.openForReading()
        }
    }

    package func elements(of version: FileVersion) async throws(DocumentsError) -> [PackageElement] {
        try await withRight(to: version.document) { () async throws(DocumentsError) in try await version.elements() }
    }

    package func open(
        _ element: PackageElement, of version: FileVersion
    ) async throws(DocumentsError) -> CInt {
        try await withRight(to: version.document) { () async throws(DocumentsError) in
            try await version.openForReading(element)
        }
    }

    package func items(in folder: DocumentLocation) async throws(DocumentsError) -> [ViewItem] {
        var result: [ViewItem] = []
        var iterator = picker.items(in: folder).makeAsyncIterator()
        while let item = try await iterator.next() { result.append(ViewItem(item)) }
        return result
    }

    package func item(at location: DocumentLocation) async throws(DocumentsError) -> ViewItem {
        ViewItem(try await picker.item(at: location, followingLink: false))
    }

    package func open(
        _ reference: DocumentReference, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceDocument {
        let document = SecurityScopedDocument(reference: reference, access: .read, client: client)
        let content = try await withRight(to: reference) { () async throws(DocumentsError) in
            try await document.openForReading(for: asking)
        }
        return DaemonDocument(document, content)
    }

    package func openParts(
        _ reference: DocumentReference, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceReading {
        let document = SecurityScopedDocument(reference: reference, access: .read, client: client)
        let reading = try await withRight(to: reference) { () async throws(DocumentsError) in
            try await document.openForReading(partial: true, for: asking)
        }
        return DaemonReading(reading: reading, reference: reference, source: self)
    }

    /// Does something that needs a right to a document. The right is one to the whole account, which lasts as long as
    /// the session: after a restart of the daemon it is taken again.
    func withRight<Result>(
        to reference: DocumentReference, _ body: () async throws(DocumentsError) -> Result
    ) async throws(DocumentsError) -> Result {
        let account = ViewAccount(provider: reference.provider, domain: reference.domain, displayName: "")
        for attempt in 1... {
            let right = rights.withLock { rights in
                if let known = rights[account] { return known }
                let task = Task.detached { try await self.takeRight(to: account) }
                rights[account] = task
                return task
            }
            do {
                try await right.value
                return try await body()
            } catch {
                let failure = error as? DocumentsError ?? DocumentsError(.failed, "\(error)")
                rights.withLock { rights in
                    if rights[account] == right, failure.code == .notPermitted || attempt > 1 { rights[account] = nil }
                }
                guard failure.code == .notPermitted, attempt == 1 else { throw failure }
            }
        }
        throw DocumentsError(.failed, "There is no right to the document.")
    }

    private func takeRight(to account: ViewAccount) async throws(DocumentsError) {
        let top = DocumentLocation(provider: account.provider, domain: account.domain, path: "/")
        do throws(DocumentsError) {
            _ = try await folderPicker.openDocument(at: top, access: .readWrite, persistence: .transient)
        } catch {
            // The documents of some providers can only be read.
            guard error.code == .notSupported || error.code == .notPermitted else { throw error }
            _ = try await folderPicker.openDocument(at: top, access: .read, persistence: .transient)
        }
    }
}

/// A document with a right that lasts as long as the view.
final class DaemonDocument: SourceDocument {
    private let document: SecurityScopedDocument
    private let first: Mutex<CInt?>

    init(_ document: SecurityScopedDocument, _ content: CInt) {
        self.document = document
        first = Mutex(content)
    }

    deinit { close() }

    var version: String? { document.leasedVersion ?? document.openedVersion }

    func takeDescriptor() -> CInt? { first.withLock { $0.take() } }

    func reopen() -> CInt? { document.reopenUnderLease() }

    func close() {
        if let descriptor = takeDescriptor() { _ = clinux_close(descriptor) }
        document.stopAccessing()
    }
}

/// A document of which parts are read, with a right that is taken again after a restart of the daemon.
struct DaemonReading: SourceReading {
    let reading: PartialReading
    let reference: DocumentReference
    /// Takes the right again; nil where that is not possible.
    let source: DaemonSource?

    var version: String? { reading.item.version }
    var fileDescriptor: CInt { reading.fileDescriptor }
    var isComplete: Bool { reading.isComplete }

    func isHere(_ range: Range<Int>) -> Bool { reading.isHere(range) }

    func fetch(_ range: Range<Int>) async throws(DocumentsError) {
        guard let source else { return try await reading.fetch(range) }
        try await source.withRight(to: reference) { () async throws(DocumentsError) in
            try await reading.fetch(range)
        }
    }

    func close() { reading.close() }
}
