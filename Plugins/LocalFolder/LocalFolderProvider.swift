package import FileProvider
import Glibc
import Synchronization

/// The documents of a local folder, in place: nothing is copied, and a save never destroys what another program has
/// saved meanwhile. The default domain is the user's documents folder, `~/Documents` unless `xdg-user-dir` names
/// another one; other domains name their folder.
package final class LocalFolderProvider: ReplicatedFileProvider {
    /// Content in place, changes, deletions, moves, packages as a whole, the space of the file system, a trash, and the
    /// pictures that clients gave.
    package static var features: ProviderFeatures {
        [.inPlace, .write, .delete, .move, .packages, .metadata, .usage, .trash, .thumbnails]
    }

    let tree: FolderTree
    let host: FileProviderHost
    let observer: ItemObserver
    let watcher: FolderWatcher?
    let thumbnails: Thumbnails
    private let lists: FolderLists

    /// Creates the provider of a folder. The folder is opened on first use.
    ///
    /// - Throws: `FileProviderError` when no folder is named and there is no home.
    package convenience init(domain: FileProviderDomain, host: FileProviderHost) throws {
        try self.init(domain: domain, host: host, limits: WatchLimits())
    }

    /// Does the same with other limits for watching.
    package init(domain: FileProviderDomain, host: FileProviderHost, limits: WatchLimits) throws {
        let folder = try domain.folder ?? Self.documents()
        guard folder.hasPrefix("/") else {
            throw FileProviderError(.invalidArgument, "The folder \(folder) is not an absolute path.")
        }
        let log = IdentityLog(directory: domain.documentStorage) { host.log($0) }
        let tree = FolderTree(path: folder, log: log)
        let news = PacedNews(host)
        let observer = ItemObserver(tree: tree, host: host, news: news, limits: limits)
        let notes = ChangeNotes(tree: tree, news: news, observer: observer)
        self.tree = tree
        self.host = host
        self.observer = observer
        watcher = FolderWatcher(limits: limits) { watcher, news in
            notes.tell(news)
            observer.noticed(news, watcher)
        }
        lists = FolderLists()
        thumbnails = Thumbnails(directory: domain.documentStorage)
    }

    // The host names the folder if it is not called `Documents`, as in other languages.
    private static func documents() throws -> String {
        if let folder = getenv("XDG_DOCUMENTS_DIR"), folder[0] != 0 { return String(cString: folder) }
        if let home = getenv("HOME"), home[0] != 0 { return String(cString: home) + "/Documents" }
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else {
            throw FileProviderError(.invalidArgument, "The domain names no folder, and there is no home folder.")
        }
        return String(cString: home) + "/Documents"
    }

    /// Describes the root or the item with an identifier, wherever it is now.
    package func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        if identifier == .rootContainer {
            let root = try tree.root()
            var item = FileProviderItem(
                folder: identifier, parent: identifier,
                filename: tree.path.split(separator: "/").last.map(String.init) ?? "/")
            let facts = try root.directory.facts()
            item.modificationDate = facts.modificationDate
            item.creationDate = facts.creationDate
            item.capabilities = [.reading, .addingSubItems]
            item.ignoresCase = root.directory.ignoresCase
            return item
        }
        return try describe(try tree.locate(identifier))
    }

    /// Looks up a name, either as it is or with `\xHH` for bytes that are not UTF-8.
    package func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        let folder = try tree.folder(parent)
        var names: [LocalName] = []
        if let plain = LocalName(name) { names.append(plain) }
        if let escaped = LocalName(displayed: name), !names.contains(escaped) { names.append(escaped) }
        for name in names where !UnlistedName.isOne(name) {
            do {
                let facts = try folder.facts(of: name)
                let name = try folder.ignoresCase ? spelling(of: name, facts, in: folder) : name
                if let item = try describe(name, facts, in: folder, parent) { return item }
            } catch let error as FileProviderError where error.code == .noSuchItem {
                continue
            }
        }
        throw FileProviderError(.noSuchItem, "There is no \"\(name)\" in the folder.")
    }

    /// The spelling of the name in a folder that ignores case.
    private func spelling(
        of name: LocalName, _ facts: LocalFileFacts, in folder: LocalDirectory
    ) throws -> LocalName {
        let listing = try LocalListing(folder)
        let names = listing.indices.filter { listing.inode($0) == facts.inode }.map { listing[$0].name }
        let wanted = name.displayed.uppercased()
        return names.contains(name) ? name : names.first { $0.displayed.uppercased() == wanted } ?? name
    }

    /// The files and folders of a folder by name, and links whose target is a file or folder within the root; no other
    /// links, FIFOs, sockets or devices.
    package func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        let folder = try tree.folder(parent)
        let root = try tree.root()
        let own = LocalFileIdentity(try folder.facts(), rootDevice: root.device)
        if page == nil { watch(folder, own) }
        let slice = try lists.page(of: folder, own, after: page)
        var items: [FileProviderItem] = []
        items.reserveCapacity(slice.names.count)
        for name in slice.names {
            if UnlistedName.isOne(name) {
                // Does nothing with the trash.
                LocalFileReplacement.tidy(name, in: folder)
            } else if let facts = try? folder.facts(of: name),
                let item = try describe(name, facts, in: folder, own, parent, root)
            {
                items.append(item)
            }
        }
        return ItemPage(items: items, nextPage: slice.nextPage)
    }

    /// Opens the file itself, read-only. Links are refused: their content is that of their target.
    package func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent {
        let located = try tree.locate(identifier)
        try requireNoLink(located)
        let file = try located.directory.openFile(located.name)
        let facts = try LocalFileFacts(descriptor: file.descriptor)
        guard LocalFileIdentity(facts, rootDevice: try tree.root().device) == located.identity else {
            throw FileProviderError(.versionOutOfDate, "\"\(located.name.displayed)\" was replaced just now.")
        }
        return InPlaceContent(item: try describe(located, facts), file: file)
    }

    /// The space of the file system that the folder is in, as `df` shows it.
    package func usage() async throws -> StorageUsage {
        var status = statvfs()
        guard fstatvfs(try tree.root().directory.descriptor, &status) == 0 else {
            throw FileProviderError(
                .failed, "The space of \(tree.path) cannot be found out: \(String(cString: strerror(errno))).")
        }
        func bytes(_ blocks: UInt) -> Int? {
            let (bytes, overflow) = blocks.multipliedReportingOverflow(by: status.f_frsize)
            return overflow ? nil : Int(exactly: bytes)
        }
        // Some file systems, those in memory without a limit among them, have no size.
        guard status.f_blocks > 0 else { return StorageUsage() }
        return StorageUsage(
            totalBytes: bytes(status.f_blocks),
            usedBytes: status.f_blocks >= status.f_bfree ? bytes(status.f_blocks - status.f_bfree) : nil,
            availableBytes: bytes(status.f_bavail))
    }

    /// Copies the content, for a host that cannot use the file itself.
    package func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let content = try await openInPlace(identifier)
        let size = content.item.size ?? 0
        try destination.copy(from: content.file.descriptor, count: size)
        return content.item
    }

    /// Content is read and written through a link's target, with its own identifier.
    func requireNoLink(_ located: FolderTree.Located) throws {
        guard !located.facts.isSymbolicLink else {
            throw FileProviderError(
                .notPermitted, "\"\(located.name.displayed)\" is a link; its target has the content.")
        }
    }

    private func watch(_ folder: LocalDirectory, _ identity: LocalFileIdentity) {
        if let watcher, !watcher.watch(folder, identity) {
            host.log("No more folders can be watched; raise fs.inotify.max_user_watches.")
        }
    }
}
