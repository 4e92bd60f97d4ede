package import FileProvider
import Foundation
import Glibc
import Synchronization

/// The documents of a test provider, as its service or its disk would store them: they outlive the provider's
/// instances. It records each call, and a test can make calls wait or fail.
///
/// Thread-safe.
package final class TestStore: Sendable {
    /// Runs before or after a call; an error that it throws is the provider's answer.
    package typealias Hook = @Sendable (ProviderCall) async throws -> Void

    /// When a hook runs.
    package enum Phase: Sendable {
        /// Before the call is carried out.
        case arrived
        /// After the call is carried out, before it is answered.
        case done
    }

    struct Document {
        var identifier: String
        var parent: String
        var name: String
        var isFolder: Bool
        var content: [UInt8] = []
        var version = 1
    }

    private struct Rule {
        var method: ProviderCall.Method
        var phase: Phase
        var times: Int
        var hook: Hook
    }

    private struct State {
        var documents: [String: Document] = [:]
        var last = 0
        var calls: [ProviderCall] = []
        var rules: [Rule] = []
        var operations: [String: ModifiedItem] = [:]
        var accounts: [String: String] = [:]
        var settings: [String: [String: String]] = [:]
        var pageSize = Int.max
        var usage = StorageUsage()
        var thumbnails: [String: ItemThumbnail] = [:]
        var hasTrash = false
        var trash: [String: [Document]] = [:]
        var histories: [String: [StoredVersion]] = [:]
        var versionPage = Int.max
    }

    /// The directory for the files of documents in place.
    let directory: String
    /// Whether a save on an old version keeps the newer one as a copy; otherwise the save is refused.
    let keepsConflicts: Bool
    private let state = Mutex(State())

    /// The space of the account.
    package var usage: StorageUsage {
        get { state.withLock { $0.usage } }
        set { state.withLock { $0.usage = newValue } }
    }

    /// The picture of a document, which only the remote provider shows.
    package func thumbnail(_ identifier: String) -> ItemThumbnail? { state.withLock { $0.thumbnails[identifier] } }

    /// Sets the picture of a document.
    package func setThumbnail(_ picture: ItemThumbnail?, of identifier: String) {
        state.withLock { $0.thumbnails[identifier] = picture }
    }

    /// Whether there is a trash; there is none at first.
    package var hasTrash: Bool {
        get { state.withLock { $0.hasTrash } }
        set { state.withLock { $0.hasTrash = newValue } }
    }

    /// The identifiers of what is in the trash.
    package var trashed: [String] { state.withLock { $0.trash.keys.sorted() } }

    init(directory: String, keepsConflicts: Bool) throws {
        self.directory = directory
        self.keepsConflicts = keepsConflicts
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let root = ItemIdentifier.rootContainer.rawValue
        state.withLock {
            $0.documents[root] = Document(identifier: root, parent: root, name: "Test", isFolder: true)
        }
    }

    // MARK: Test actions

    /// Puts a document into a folder.
    ///
    /// - Returns: its identifier.
    @discardableResult
    package func add(_ name: String, _ content: String = "", in folder: String = ".root") -> String {
        insert(name, Array(content.utf8), in: folder, isFolder: false)
    }

    /// Puts a folder into a folder.
    ///
    /// - Returns: its identifier.
    @discardableResult
    package func addFolder(_ name: String, in folder: String = ".root") -> String {
        insert(name, [], in: folder, isFolder: true)
    }

    private func insert(_ name: String, _ content: [UInt8], in folder: String, isFolder: Bool) -> String {
        let document = state.withLock { state in
            Self.insert(name, content, in: folder, isFolder: isFolder, &state)
        }
        try? save(document)
        return document.identifier
    }

    /// Changes a document as another program does.
    package func edit(_ identifier: String, _ content: String) {
        let changed = state.withLock { state -> Document? in
            state.documents[identifier]?.content = Array(content.utf8)
            state.documents[identifier]?.version += 1
            return state.documents[identifier]
        }
        if let changed { try? save(changed) }
    }

    /// Removes a document as another program does.
    package func remove(_ identifier: String) {
        state.withLock { _ = $0.documents.removeValue(forKey: identifier) }
        try? FileManager.default.removeItem(atPath: path(identifier))
    }

    /// The identifier of something in a folder; nil if there is none.
    package func identifier(_ name: String, in folder: String = ".root") -> String? {
        state.withLock { state in
            state.documents.values.first { $0.parent == folder && $0.name == name }?.identifier
        }
    }

    /// The content of a document; nil if there is none.
    package func text(_ identifier: String) -> String? {
        state.withLock { $0.documents[identifier].map { String(decoding: $0.content, as: UTF8.self) } }
    }

    /// Names and contents of everything in a folder; folders have no content.
    package func contents(of folder: String = ".root") -> [String: String] {
        state.withLock { state in
            let inside = state.documents.values.filter { $0.parent == folder && $0.identifier != folder }
            return Dictionary(
                inside.map { ($0.name, String(decoding: $0.content, as: UTF8.self)) }, uniquingKeysWith: { $1 })
        }
    }

    /// The version of a document as the host sees it; nil if there is none.
    package func version(_ identifier: String) -> String? {
        state.withLock { $0.documents[identifier].map { "v\($0.version)" } }
    }

    /// Accepts an account.
    package func addAccount(_ name: String, password: String) { state.withLock { $0.accounts[name] = password } }

    /// Lists folders in pages of at most so many items.
    package func setPageSize(_ size: Int) { state.withLock { $0.pageSize = size } }

    /// The settings of a domain with which the provider's process was started.
    package func settings(of domain: String) -> [String: String]? { state.withLock { $0.settings[domain] } }

    /// Records a domain that the provider was started with.
    func note(_ domain: FileProviderDomain) {
        state.withLock { $0.settings[domain.identifier] = domain.settings }
    }

    /// The calls so far, in their order.
    package func calls(_ method: ProviderCall.Method? = nil) -> [ProviderCall] {
        state.withLock { $0.calls.filter { method == nil || $0.method == method } }
    }

    // MARK: Rules

    /// Runs a hook before or after the next calls of a method.
    package func before(
        _ method: ProviderCall.Method, when phase: Phase = .arrived, times: Int = 1, _ hook: @escaping Hook
    ) {
        state.withLock { $0.rules.append(Rule(method: method, phase: phase, times: times, hook: hook)) }
    }

    /// Makes the next calls of a method fail.
    package func fail(_ method: ProviderCall.Method, _ code: FileProviderError.Code, times: Int = 1) {
        before(method, times: times) { _ in throw FileProviderError(code, "The test says so.") }
    }

    /// Makes the next call of a method wait.
    package func hold(_ method: ProviderCall.Method, when phase: Phase = .arrived) -> CallGate {
        let gate = CallGate()
        before(method, when: phase) { _ in try await gate.pass() }
        return gate
    }

    /// Removes the unused rules.
    package func clearRules() { state.withLock { $0.rules = [] } }

    /// Carries out a call: records it, and runs the test's hooks before and after it.
    func serve<Result>(
        _ method: ProviderCall.Method, _ subject: String, operation: String? = nil, _ body: () throws -> Result
    ) async throws -> Result {
        let call = ProviderCall(method: method, subject: subject, operation: operation)
        state.withLock { $0.calls.append(call) }
        try await hook(method, .arrived)?(call)
        let result = try body()
        try await hook(method, .done)?(call)
        return result
    }

    private func hook(_ method: ProviderCall.Method, _ phase: Phase) -> Hook? {
        state.withLock { state in
            guard let index = state.rules.firstIndex(where: { $0.method == method && $0.phase == phase }) else {
                return nil
            }
            state.rules[index].times -= 1
            defer { if state.rules[index].times <= 0 { state.rules.remove(at: index) } }
            return state.rules[index].hook
        }
    }

    // MARK: Provider actions

    func item(_ identifier: ItemIdentifier) throws -> FileProviderItem {
        guard let document = state.withLock({ $0.documents[identifier.rawValue] }) else { throw Self.missing }
        return Self.item(document)
    }

    /// A page of a folder; its token is the number of items before it.
    func page(of parent: ItemIdentifier, _ token: String?) throws -> ItemPage {
        let items = try children(of: parent)
        let start = min(token.flatMap { Int($0) } ?? 0, items.count)
        let end = min(state.withLock { $0.pageSize }, items.count - start) + start
        return ItemPage(items: Array(items[start..<end]), nextPage: end < items.count ? String(end) : nil)
    }

    func children(of parent: ItemIdentifier) throws -> [FileProviderItem] {
        try state.withLock { state in
            guard state.documents[parent.rawValue]?.isFolder == true else { throw Self.missing }
            let inside = state.documents.values.filter { $0.parent == parent.rawValue && $0.identifier != $0.parent }
            return inside.sorted { $0.name < $1.name }.map(Self.item)
        }
    }

    func fetched(_ identifier: ItemIdentifier) throws -> (content: [UInt8], item: FileProviderItem) {
        guard let document = state.withLock({ $0.documents[identifier.rawValue] }) else { throw Self.missing }
        return (document.content, Self.item(document))
    }

    /// The file of a document in place.
    func path(_ identifier: String) -> String { directory + "/" + identifier }

    func create(_ template: ItemTemplate, _ content: [UInt8], _ operation: ChangeOperation) throws -> FileProviderItem {
        let (document, item) = try state.withLock { state -> (Document?, FileProviderItem) in
            if let done = state.operations[operation.identifier] { return (nil, done.item) }
            try Self.requireFree(template.filename, template.parent.rawValue, state)
            let made = Self.insert(
                template.filename, content, in: template.parent.rawValue, isFolder: template.isFolder, &state)
            let item = Self.item(made)
            state.operations[operation.identifier] = ModifiedItem(item: item)
            return (made, item)
        }
        if let document { try save(document) }
        return item
    }

    func modify(
        _ identifier: ItemIdentifier, _ base: ItemVersion?, _ content: [UInt8], _ operation: ChangeOperation
    ) throws -> ModifiedItem {
        let (documents, result) = try state.withLock { state -> ([Document], ModifiedItem) in
            if let done = state.operations[operation.identifier] { return ([], done) }
            guard var document = state.documents[identifier.rawValue] else { throw Self.missing }
            var saved: [Document] = []
            var conflict: ItemIdentifier?
            if let base, base.content != "v\(document.version)" {
                guard keepsConflicts else {
                    throw FileProviderError(.versionOutOfDate, "It was changed by somebody else.")
                }
                let copy = Self.insert(
                    document.name + " (conflict)", document.content, in: document.parent, isFolder: false, &state)
                saved.append(copy)
                conflict = ItemIdentifier(copy.identifier)
            }
            document.content = content
            document.version += 1
            state.documents[identifier.rawValue] = document
            saved.append(document)
            let result = ModifiedItem(item: Self.item(document), conflict: conflict)
            state.operations[operation.identifier] = result
            return (saved, result)
        }
        for document in documents { try save(document) }
        return result
    }

    func move(
        _ identifier: ItemIdentifier, to parent: ItemIdentifier, named name: String
    ) throws -> FileProviderItem {
        try state.withLock { state in
            guard var document = state.documents[identifier.rawValue] else { throw Self.missing }
            if document.name == name, document.parent == parent.rawValue { return Self.item(document) }
            try Self.requireFree(name, parent.rawValue, state)
            (document.name, document.parent) = (name, parent.rawValue)
            state.documents[identifier.rawValue] = document
            return Self.item(document)
        }
    }

    func delete(_ identifier: ItemIdentifier) throws {
        guard state.withLock({ $0.documents.removeValue(forKey: identifier.rawValue) }) != nil else {
            throw Self.missing
        }
        try? FileManager.default.removeItem(atPath: path(identifier.rawValue))
    }

    /// Puts a copy of a document into the trash, as a service does that keeps what is deleted.
    package func copyToTrash(_ identifier: String) throws {
        try state.withLock { state in
            guard let document = state.documents[identifier] else { throw Self.missing }
            state.trash[identifier] = [document]
        }
    }

    // MARK: Trash, whose entries have the identifiers of the items

    func trash(_ identifier: ItemIdentifier, _ base: ItemVersion?) throws {
        try state.withLock { state in
            guard let document = state.documents[identifier.rawValue] else { throw Self.missing }
            guard document.isFolder || base.map({ $0.content == "v\(document.version)" }) ?? true else {
                throw FileProviderError(.versionOutOfDate, "It was changed by somebody else.")
            }
            var tree = [document]
            var position = 0
            while position < tree.count {
                let folder = tree[position].identifier
                tree += state.documents.values.filter { $0.parent == folder && $0.identifier != folder }
                position += 1
            }
            for document in tree { state.documents[document.identifier] = nil }
            state.trash[document.identifier] = tree
        }
    }

    func trashedItems() -> TrashPage {
        state.withLock { state in
            let items = state.trash.keys.sorted().compactMap { key -> TrashedItem? in
                guard let first = state.trash[key]?.first else { return nil }
                let isThere = state.documents[first.parent] != nil
                return TrashedItem(
                    identifier: key, filename: first.name, path: [first.name],
                    parent: isThere ? ItemIdentifier(first.parent) : nil, item: ItemIdentifier(key),
                    deletionDate: Double(state.last), size: first.isFolder ? nil : first.content.count,
                    isFolder: first.isFolder)
            }
            return TrashPage(items: items)
        }
    }

    func restore(_ trashed: String, to parent: ItemIdentifier?, named name: String?) throws -> FileProviderItem {
        try state.withLock { state in
            guard var tree = state.trash[trashed], var first = tree.first else { throw Self.missing }
            (first.parent, first.name) = (parent?.rawValue ?? first.parent, name ?? first.name)
            try Self.requireFree(first.name, first.parent, state)
            tree[0] = first
            for document in tree { state.documents[document.identifier] = document }
            state.trash[trashed] = nil
            return Self.item(first)
        }
    }

    func deleteTrashed(_ trashed: String) throws {
        guard state.withLock({ $0.trash.removeValue(forKey: trashed) }) != nil else { throw Self.missing }
    }

    // MARK: History

    /// The earlier contents of a document; nil if it has no history. It has none at first.
    package func setHistory(_ versions: [StoredVersion]?, of identifier: String, pageSize: Int = .max) {
        state.withLock { state in
            state.histories[identifier] = versions
            state.versionPage = pageSize
        }
    }

    func versions(of identifier: ItemIdentifier, page: String?) throws -> EarlierVersionPage {
        try state.withLock { state in
            let all = try Self.history(of: identifier, state)
            let start = page.flatMap(Int.init) ?? 0
            let end = min(start.addingReportingOverflow(state.versionPage).partialValue, all.count)
            let last = state.versionPage == .max ? all.count : end
            return EarlierVersionPage(
                versions: all[start..<last].map(\.described), nextPage: last < all.count ? String(last) : nil)
        }
    }

    func content(of version: String, of identifier: ItemIdentifier, isRestored: Bool = false) throws -> [UInt8] {
        let found = try state.withLock { state in
            try Self.history(of: identifier, state).first { $0.described.identifier == version }
        }
        guard let found, let content = found.content else { throw Self.missing }
        guard found.isDelivered || isRestored else {
            throw FileProviderError(.notSupported, "It can only be restored.")
        }
        return content
    }

    private static func history(of identifier: ItemIdentifier, _ state: State) throws -> [StoredVersion] {
        guard state.documents[identifier.rawValue] != nil else { throw missing }
        guard let all = state.histories[identifier.rawValue] else {
            throw FileProviderError(.notSupported, "This document has no history.")
        }
        return all
    }

    func requireAccount(_ credential: Credential) throws -> String {
        let known = state.withLock { $0.accounts }
        guard let name = credential.username, let secret = credential.secret, known[name] == secret else {
            throw FileProviderError(.notAuthenticated, "The password is wrong.")
        }
        return name
    }

    // MARK: Parts

    private static var missing: FileProviderError { FileProviderError(.noSuchItem, "There is no such item.") }

    private static func requireFree(_ name: String, _ folder: String, _ state: State) throws {
        guard state.documents[folder]?.isFolder == true else { throw missing }
        guard !state.documents.values.contains(where: { $0.parent == folder && $0.name == name }) else {
            throw FileProviderError(.filenameCollision, "There is a \"\(name)\" already.")
        }
    }

    private static func insert(
        _ name: String, _ content: [UInt8], in folder: String, isFolder: Bool, _ state: inout State
    ) -> Document {
        state.last += 1
        let document = Document(
            identifier: "item-\(state.last)", parent: folder, name: name, isFolder: isFolder, content: content)
        state.documents[document.identifier] = document
        return document
    }

    private static func item(_ document: Document) -> FileProviderItem {
        let (identifier, parent) = (ItemIdentifier(document.identifier), ItemIdentifier(document.parent))
        guard !document.isFolder else {
            return FileProviderItem(folder: identifier, parent: parent, filename: document.name)
        }
        return FileProviderItem(
            identifier: identifier, parent: parent, filename: document.name, size: document.content.count,
            version: ItemVersion(content: "v\(document.version)"))
    }

    // A new file replaces the old one, which stays readable for those who have it open. Foundation would wait for the
    // disk, on one of the threads of Swift's tasks.
    private func save(_ document: Document) throws {
        guard !document.isFolder else { return }
        let path = path(document.identifier)
        let new = path + ".new-" + UUID().uuidString
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw FileProviderError(.failed, "The file cannot be made.") }
        defer { close(file) }
        let content = Array(document.content)
        guard write(file, content, content.count) == content.count, rename(new, path) == 0 else {
            unlink(new)
            throw FileProviderError(.failed, "The file cannot be written.")
        }
    }
}
