import CommandConsole
import Documents
import Glibc

/// Compares versions of a package, element by element.
enum PackageComparison {
    /// The outcome for an element.
    enum Kind: String, Sendable {
        case added
        case removed
        case changed
        /// It may have changed: one of both contents is not kept.
        case unknown = "not kept"
    }

    /// An element that is not the same in both.
    struct Change: Sendable, Equatable {
        let kind: Kind
        let path: String
        let old: Int?
        let new: Int?
    }

    /// The elements that differ, in the order of their paths.
    static func changes(from old: FileVersion, to new: FileVersion) async throws -> [Change] {
        var result: [Change] = []
        for (path, before, after) in pairs(try await old.elements(), try await new.elements()) {
            guard let before, let after, before.isFolder == after.isFolder else {
                if let before { result.append(Change(kind: .removed, path: path, old: before.size, new: nil)) }
                if let after { result.append(Change(kind: .added, path: path, old: nil, new: after.size)) }
                continue
            }
            guard let kind = try await kind(before, after, old, new) else { continue }
            result.append(Change(kind: kind, path: path, old: before.size, new: after.size))
        }
        return result
    }

    /// The elements of both, by path. Pure.
    static func pairs(
        _ old: [PackageElement], _ new: [PackageElement]
    ) -> [(path: String, old: PackageElement?, new: PackageElement?)] {
        let before = Dictionary(old.map { ($0.path, $0) }) { first, _ in first }
        let after = Dictionary(new.map { ($0.path, $0) }) { first, _ in first }
        return Set(before.keys).union(after.keys).sorted().map { ($0, before[$0], after[$0]) }
    }

    // Versions tell only that two contents are the same: a save of a package can give all its elements other ones.
    private static func kind(
        _ before: PackageElement, _ after: PackageElement, _ old: FileVersion, _ new: FileVersion
    ) async throws -> Kind? {
        guard !before.isFolder else { return nil }
        if let one = before.size, let other = after.size, one != other { return .changed }
        if let version = before.version, version == after.version || version == after.formerVersion { return nil }
        guard !before.isMissing, !after.isMissing else { return .unknown }
        let left = try await old.openForReading(before)
        defer { close(left) }
        let right = try await new.openForReading(after)
        defer { close(right) }
        return try ContentComparison.isSame(left, right) ? nil : .changed
    }

    /// The differences, formatted for people.
    static func table(_ changes: [Change]) -> Table {
        var table = Table(["CHANGE", "OLD", "NEW", "ELEMENT"], numbers: [1, 2])
        for change in changes {
            table.add([
                change.kind.rawValue, change.old.map(ByteCount.text) ?? "-", change.new.map(ByteCount.text) ?? "-",
                SafeText.escaped(change.path),
            ])
        }
        return table
    }
}
