import Access
package import DocentInterfaces
package import HostCore
import Records
import RemoteDocuments
package import Rights
import Saving
import Storage

// The versions of packages: folders that are versions as a whole.
extension DocumentVersions {
    /// The most elements of one page.
    private static let elementsOfPage = 2000

    /// One page of the files and folders in a kept version of a package, each folder before its contents.
    ///
    /// - Parameter page: where the page begins; nil for the first.
    /// - Throws: ``Failure``: `NotPermitted`; `NotFound` for a version of another document; `InvalidArgument` for a
    ///   version that is a file.
    package func elements(
        _ session: Session, _ key: ItemKey, _ identifier: String, page: String? = nil
    ) async throws -> (elements: [Wire.PackageElement], nextPage: String?) {
        try await access.require(session, key, .read, for: "open a version of")
        let version = try await require(identifier, of: key, visibility(session, key))
        let all = try await service.package(version).package.elements
        let start = page.map { Int($0) ?? -1 } ?? 0
        guard (0...all.count).contains(start) else { throw Failure(.invalidArgument, "This is not a page.") }
        var (found, bytes) = ([Wire.PackageElement](), 0)
        for element in all[start...].prefix(Self.elementsOfPage) {
            bytes += 100 + 2 * element.path.text.utf8.count + (element.version?.utf8.count ?? 0)
            guard bytes <= PackagePublisher.room || found.isEmpty else { break }
            found.append(
                Wire.PackageElement(
                    path: element.path.text, isFolder: element.isFolder, size: element.size.map(Int.init),
                    version: element.version, isMissing: element.isMissing ? true : nil))
        }
        let next = start + found.count
        return (found, next < all.count ? String(next) : nil)
    }

    /// Makes a kept version of a package its content: only what differs is saved.
    ///
    /// - Throws: ``Failure`` `NotFound` if the content of an element is neither kept nor in the package.
    func restore(
        _ session: Session, _ key: ItemKey, _ version: KeptVersion, operation: String, claim: String?
    ) async throws -> Wire.Item {
        do {
            try await stage(session, key, version, operation, claim)
        } catch {
            // In a task of its own: this one may be cancelled.
            await Task { try? await writes.abandon(session, operation) }.value
            throw error
        }
        return try await writes.commit(session, operation, claim: claim, isRestoring: true)
    }

    private func stage(
        _ session: Session, _ key: ItemKey, _ version: KeptVersion, _ operation: String, _ claim: String?
    ) async throws {
        let entry = try await service.package(version)
        let begun = try await packages.begin(session, key, isReplacing: false, operation: operation, claim: claim)
        let now = Dictionary(begun.elements.map { ($0.path, $0) }) { first, _ in first }
        // First, because a file may have become a folder.
        for element in begun.elements where entry.element(element.path)?.isFolder != element.isFolder {
            try await packages.stage(session, operation, element.path.text, .removed)
        }
        for element in entry.package.elements {
            let current = now[element.path].flatMap { $0.isFolder == element.isFolder ? $0 : nil }
            if element.isFolder {
                if current == nil { try await packages.stage(session, operation, element.path.text, .folder) }
            } else if let current, current.version != nil, current.version.isSame(as: element.version) {
                continue
            } else if element.isMissing {
                throw Failure(
                    .notFound,
                    "\"\(element.path)\" was not on this machine when the version was kept, and has changed since.",
                    suggestion: "`docent history` lists the other versions.", provider: key.provider)
            } else {
                let content = try await service.open(version, path: element.path.text)
                if let current, try await isContent(content, element, of: current, in: key) { continue }
                try await packages.stage(session, operation, element.path.text, .content(content))
            }
        }
    }

    /// Whether an element of the package has the same content as a kept one. Content that is not on this machine is not
    /// fetched to find out.
    private func isContent(
        _ content: OpenDescriptor, _ kept: KeptPackage.Element, of current: PackageManifest.Base, in key: ItemKey
    ) async throws -> Bool {
        guard let identifier = current.identifier, current.size == nil || current.size == kept.size else {
            return false
        }
        let element = key.sibling(identifier)
        guard try await documents.gateway.bare(element).isDownloaded else { return false }
        let other = try await documents.gateway.content(element).descriptor
        return try await documents.worker.run { cancellation in
            try withExtendedLifetime((content, other)) {
                try FileComparison.isSame(content.number, other.number, cancellation: cancellation)
            }
        }
    }
}
