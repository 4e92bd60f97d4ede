import DocentInterfaces
package import Documents
import FileSystemMessages
import Synchronization
import Varlink

/// What one client was granted, for a view that a confined program sees.
///
/// It uses only calls that every client may make, with the client's own session: the daemon decides about each of them
/// as if the program itself had made it. Nobody reports changes of rights, and `Observe` is for those who may read a
/// whole account: so the rights are asked for once a second.
package final class GrantedSource: DocumentSource {
    private let client: DocumentsClient
    private let tree: ViewTree
    private let rights = Mutex(GrantedRights())
    /// How long until the rights are asked for again.
    private let pause: Duration
    /// The number of items that are asked for at the same time.
    private static let mostAtOnce = 8
    /// How many folders above an item are asked for.
    private static let deepest = 64

    /// - Parameters:
    ///   - client: the confined client's session.
    ///   - tree: the view's, which leads from locations to what they are.
    package init(client: DocumentsClient, tree: ViewTree, pause: Duration = .seconds(1)) {
        self.client = client
        self.tree = tree
        self.pause = pause
    }

    package var findsByName: Bool { false }

    // MARK: Rights

    package func accounts() async throws(DocumentsError) -> [ViewAccount] {
        let current = try await granted()
        rights.withLock { $0 = current }
        return current.accounts
    }

    package func followAccounts(_ changed: @escaping @Sendable ([ViewChange]) async -> Void) async {
        var shown: GrantedRights?
        while !Task.isCancelled {
            // Without a daemon no right changes.
            if let current = try? await granted(), current != shown {
                rights.withLock { $0 = current }
                // What has no right any more goes at once, whether or not its provider answers.
                await changed(tree.apply(current))
                shown = current
            }
            try? await Task.sleep(for: pause)
        }
    }

    private func granted() async throws(DocumentsError) -> GrantedRights {
        var all: [GrantedRights.Grant] = []
        var iterator = client.grantedDocuments().makeAsyncIterator()
        while all.count < GrantedRights.most, let next = try await iterator.next() {
            all.append(
                .init(
                    reference: next.reference, name: next.name, isFolder: next.isFolder,
                    isReadOnly: next.access == .read))
        }
        return GrantedRights(all)
    }

    /// There is none that this client may have: see ``followAccounts(_:)``.
    package func observe(
        _ account: ViewAccount, _ received: @escaping @Sendable (DocumentsClient.News) async -> Void
    ) async throws(DocumentsError) {
        throw DocumentsError(.notFound, "A confined program is not notified of changes of an account.")
    }

    // MARK: Items

    package func items(in folder: DocumentLocation) async throws(DocumentsError) -> [ViewItem] {
        let rights = rights.withLock(\.self)
        guard folder.path == "/" else { return try await children(of: try reference(at: folder), rights) }
        let top = DocumentReference(
            provider: folder.provider, domain: folder.domain, identifier: ViewTree.topIdentifier)
        if rights.grant(to: top) != nil { return try await children(of: top, rights) }
        let grants = rights.grants(in: folder.provider, domain: folder.domain)
        return await withTaskGroup(of: (Int, ViewItem?).self) { group in
            var found: [(Int, ViewItem)] = []
            for (index, grant) in grants.enumerated() {
                if index >= Self.mostAtOnce, let (index, item) = await group.next(), let item {
                    found.append((index, item))
                }
                group.addTask { (index, await self.entry(for: grant, rights)) }
            }
            for await case (let index, let item?) in group { found.append((index, item)) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// What a right is shown as at the top of its account; nil if its item has gone, or is in a folder that was
    /// granted too.
    private func entry(for grant: GrantedRights.Grant, _ rights: GrantedRights) async -> ViewItem? {
        do throws(DocumentsError) {
            let item = try await info(grant.reference)
            guard await !isInGrantedFolder(item, rights) else { return nil }
            return shown(DocumentItem(item), rights)
        } catch {
            guard error.code != .notFound, error.code != .notPermitted, let name = grant.name else { return nil }
            // Its provider cannot be asked now.
            return ViewItem(
                identifier: grant.reference.identifier, name: name, kind: grant.isFolder ? .folder : .file,
                isReadOnly: grant.isReadOnly)
        }
    }

    private func isInGrantedFolder(_ item: Wire.Item, _ rights: GrantedRights) async -> Bool {
        var parent = item.parent
        for _ in 0..<Self.deepest {
            guard let identifier = parent, identifier != ViewTree.topIdentifier else { return false }
            let reference = DocumentReference(
                provider: item.reference.provider, domain: item.reference.domain, identifier: identifier)
            if rights.grant(to: reference) != nil { return true }
            // What is in a granted folder can be asked for, and nothing else.
            guard let above = try? await info(reference) else { return false }
            parent = above.parent
        }
        return false
    }

    private func children(
        of folder: DocumentReference, _ rights: GrantedRights
    ) async throws(DocumentsError) -> [ViewItem] {
        var result: [ViewItem] = []
        var page: String?
        repeat {
            let reply = try await client.call(
                DocumentsInterface.List.self, .init(reference: folder.wire, page: page)
            ).value
            result += reply.items.map { shown(DocumentItem($0), rights) }
            page = reply.nextPage
        } while page != nil
        return result
    }

    package func item(at location: DocumentLocation) async throws(DocumentsError) -> ViewItem {
        guard location.path != "/" else {
            throw DocumentsError(.notPermitted, "There is no right to the whole account.")
        }
        let rights = rights.withLock(\.self)
        guard let node = tree.node(at: location), let known = tree.item(of: node), !known.isLocal, !known.isBegun,
            let reference = tree.reference(of: node)
        else {
            let name = EntryName(location.name)
            let items = try await items(in: location.parent)
            let names = ShownNames.names(of: items.map { ($0.name, $0.identifier) })
            guard let index = names.firstIndex(where: { EntryName($0) == name }) else {
                throw DocumentsError(.notFound, "There is nothing called \(location.name).")
            }
            return items[index]
        }
        let item = try await info(reference)
        // It may be in another folder by now.
        if let folder = tree.parent(of: node).flatMap({ tree.item(of: $0) }), let parent = item.parent,
            parent != folder.identifier
        {
            throw DocumentsError(.notFound, "\(location.name) was moved.")
        }
        return shown(DocumentItem(item), rights)
    }

    private func info(_ reference: DocumentReference) async throws(DocumentsError) -> Wire.Item {
        try await client.call(DocumentsInterface.Info.self, .init(reference: reference.wire)).value.item
    }

    private func shown(_ item: DocumentItem, _ rights: GrantedRights) -> ViewItem {
        var shown = ViewItem(item)
        shown.isReadOnly = rights.isReadOnly(item.reference)
        return shown
    }

    /// What is at a location that the view has shown.
    func reference(at location: DocumentLocation) throws(DocumentsError) -> DocumentReference {
        guard let node = tree.node(at: location), let reference = tree.reference(of: node) else {
            throw DocumentsError(.notFound, "\(location.name) has gone.")
        }
        return reference
    }

    // MARK: Content

    package func open(
        _ reference: DocumentReference, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceDocument {
        let document = SecurityScopedDocument(reference: reference, access: .read, client: client)
        return DaemonDocument(document, try await document.openForReading())
    }

    package func openParts(
        _ reference: DocumentReference, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceReading {
        let document = SecurityScopedDocument(reference: reference, access: .read, client: client)
        return DaemonReading(
            reading: try await document.openForReading(partial: true), reference: reference, source: nil)
    }

    package func edit(
        _ reference: DocumentReference, isEmptied: Bool, base: String?, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceDraft {
        DaemonDraft(
            try await WriteSession.begin(reference, replacing: isEmptied, base: base, for: nil, client: client))
    }

    package func pastVersions(of reference: DocumentReference) async throws(DocumentsError) -> [FileVersion] {
        try await FileVersion.otherVersions(
            of: SecurityScopedDocument(reference: reference, access: .read, client: client))
    }

    package func open(_ version: FileVersion) async throws(DocumentsError) -> CInt {
        try await version.openForReading()
    }

    package func elements(of version: FileVersion) async throws(DocumentsError) -> [PackageElement] {
        try await version.elements()
    }

    package func open(
        _ element: PackageElement, of version: FileVersion
    ) async throws(DocumentsError) -> CInt {
        try await version.openForReading(element)
    }

    package func usage(of account: ViewAccount) async throws(DocumentsError) -> AccountUsage {
        throw DocumentsError(.notPermitted, "A confined program does not learn how much space an account has.")
    }

    package func pin(_ location: DocumentLocation, _ isPinned: Bool) async throws(DocumentsError) {
        throw DocumentsError(.notPermitted, "A confined program cannot keep documents on this machine.")
    }

    package func finish(_ operation: String) async throws(DocumentsError) -> ViewItem? {
        try await client.finish(operation)
    }

    package func create(
        _ name: String, in folder: DocumentReference
    ) async throws(DocumentsError) -> any SourceDraft {
        DaemonDraft(try await WriteSession.create(name, in: folder, client: client), isNew: true)
    }

    package func makeFolder(
        _ name: String, in folder: DocumentLocation
    ) async throws(DocumentsError) -> ViewItem {
        throw DocumentsError(.notSupported, "A confined program cannot make folders.")
    }

    package func remove(_ location: DocumentLocation, isFinal: Bool) async throws(DocumentsError) {
        _ = try await client.call(
            DocumentsInterface.Delete.self,
            .init(reference: try reference(at: location).wire, operation: OperationIdentifier.make()))
    }

    package func move(
        _ location: DocumentLocation, to folder: DocumentLocation?, named name: String?
    ) async throws(DocumentsError) -> ViewItem {
        var parent: DocumentReference?
        if let folder { parent = try reference(at: folder) }
        let reply = try await client.call(
            DocumentsInterface.Move.self,
            .init(
                reference: try reference(at: location).wire, parent: parent?.wire, name: name,
                operation: OperationIdentifier.make()))
        return shown(DocumentItem(reply.value.item), rights.withLock(\.self))
    }
}
