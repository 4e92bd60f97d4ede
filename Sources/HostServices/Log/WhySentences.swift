package import Foundation
package import Rights

/// Who may reach an item and who caused what, in sentences for people. Pure.
package struct WhySentences: Sendable {
    /// Through what a right reaches the item.
    package enum Way: Sendable, Hashable {
        /// It is on the item itself.
        case item
        /// It is on a folder above, or on the package of which the item is a part: its path or name.
        case folder(String)
        /// It is on a document beside it, with which companions were granted: the document's name and the patterns.
        case companion(of: String, patterns: [String])
    }

    /// A right that reaches the item.
    package struct Reach: Sendable {
        package var principal: Principal
        package var access: AccessLevel
        package var way: Way
        package var origin: Grant.Origin
        package var created: Date
        package var expires: Date?
        package var isTaken: Bool
        package var executable: String?

        package init(
            principal: Principal, access: AccessLevel, way: Way, origin: Grant.Origin, created: Date,
            expires: Date? = nil, isTaken: Bool = true, executable: String? = nil
        ) {
            self.principal = principal
            self.access = access
            self.way = way
            self.origin = origin
            self.created = created
            self.expires = expires
            self.isTaken = isTaken
            self.executable = executable
        }
    }

    private let name: String
    private let now: Date

    /// - Parameters:
    ///   - name: the item's.
    ///   - now: from when time is told.
    package init(name: String, now: Date = .now) {
        self.name = name
        self.now = now
    }

    /// Who may reach it. Without anybody: that nobody may.
    ///
    /// - Parameter client: the one that was asked for.
    package func rights(_ reaches: [Reach], client: String?) -> [String] {
        if reaches.isEmpty {
            return [client.map { "\($0) has no right to \"\(name)\"." } ?? "No client has a right to \"\(name)\"."]
        }
        return reaches.map(sentence)
    }

    /// One right.
    package func sentence(_ reach: Reach) -> String {
        let may = reach.access == .read ? "may read" : "may read and change"
        let way =
            switch reach.way {
            case .item: "by a right to it"
            case .folder(let path): "by the right to what lies in \"\(path)\""
            case .companion(let document, let patterns):
                "beside \"\(document)\", with which \(patterns.joined(separator: ", ")) is granted"
            }
        var facts = ["\(Self.origin(reach.origin)) \(ago(reach.created))", reach.isTaken ? "taken" : "until it leaves"]
        facts.append(reach.expires.map { "ends \(ahead($0))" } ?? "no end")
        return "\(Self.who(reach.principal, reach.executable)) \(may) it, \(way) (\(facts.joined(separator: ", ")))."
    }

    /// Who caused the last download.
    package func download(_ entry: AuditEntry) -> String {
        let purpose = entry.detail.isEmpty ? "" : ": \(entry.detail)"
        guard entry.principal.kind != .unknown else {
            return "Its last download, \(ago(entry.last)), was Docent's own\(purpose)."
        }
        return "Its last download, \(ago(entry.last)), was caused by "
            + "\(Self.who(entry.principal, entry.executable))\(purpose)."
    }

    /// That somebody was refused.
    package func refusal(_ entry: AuditEntry) -> String {
        let times = entry.count == 1 ? "once" : "\(entry.count) times"
        return "\(Self.who(entry.principal, entry.executable)) was refused it \(times), last \(ago(entry.last))."
    }

    /// A client with how much its name is worth.
    package static func who(_ principal: Principal, _ executable: String?) -> String {
        switch principal.kind {
        case .run: "\(principal.identifier) (docent run, enforced by its sandbox)"
        case .flatpak: "\(principal.identifier) (Flatpak, enforced by its sandbox)"
        case .snap: "\(principal.identifier) (Snap, enforced by its sandbox)"
        case .unconfined, .unknown:
            "\(principal.identifier) (stated by \(executable ?? "a program") outside every sandbox)"
        }
    }

    private static func origin(_ origin: Grant.Origin) -> String {
        switch origin {
        case .open: "picked"
        case .move: "moved there by it"
        case .write: "written by it"
        case .cat: "read by it"
        case .bookmark: "bookmarked"
        case .administration: "given by you"
        default: origin.rawValue
        }
    }

    private func ago(_ moment: Date) -> String {
        let seconds = now.timeIntervalSince(moment)
        return seconds < 1 ? "just now" : "\(Self.span(seconds)) ago"
    }

    private func ahead(_ moment: Date) -> String {
        let seconds = moment.timeIntervalSince(now)
        return seconds < 1 ? "now" : "in \(Self.span(seconds))"
    }

    /// A span of time, in the largest unit of which it has two.
    package static func span(_ seconds: Double) -> String {
        let units: [(Double, String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
        for (size, unit) in units where seconds >= size * 1.99 {
            return "\(Int(min(seconds / size, 1e9).rounded())) \(unit)"
        }
        let count = Int(max(0, seconds).rounded())
        return "\(count) second\(count == 1 ? "" : "s")"
    }
}
