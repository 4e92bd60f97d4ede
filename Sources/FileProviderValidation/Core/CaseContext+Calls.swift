package import DocentInterfaces
import Varlink

/// The calls of `org.docent.FileProvider`, each with a text for people. All throw ``CallProblem``.
extension CaseContext {
    /// `Item`.
    package func item(_ identifier: String) async throws -> Wire.ProviderItem {
        told(
            try await call(
                FileProviderInterface.Item.self, .init(domain: domain, identifier: real(identifier)),
                "Item of " + PlainText.quoted(identifier)
            ).item)
    }

    /// `Child`.
    package func child(_ name: String, in parent: String) async throws -> Wire.ProviderItem {
        told(
            try await call(
                FileProviderInterface.Child.self, .init(domain: domain, parent: real(parent), name: name),
                "Child \(PlainText.quoted(name)) of \(PlainText.quoted(parent))"
            ).item)
    }

    /// `Children`: one page. Folders of other runs in the top folder are left out: they may come and go.
    package func page(of parent: String, token: String? = nil) async throws -> FileProviderInterface.Children.Reply {
        var page = try await call(
            FileProviderInterface.Children.self, .init(domain: domain, parent: real(parent), page: token),
            "Children of " + PlainText.quoted(parent)
                + (token.map { ", page " + PlainText.quoted($0, limit: 60) } ?? ""))
        page.items = page.items.map(told)
        if parent == Self.root {
            page.items = WorkFolderName.ownItems(page.items, own: ownFolderName)
        }
        return page
    }

    /// Whether other runs use the same documents now, or left something there.
    package func hasCompany() async throws -> Bool {
        let own = ownFolderName
        var token: String?
        for _ in 0..<100 {
            let page = try await call(
                FileProviderInterface.Children.self, .init(domain: domain, parent: Self.root, page: token),
                "Children of the top folder")
            if WorkFolderName.ownItems(page.items, own: own).count < page.items.count { return true }
            guard let next = page.nextPage else { return false }
            token = next
        }
        return false
    }

    /// `Children`, page by page to the last.
    ///
    /// - Parameter limit: the most pages; more are a problem.
    package func list(_ parent: String, limit: Int = 10_000) async throws -> [Wire.ProviderItem] {
        var items: [Wire.ProviderItem] = []
        var token: String?
        var seen: Set<[UInt8]> = []
        for _ in 0..<limit {
            let page = try await page(of: parent, token: token)
            items += page.items
            guard let next = page.nextPage else { return items }
            guard seen.insert(Array(next.utf8)).inserted, items.count < 200_000 else {
                throw CallProblem(
                    did: "Listing \(PlainText.quoted(parent)) page by page",
                    kind: .brokenProtocol("the token \(PlainText.quoted(next)) came again, so the pages never end"))
            }
            token = next
        }
        throw CallProblem(
            did: "Listing \(PlainText.quoted(parent)) page by page", kind: .brokenProtocol("more than \(limit) pages"))
    }

    /// `Changes`: one reply.
    package func changes(since anchor: String?) async throws -> FileProviderInterface.Changes.Reply {
        try await call(
            FileProviderInterface.Changes.self, .init(domain: domain, anchor: anchor),
            anchor.map { "Changes since " + PlainText.quoted($0, limit: 80) } ?? "Changes without an anchor")
    }

    /// `Fetch` of a whole document into a new file.
    ///
    /// - Returns: the content, and the last reply.
    package func fetch(
        _ identifier: String, _ progress: (FileProviderInterface.Fetch.Reply) throws -> Void = { _ in }
    ) async throws -> (bytes: [UInt8], reply: FileProviderInterface.Fetch.Reply) {
        let file = try ContentFile()
        let reply = try await fetch(identifier, into: file, progress)
        return (file.contents(), reply)
    }

    /// `Fetch` into a file, from an offset or from the start.
    package func fetch(
        _ identifier: String, into file: ContentFile, offset: Int? = nil, version: String? = nil,
        _ progress: (FileProviderInterface.Fetch.Reply) throws -> Void = { _ in }
    ) async throws -> FileProviderInterface.Fetch.Reply {
        let did =
            "Fetch of " + PlainText.quoted(identifier)
            + (offset.map { " from byte \($0) of version " + (version.map { PlainText.quoted($0) } ?? "unknown") } ?? "")
        step(did)
        let growth = GrowthLimit(file)
        defer { growth.end() }
        do {
            return try await session.callWithProgress(
                FileProviderInterface.Fetch.self,
                .init(domain: domain, identifier: real(identifier), destination: 0, offset: offset, version: version),
                descriptors: DescriptorList(try file.share()), did: did, progress
            ).value
        } catch let problem as CallProblem where growth.isExceeded {
            throw CallProblem(
                did: problem.did, kind: .brokenProtocol("it wrote more than \(GrowthLimit.bytes >> 20) MiB"))
        }
    }

    /// `OpenInPlace`: the item and its file.
    package func openInPlace(_ identifier: String) async throws -> (item: Wire.ProviderItem, file: ContentFile) {
        let did = "OpenInPlace of " + PlainText.quoted(identifier)
        step(did)
        let reply = try await session.call(
            FileProviderInterface.OpenInPlace.self, .init(domain: domain, identifier: real(identifier)), did: did)
        do {
            return (told(reply.value.item), ContentFile(owning: try reply.descriptors.take(reply.value.file)))
        } catch {
            throw CallProblem(
                did: did, kind: .brokenProtocol("the reply has no descriptor at index \(reply.value.file)"))
        }
    }

    /// `Create` of a document or, without content, of a folder.
    ///
    /// - Parameters:
    ///   - size: the size that the call declares; by default the length of the content.
    ///   - operation: a new one by default.
    package func create(
        _ name: String, in parent: String, content: [UInt8]?, contentType: String? = nil, operation: String? = nil,
        size: Int? = nil, digest: String? = nil, metadata: Wire.ItemMetadata? = nil, thumbnail: [UInt8]? = nil,
        _ progress: (FileProviderInterface.Create.Reply) throws -> Void = { _ in }
    ) async throws -> Wire.ProviderItem {
        let did =
            "Create of \(content == nil ? "the folder" : "the document") \(PlainText.quoted(name))"
            + (content.map { " with \($0.count) bytes" } ?? "") + " in \(PlainText.quoted(parent))"
        step(did)
        let descriptors = DescriptorList()
        if let content { descriptors.append(try ContentFile(content).shareForReading()) }
        if let thumbnail { descriptors.append(try ContentFile(thumbnail).shareForReading()) }
        let reply = try await session.callWithProgress(
            FileProviderInterface.Create.self,
            .init(
                domain: domain, parent: real(parent), name: name, isFolder: content == nil, contentType: contentType,
                content: content == nil ? nil : 0, size: content == nil ? nil : size ?? content?.count,
                digest: content.map { digest ?? ContentDigest.hex($0) }, operation: operation ?? newOperation(),
                metadata: metadata, thumbnail: thumbnail == nil ? nil : content == nil ? 0 : 1),
            descriptors: descriptors, did: did, progress)
        guard let item = reply.value.item.map(told) else {
            throw CallProblem(did: did, kind: .brokenProtocol("the last reply has no item"))
        }
        return item
    }

    /// `Modify`.
    package func modify(
        _ identifier: String, base: String?, content: [UInt8], operation: String? = nil, size: Int? = nil,
        digest: String? = nil, metadata: Wire.ItemMetadata? = nil, thumbnail: [UInt8]? = nil,
        _ progress: (FileProviderInterface.Modify.Reply) throws -> Void = { _ in }
    ) async throws -> (item: Wire.ProviderItem, conflict: String?) {
        let did =
            "Modify of \(PlainText.quoted(identifier)) with \(content.count) bytes, based on "
            + (base.map { "version " + PlainText.quoted($0) } ?? "no version")
        step(did)
        let descriptors = DescriptorList(try ContentFile(content).shareForReading())
        if let thumbnail { descriptors.append(try ContentFile(thumbnail).shareForReading()) }
        let reply = try await session.callWithProgress(
            FileProviderInterface.Modify.self,
            .init(
                domain: domain, identifier: real(identifier), baseVersion: base, content: 0,
                size: size ?? content.count,
                digest: digest ?? ContentDigest.hex(content), operation: operation ?? newOperation(),
                metadata: metadata, thumbnail: thumbnail == nil ? nil : 1),
            descriptors: descriptors, did: did, progress)
        guard let item = reply.value.item.map(told) else {
            throw CallProblem(did: did, kind: .brokenProtocol("the last reply has no item"))
        }
        return (item, reply.value.conflict)
    }

    /// `Move`.
    package func move(
        _ identifier: String, base: String? = nil, to parent: String, named name: String, operation: String? = nil
    ) async throws -> Wire.ProviderItem {
        let before = real(identifier)
        let item = try await call(
            FileProviderInterface.Move.self,
            .init(
                domain: domain, identifier: before, baseVersion: base, parent: real(parent), name: name,
                operation: operation ?? newOperation()),
            "Move of \(PlainText.quoted(identifier)) to \(PlainText.quoted(name)) in \(PlainText.quoted(parent))"
        ).item
        noteMove(identifier, from: before, to: item.identifier)
        return told(item)
    }

    /// `Delete`.
    package func delete(_ identifier: String, base: String? = nil, recursive: Bool = false) async throws {
        _ = try await call(
            FileProviderInterface.Delete.self,
            .init(domain: domain, identifier: real(identifier), baseVersion: base, recursive: recursive),
            "Delete of \(PlainText.quoted(identifier))" + (recursive ? " with all its contents" : "")
                + (base.map { " at version " + PlainText.quoted($0) } ?? ""))
    }

    /// `Observe`.
    package func observe(_ identifier: String, _ observing: Bool) async throws {
        _ = try await call(
            FileProviderInterface.Observe.self,
            .init(domain: domain, identifier: real(identifier), observing: observing),
            "Observe of \(PlainText.quoted(identifier)), observing: \(observing)")
    }

    /// `Usage`.
    package func usage() async throws -> FileProviderInterface.Usage.Reply {
        try await call(FileProviderInterface.Usage.self, .init(domain: domain), "Usage")
    }

    /// Any method without descriptors. Reports the step.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ did: String
    ) async throws -> Method.Reply {
        step(did)
        return try await session.call(method, parameters, did: did).value
    }

    /// A unique name for a change.
    package func newOperation() -> String { "validation-" + random { $0.word(20) } }
}
