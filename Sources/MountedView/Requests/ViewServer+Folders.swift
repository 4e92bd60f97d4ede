import Documents
import FileSystemMessages
import Glibc

extension ViewServer {
    func attributes(of node: UInt64) -> Answer {
        guard let attributes = tree.attributes(of: node) else { return .reply(.error(ESTALE)) }
        loads.refreshIfNeeded(node: node)
        return .reply(.attributes(attributes, validity: tree.validity))
    }

    func lookUp(_ name: String?, in folder: UInt64) -> Answer {
        guard let name, !name.isEmpty, name.utf8.count <= ShownNames.longest else {
            return .reply(.error((name?.utf8.count ?? 0) > ShownNames.longest ? ENAMETOOLONG : ENOENT))
        }
        loads.refreshIfNeeded(folder)
        observation.look()
        switch tree.lookUp(name, in: folder) {
        case .found(let node):
            loads.refreshIfNeeded(node: node.node)
            return .reply(.found(node))
        case .missing:
            return .reply(versions(name, in: folder).map(KernelReply.found) ?? .missing(validity: missingValidity))
        case .unknown:
            if let account = tree.account(of: folder) { observation.use(account) }
            return .later(patience) { [self] in
                await Self.reply {
                    guard let node = try await self.loads.entry(name, of: folder) ?? self.versions(name, in: folder)
                    else { return .missing(validity: self.missingValidity) }
                    return .found(node)
                }
            }
        }
    }

    func openFolder(_ folder: UInt64, for unique: UInt64) -> Answer {
        loads.refreshIfNeeded(folder)
        observation.look()
        if let account = tree.account(of: folder) { observation.use(account) }
        if let entries = tree.entries(of: folder) { return .reply(opened(folder, entries, unique)) }
        return .later(patience) { [self] in
            await Self.reply {
                try await self.loads.load(folder)
                guard let entries = self.tree.entries(of: folder) else { return .error(ENOENT) }
                return self.opened(folder, entries, unique)
            }
        }
    }

    private func opened(_ folder: UInt64, _ entries: [ViewTree.ListedEntry], _ unique: UInt64) -> KernelReply {
        let handle = handles.add(
            OpenHandles.OpenFolder(
                node: folder, parent: tree.parent(of: folder) ?? folder, entries: entries,
                request: FormerAnswers.name(of: unique)))
        return .opened(.init(handle: handle))
    }

    /// Entries of an open folder, from an offset on.
    func readFolder(
        _ handle: UInt64, of node: UInt64, from offset: UInt64, room: Int, withAttributes: Bool
    ) -> Answer {
        let former: OpenHandles.OpenFolder? =
            handles.mayBeFormer(handle) ? .init(node: node, parent: 0, entries: nil, request: 0) : nil
        guard let folder = handles.folder(handle) ?? former else { return .reply(.error(EBADF)) }
        if let entries = folder.entries {
            return .reply(page(folder, entries, from: offset, room, withAttributes))
        }
        // An earlier server opened it.
        return .later(patience) { [self] in
            await Self.reply {
                if self.tree.entries(of: folder.node) == nil { try await self.loads.load(folder.node) }
                guard let entries = self.tree.entries(of: folder.node) else { return .error(ENOENT) }
                let opened = OpenHandles.OpenFolder(
                    node: folder.node, parent: self.tree.parent(of: folder.node) ?? folder.node, entries: entries,
                    request: folder.request)
                self.handles.replace(handle, opened)
                return self.page(opened, entries, from: offset, room, withAttributes)
            }
        }
    }

    private func page(
        _ folder: OpenHandles.OpenFolder, _ listed: [ViewTree.ListedEntry], from offset: UInt64, _ room: Int,
        _ withAttributes: Bool
    ) -> KernelReply {
        var page = DirectoryPage(room: min(room, Negotiation.largestTransfer))
        var position = offset
        // The folder itself and the one above are counted by no look-up.
        for (index, special) in [(".", folder.node), ("..", folder.parent)].enumerated() where position == UInt64(index)
        {
            let inode = tree.attributes(of: special.1)?.inode ?? special.1
            let entry = DirectoryPage.Entry(
                name: special.0, inode: inode, kind: .folder, next: position + 1)
            guard withAttributes ? page.append(entry, nil) : page.append(entry) else { return .bytes(page.bytes) }
            position += 1
        }
        while position - 2 < UInt64(listed.count) {
            let next = listed[Int(position - 2)]
            let entry = DirectoryPage.Entry(
                name: next.name, inode: next.inode, kind: next.kind, next: position + 1)
            if withAttributes {
                guard page.hasRoom(for: entry) else { break }
                // A node that has gone meanwhile is listed without attributes.
                _ = page.append(entry, tree.lookUp(next.node))
            } else {
                guard page.append(entry) else { break }
            }
            position += 1
        }
        return .bytes(page.bytes)
    }

    /// Where a link leads: relative, if its target is known here.
    func readLink(_ node: UInt64) -> KernelReply {
        guard let item = tree.item(of: node), item.kind == .symbolicLink, let target = item.target else {
            return .error(EINVAL)
        }
        return .bytes(Array(tree.linkText(from: node, to: target).utf8))
    }

    /// The reply of a body that may fail.
    static func reply(_ body: () async throws -> KernelReply) async -> KernelReply {
        do {
            return try await body()
        } catch let error as DocumentsError {
            let number = ErrorNumber.of(error)
            // The program learns no more than that.
            if number == EIO { ViewLog.write("\(error.code): \(error.message)") }
            return .error(number)
        } catch {
            if !(error is CancellationError) { ViewLog.write("\(error)") }
            return .error(error is CancellationError ? EINTR : EIO)
        }
    }
}
