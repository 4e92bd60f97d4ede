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
    private let coordinator: FileCoordinator
    /// How long others may keep a document that is to be read.
    private let patience: Duration = .seconds(60)

    package init(client: DocumentsClient) {
        self.client = client
        picker = DocumentPicker(client: client)
        folderPicker = DocumentPicker(client: client, validTypes: ["public.folder"])
        coordinator = FileCoordinator(client: client)
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

    // It answers, or would if it could be reached.
    private func canBeUsed(_ account: ViewAccount) async -> Bool {
        do throws(DocumentsError) {
            _ = try await picker.item(
                at: DocumentLocation(provider: account.provider, domain: account.domain, path: "/"))
            return true
        } catch {
            return error.code == .unavailable
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

    package func open(_ location: DocumentLocation) async throws(DocumentsError) -> any SourceDocument {
        let (document, content) = try await picker.openForReading(at: location)
        if let content { return DaemonDocument(document, content) }
        return DaemonDocument(document, try await document.openForReading())
    }
}

/// A document with a right that lasts as long as the view.
private final class DaemonDocument: SourceDocument {
    private let document: SecurityScopedDocument
    private let first: Mutex<CInt?>

    init(_ document: SecurityScopedDocument, _ content: CInt) {
        self.document = document
        first = Mutex(content)
    }

    deinit { close() }

    func takeDescriptor() -> CInt? { first.withLock { $0.take() } }

    func reopen() -> CInt? { document.reopenUnderLease() }

    func close() {
        if let descriptor = takeDescriptor() { _ = clinux_close(descriptor) }
        document.stopAccessing()
    }
}
