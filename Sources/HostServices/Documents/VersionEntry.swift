import DocentInterfaces
import FoundationEssentials
import HostCore
import Records
import RemoteDocuments
import Rights

/// A version in the history of a document: one that is kept here, one that its provider has, or the same content at
/// both. Pure.
struct VersionEntry: Sendable {
    /// At least one of both is there.
    var kept: KeptVersion?
    var earlier: EarlierContent?

    /// What clients call it: what they called it before it was kept here, if they did. A conflict keeps its own name,
    /// by which it is settled.
    var name: String {
        guard let kept, kept.reason.isConflict || earlier == nil else { return earlier?.name ?? "" }
        return kept.id
    }

    static func kept(_ version: KeptVersion) -> VersionEntry { VersionEntry(kept: version) }

    /// One history of two, which are both ordered newest first. Opening a content that is kept here fetches nothing.
    static func merge(_ kept: [KeptVersion], _ earlier: [EarlierContent]) -> [VersionEntry] {
        var entries = kept.map(Self.kept)
        var (byVersion, bySize) = ([BytewiseText: Int](), [Int: [Int]]())
        // Of several that fit, the newest.
        for (index, version) in kept.enumerated() {
            if let name = version.contentVersion.map({ BytewiseText($0) }), byVersion[name] == nil {
                byVersion[name] = index
            }
            bySize[Int(clamping: version.size), default: []].append(index)
        }
        var rest: [EarlierContent] = []
        for version in earlier {
            let candidates =
                (version.contentVersion.flatMap { byVersion[BytewiseText($0)] }.map { [$0] } ?? [])
                + (version.size.flatMap { bySize[$0] } ?? [])
            let match = candidates.first { index in
                entries[index].earlier == nil
                    && version.isSame(
                        version: kept[index].contentVersion, saved: kept[index].modified,
                        size: Int(clamping: kept[index].size))
            }
            if let match { entries[match].earlier = version } else { rest.append(version) }
        }
        guard !rest.isEmpty else { return entries }
        var merged: [VersionEntry] = []
        var next = rest[...]
        for entry in entries {
            while let date = next.first?.saved, let other = entry.kept?.moment, date > other {
                if let version = next.popFirst() { merged.append(VersionEntry(earlier: version)) }
            }
            merged.append(entry)
        }
        return merged + next.map { VersionEntry(earlier: $0) }
    }
}

extension KeptVersion {
    /// When the content was saved, else when it was kept.
    fileprivate var moment: Date { modified ?? created }
}

extension EarlierContent {
    /// Whether it is what the document has now: some services list that too.
    func isCurrent(_ item: Wire.Item) -> Bool {
        if let contentVersion, item.isVersion(contentVersion) { return true }
        return isSame(
            version: item.version, saved: item.modificationDate.map(Date.init(timeIntervalSince1970:)),
            size: item.size)
    }

    /// The version for clients.
    ///
    /// - Parameter name: the name of the document.
    func wire(named name: String) -> Wire.DocumentVersion {
        Wire.DocumentVersion(
            identifier: self.name, name: name, size: size, modificationDate: saved?.timeIntervalSince1970,
            hasLocalContents: false, isAtProvider: true, author: author)
    }
}
