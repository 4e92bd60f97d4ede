import FileProvider
import Synchronization

/// The shared part of the three classes of this library: the documents, the script, and state for some faults. Safe to
/// use from any task.
final class FaultyCore: Sendable {
    let tree: DocumentTree
    let script: FaultScript
    let host: FileProviderHost
    let account: Account
    /// Other clients of the same service.
    let others: OtherDevices
    /// The service behind the documents.
    let service: SimulatedService
    /// The former entries of items that others changed without this provider; nil for new items.
    let foreign = Mutex<[String: Entry?]>([:])
    /// The observed items.
    let watch = Mutex(Watch())
    /// The number of running transfers from or to the service.
    let transfers = Atomic(0)
    /// The last content to be stored and the last document to be fetched, for the faults that mix them up.
    let latest = Mutex(Latest())
    /// Whether a change with an outdated base is kept beside the document instead of being refused (setting `conflicts`
    /// is `keep`).
    let keepsConflicts: Bool
    /// The deleted items, for the faults that still show them.
    let graves = Mutex<[String: Entry]>([:])
    /// The number of running fetches.
    let fetches = Atomic(0)
    private let calls = Atomic(0)
    // Distinguishes this process from the next.
    private let start = String(UInt32.random(in: .min ... .max), radix: 36)

    /// The observed items, and the task that checks them.
    struct Watch: Sendable {
        var items: Set<String> = []
        var task: Task<Void, Never>?
    }

    /// The most recent requests.
    struct Latest: Sendable {
        var contents: ContentReader?
        var entry: Entry?
    }

    /// - Parameter keepsHistory: Whether documents have earlier versions.
    /// - Throws: ``FileProviderError`` when the script or the storage cannot be used, or when the script says so.
    init(domain: FileProviderDomain, host: FileProviderHost, keepsHistory: Bool = false) throws {
        self.host = host
        script = try FaultScript(domain.settings["faults"] ?? "", storage: domain.documentStorage)
        if script.strikes("init.crash") { Calamity.crash() }
        if script.strikes("init.block") { Calamity.block() }
        if let error = script.text("init.error", otherwise: "Failed") { throw Trouble.error(named: error) }
        let remembered = domain.settings["remembers"].flatMap { Int($0) } ?? TreeState.rememberedChanges
        tree = try DocumentTree(
            storage: domain.documentStorage, remembering: max(1, remembered),
            keepsFormer: script.has("fetch.stale") || script.has("fetch.staleForOthers"),
            keepsHistory: keepsHistory)
        keepsConflicts = domain.settings["conflicts"] == "keep"
        others = OtherDevices(storage: domain.documentStorage)
        service = SimulatedService(
            storage: domain.documentStorage, latency: domain.settings["latency"].flatMap(Double.init) ?? 0)
        account = Account(isNeeded: domain.settings["requiresSignIn"] == "true")
    }

    deinit { watch.withLock { $0.task }?.cancel() }

    /// The number of a call, from 1.
    func nextCall() -> Int { calls.add(1, ordering: .relaxed).newValue }

    /// Remembers deleted items, for faults that need them.
    func bury(_ entries: [Entry]) {
        let faults = ["item.deletedSucceeds", "children.showsDeleted", "modify.resurrects"]
        guard faults.contains(where: script.has) else { return }
        graves.withLock { for entry in entries { $0[entry.identifier] = entry } }
    }

    /// The identifier in the tree for a shown one.
    func known(_ identifier: ItemIdentifier) -> String {
        String(identifier.rawValue.prefix { $0 != "~" })
    }

    /// The entry for a shown identifier.
    func entry(_ identifier: ItemIdentifier) throws -> Entry {
        do {
            return try tree.read { try $0.entry(known(identifier)) }
        } catch {
            if let grave = graves.withLock({ $0[known(identifier)] }), script.strikes("item.deletedSucceeds") {
                return grave
            }
            if script.strikes("errors.unmapped") { throw Trouble.ownError }
            throw error
        }
    }

    /// Where an item is described: some faults show only in certain places.
    enum Place { case alone, list, change, answer }

    /// An item as it is reported to the host.
    func describe(_ entry: Entry, in place: Place) -> FileProviderItem {
        var item = entry.item
        let names = (entry.identifier, entry.name)
        func strikes(_ fault: String) -> Bool { script.strikes(fault, names.0, names.1) }
        guard entry.identifier != TreeState.root else { return item }
        if strikes("item.identifierAfterRestart") {
            item.identifier = ItemIdentifier("\(entry.identifier)~\(start)")
        }
        if place == .list, strikes("item.identifierUnstable") {
            item.identifier = ItemIdentifier("\(entry.identifier)~\(nextCall())")
        }
        if !entry.isFolder {
            if strikes("item.sizeLies") { item.size = entry.size + 7 }
            if strikes("item.versionUnstable") { item.version = ItemVersion(content: "\(entry.version).\(nextCall())") }
            if strikes("item.versionStuck") { item.version = ItemVersion(content: "v") }
            if strikes("item.longVersion") { item.version = ItemVersion(content: String(repeating: "v", count: 400)) }
            if place == .alone, strikes("item.kindFlips") {
                item = FileProviderItem(folder: item.identifier, parent: item.parent, filename: item.filename)
            }
        }
        if strikes("item.wrongParent") { item.parent = .rootContainer }
        if place == .alone, strikes("item.wrongName") { item.filename += " (1)" }
        if place == .change, strikes("changes.stale") { item.version = ItemVersion(content: "former") }
        return item
    }

    /// Reports changed and deleted items to the host.
    func signal(changed: [String], deleted: [String] = []) {
        if script.strikes("events.phantomDeletion") {
            host.signalDeleted((changed + deleted).filter { $0 != TreeState.root }.map { ItemIdentifier($0) })
            return
        }
        host.signalChanged(changed.map { ItemIdentifier($0) })
        if !deleted.isEmpty { host.signalDeleted(deleted.map { ItemIdentifier($0) }) }
    }
}
