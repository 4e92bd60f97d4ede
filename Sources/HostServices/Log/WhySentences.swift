package import Foundation
package import Rights

/// Sentences on who may reach an item, and who caused what. Pure.
package struct WhySentences: Sendable {
    /// How a right reaches the item.
    package enum Way: Sendable, Hashable {
        /// The right is to the item itself.
        case item
        /// The right is to a folder above the item or to its package: the path or name.
        case folder(String)
        /// The right is to a document beside the item and includes companions: the document's name and the patterns.
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
    ///   - name: the name of the item.
    ///   - now: the time to which spans are relative.
    package init(name: String, now: Date = .now) {
        self.name = name
        self.now = now
    }

    /// Sentences on who may reach the item, or one that says that no client may.
    ///
    /// - Parameter client: the client that was asked about.
    package func rights(_ reaches: [Reach], client: String?) -> [String] {
        if reaches.isEmpty {
            return [client.map { "\($0) has no right to \"\(name)\"." } ?? "No client has a right to \"\(name)\"."]
        }
        return reaches.map(sentence)
    }

    /// Describes one right.
    package func sentence(_ reach: Reach) -> String {
        let may = reach.access == .read ? "may read" : "may read and change"
        let way =
            switch reach.way {
            case .item: "through a right to it"
            case .folder(let path): "through the right to the contents of \"\(path)\""
            case .companion(let document, let patterns):
                "beside \"\(document)\", with which \(patterns.joined(separator: ", ")) is granted"
            }
        var facts = [
            "\(Self.origin(reach.origin)) \(ago(reach.created))", reach.isTaken ? "taken" : "as long as it runs",
        ]
        facts.append(reach.expires.map { "ends \(ahead($0))" } ?? "no end")
        return "\(Self.who(reach.principal, reach.executable)) \(may) it, \(way) (\(facts.joined(separator: ", ")))."
    }

    /// Describes who caused the last download.
    package func download(_ entry: AuditEntry) -> String {
        let purpose = entry.detail.isEmpty ? "" : ": \(entry.detail)"
        guard entry.principal.kind != .unknown else {
            return "Its last download, \(ago(entry.last)), was Docent's own\(purpose)."
        }
        let process = entry.process.map { " (process \($0))" } ?? ""
        return "Its last download, \(ago(entry.last)), was caused by "
            + "\(Self.who(entry.principal, entry.executable))\(purpose)\(process)."
    }

    /// Describes a refusal.
    package func refusal(_ entry: AuditEntry) -> String {
        let times = entry.count == 1 ? "once" : "\(entry.count) times"
        return
            "\(Self.who(entry.principal, entry.executable)) was refused access to it \(times), last \(ago(entry.last))."
    }

    /// The name of a client, with how far it can be trusted.
    package static func who(_ principal: Principal, _ executable: String?) -> String {
        switch principal.kind {
        case .run: "\(principal.identifier) (docent run, enforced by its sandbox)"
        case .flatpak: "\(principal.identifier) (Flatpak, enforced by its sandbox)"
        case .snap: "\(principal.identifier) (Snap, enforced by its sandbox)"
        case .unconfined, .unknown:
            "\(principal.identifier) (stated by \(executable ?? "a program") outside any sandbox)"
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

    /// A time span, in the largest unit of which it has at least two.
    package static func span(_ seconds: Double) -> String {
        let units: [(Double, String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
        for (size, unit) in units where seconds >= size * 1.99 {
            return "\(Int(min(seconds / size, 1e9).rounded())) \(unit)"
        }
        let count = Int(max(0, seconds).rounded())
        return "\(count) second\(count == 1 ? "" : "s")"
    }
}
