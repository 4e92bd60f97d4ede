import CLinux
import Documents
import FileSystemMessages
import Glibc

/// Earlier versions of documents as files.
extension ViewServer {
    /// The folder with the versions of a folder's documents, if that is the name. It counts as looked up.
    func versions(_ name: String, in folder: UInt64) -> FoundNode? {
        guard name == PastVersions.folderName, tree.location(of: folder) != nil else { return nil }
        return past.lookUp(.folder(folder))
    }

    /// The answer to a request about a version or a folder of versions; nil for one about what is open already.
    func answerAboutVersions(_ request: KernelRequest) -> Answer? {
        switch request.operation {
        case .attributes:
            // A file that an earlier server opened is known by its content only.
            let open = { self.handles.file(of: request.node).flatMap { self.past.attributes(of: $0) } }
            guard let attributes = past.attributes(of: request.node) ?? open() else { return .reply(.error(ESTALE)) }
            return .reply(.attributes(attributes, validity: PastVersions.validity))
        case .initialize, .forget, .interrupt, .destroy, .access, .synchronizeFolder, .flush, .synchronize, .release,
            .releaseFolder, .read, .readFolder, .write, .allocate, .seek, .other:
            return nil
        default: break
        }
        guard callers.mayUse(request.caller) else { return .reply(.error(EACCES)) }
        // The kernel looks the name up again.
        guard let subject = past.subject(of: request.node) else { return .reply(.error(ESTALE)) }
        guard !tree.isRevoked(subject.folder) else { return .reply(.error(ESTALE)) }
        switch request.operation {
        case .lookUp(let name): return lookUp(name, in: subject)
        case .open(let flags): return open(subject, request, flags: CInt(truncatingIfNeeded: flags))
        case .openFolder: return openFolder(subject, request)
        case .statistics: return .reply(statistics(of: subject.folder, for: request.caller))
        case .extendedAttribute(let name, let room): return .reply(attribute(name, of: subject, room))
        case .extendedAttributes(let room):
            return .reply(Self.reply(attributes(of: subject).keys.sorted().flatMap { Array($0.utf8) + [0] }, room))
        case .readLink: return .reply(.error(EINVAL))
        default: return .reply(.error(EROFS))
        }
    }

    // MARK: Folders

    private func lookUp(_ name: String?, in subject: PastVersions.Subject) -> Answer {
        guard let name else { return .reply(.error(ENOENT)) }
        return .later(patience) { [self] in
            await Self.reply {
                switch subject {
                case .folder(let folder):
                    guard let document = try await self.document(name, in: folder) else { break }
                    return .found(self.past.lookUp(.document(document, folder: folder)))
                case .document(let document, let folder):
                    let versions = try await self.versions(of: document)
                    guard let found = versions.first(where: { $0.name == name }) else { break }
                    return .found(self.past.lookUp(.version(found.version, folder: folder)))
                case .version, .element:
                    guard let (version, path) = Self.package(subject) else { return .error(ENOTDIR) }
                    let elements = try await self.elements(of: version)
                    guard let found = elements.first(where: { $0.path == path + name }) else { break }
                    return .found(self.past.lookUp(.element(found, of: version, folder: subject.folder)))
                }
                return .missing(validity: .zero)
            }
        }
    }

    private func openFolder(_ subject: PastVersions.Subject, _ request: KernelRequest) -> Answer {
        .later(patience) { [self] in
            await Self.reply {
                let entries: [ViewTree.ListedEntry]
                switch subject {
                case .folder(let folder): entries = try await self.documents(in: folder)
                case .document(let document, let folder):
                    entries = try await self.versions(of: document).map { named in
                        .init(
                            name: named.name, node: 0,
                            inode: PastVersions.inode(of: .version(named.version, folder: folder)),
                            kind: named.version.isPackage ? .folder : .file)
                    }
                case .version, .element:
                    guard let (version, path) = Self.package(subject) else { return .error(ENOTDIR) }
                    entries = try await self.elements(of: version).compactMap { element in
                        guard element.path.hasPrefix(path), !element.path.dropFirst(path.count).contains("/") else {
                            return nil
                        }
                        let found = PastVersions.Subject.element(element, of: version, folder: subject.folder)
                        return .init(
                            name: String(element.path.dropFirst(path.count)), node: 0,
                            inode: PastVersions.inode(of: found), kind: element.isFolder ? .folder : .file)
                    }
                }
                return .opened(
                    .init(
                        handle: self.handles.add(
                            OpenHandles.OpenFolder(
                                node: request.node, parent: subject.folder, entries: entries,
                                request: FormerAnswers.name(of: request.unique)))))
            }
        }
    }

    /// The version of a package that a subject is or is inside, and the path of what is directly in the subject, before
    /// its name; nil for a file.
    private static func package(_ subject: PastVersions.Subject) -> (version: FileVersion, path: String)? {
        switch subject {
        case .version(let version, _) where version.isPackage: (version, "")
        case .element(let element, let version, _) where element.isFolder: (version, element.path + "/")
        default: nil
        }
    }

    private func elements(of version: FileVersion) async throws -> [PackageElement] {
        if let known = past.elements(of: version) { return known }
        let elements = try await source.elements(of: version).filter { element in
            element.path.split(separator: "/").allSatisfy { ShownNames.isPossible(String($0)) }
        }
        past.note(elements, of: version)
        return elements
    }

    /// A folder for each document of a folder, also for those without versions: to find these would cost a call each.
    /// Packages are not listed for that reason, but found by their names.
    private func documents(in folder: UInt64) async throws -> [ViewTree.ListedEntry] {
        if tree.entries(of: folder) == nil { try await loads.load(folder) }
        return (tree.entries(of: folder) ?? []).compactMap { entry in
            guard let document = document(of: entry.node) else { return nil }
            let inode = PastVersions.inode(of: .document(document, folder: folder))
            return .init(name: entry.name, node: 0, inode: inode, kind: .folder)
        }
    }

    private func document(_ name: String, in folder: UInt64) async throws -> DocumentReference? {
        guard ShownNames.isPossible(name) else { return nil }
        let found: FoundNode? =
            switch tree.lookUp(name, in: folder) {
            case .found(let node): node
            case .missing: nil
            case .unknown: try await loads.entry(name, of: folder)
            }
        guard let found else { return nil }
        defer { tree.forgetLookUp(found.node) }
        if let document = document(of: found.node) { return document }
        return try await package(found.node)
    }

    /// A package of which versions are kept; nil for any other folder.
    private func package(_ node: UInt64) async throws -> DocumentReference? {
        guard let item = tree.item(of: node), item.kind == .folder, !item.isLocal,
            let reference = tree.reference(of: node),
            try await versions(of: reference).contains(where: { $0.version.isPackage })
        else { return nil }
        return reference
    }

    /// A document that may have versions; nil for a folder, and for a file of this machine.
    private func document(of node: UInt64) -> DocumentReference? {
        guard let item = tree.item(of: node), item.kind == .file, !item.isLocal, !item.isBegun else { return nil }
        return tree.reference(of: node)
    }

    private func versions(of document: DocumentReference) async throws -> [PastVersions.Named] {
        if let known = past.listing(of: document) { return known }
        return past.note(try await source.pastVersions(of: document), of: document)
    }

    // MARK: Content

    private func open(_ subject: PastVersions.Subject, _ request: KernelRequest, flags: CInt) -> Answer {
        let (version, element): (FileVersion, PackageElement?)
        switch subject {
        case .version(let named, _) where subject.isFile: (version, element) = (named, nil)
        case .element(let inner, let named, _) where subject.isFile: (version, element) = (named, inner)
        default: return .reply(.error(EISDIR))
        }
        guard flags & CLINUX_O_ACCMODE == CLINUX_O_RDONLY, flags & CLINUX_O_TRUNC == 0 else {
            return .reply(.error(EROFS))
        }
        let node = request.node
        return .later(contentPatience) { [self] in
            await Self.reply {
                if !version.hasLocalContents {
                    guard await self.downloads.mayDownload(node, for: request.caller.process).isAdmitted else {
                        return .error(DownloadGate.refusal)
                    }
                }
                let content =
                    if let element {
                        try await self.source.open(element, of: version)
                    } else {
                        try await self.source.open(version)
                    }
                let file = OpenHandles.OpenFile(node: node, owning: content)
                if let stamp = OpenDocuments.Stamp(of: file.descriptor), self.past.correct(node, size: stamp.size) {
                    self.channel.send(KernelNotification.attributesChanged(node: node).message)
                }
                return .opened(
                    .init(
                        handle: self.handles.add(
                            node: node, file: file, isWriter: false, isReopened: false, for: request.unique),
                        needsNoFlush: true))
            }
        }
    }

    // MARK: Attributes

    private func attribute(_ name: String?, of subject: PastVersions.Subject, _ room: Int) -> KernelReply {
        guard let name, name.hasPrefix("user.") else { return .error(EOPNOTSUPP) }
        guard let value = attributes(of: subject)[name] else { return .error(ENODATA) }
        return Self.reply(Array(value.utf8), room)
    }

    private func attributes(of subject: PastVersions.Subject) -> [String: String] {
        switch subject {
        case .folder: [:]
        case .document(let document, _): ["user.docent.identifier": document.identifier]
        case .version(let version, _), .element(_, let version, _):
            [
                "user.docent.identifier": version.document.identifier,
                "user.docent.version": version.persistentIdentifier,
                "user.docent.state": version.hasLocalContents ? "local" : "remote",
            ]
        }
    }
}
