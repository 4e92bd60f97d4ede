package import DocentInterfaces
import Documents
import ExtensionManifest

/// The words of notifications. Pure. Names come from servers and from programs: they are shown without what could
/// deceive a reader.
package enum NoticeText {
    /// How many characters of a name are shown.
    static let longestName = 60
    /// How many characters of a location, or of a reason, are shown.
    static let longestText = 200

    // MARK: Notices

    /// About the conflicts of one document.
    package static func conflict(_ document: ConflictedDocument) -> Notice {
        let name = plain(document.location.map(\.name) ?? document.name, longestName)
        let reasons = Set(document.versions.map(\.reason))
        let count = document.versions.count
        let kept = count == 1 ? "What was saved here is kept" : "\(count) versions that were saved here are kept"
        let title: String
        switch reasons {
        case ["deleted"]: title = "\(name) was deleted elsewhere"
        case ["unsent"]: title = "\(name) can no longer be sent"
        default: title = "\(name) was changed elsewhere too"
        }
        var notice = Notice(
            title: title, lines: [], actions: [.show], hint: "docent conflicts",
            subject: document.versions.map(\.identifier))
        notice.standard = .show
        if let location = document.location {
            notice.lines = [plain(location.description, longestText), "\(kept) beside it."]
            notice.actions = [.keepMine, .keepTheirs, .keepBoth, .compare]
            notice.standard = .compare
        } else {
            notice.lines = ["\(kept) (docent conflicts)."]
        }
        return notice
    }

    /// About many conflicts at once.
    package static func conflicts(_ documents: Set<Wire.ItemReference>) -> Notice {
        let count = documents.count
        var notice = Notice(
            title: count == 1 ? "A document has conflicts" : "\(count) documents have conflicts",
            lines: ["They were changed here and elsewhere. What was saved here is kept beside them."],
            actions: [.show], hint: "docent conflicts",
            subject: documents.map { "\($0.provider)@\($0.domain)/\($0.identifier)" }.sorted())
        notice.standard = .show
        return notice
    }

    /// About a program whose changes are held.
    package static func program(_ held: Wire.HeldClient) -> Notice {
        let name = plain(held.client, longestName)
        let isConfined = held.clientKind != "unconfined"
        let documents = held.documents == 1 ? "1 document" : "\(held.documents) documents"
        let what =
            held.isNoise == true
            ? "It replaces the contents of documents with what looks like random data."
            : "It would delete or replace \(documents) or more within a minute."
        var notice = Notice(
            title: "Changes of \(name) are held",
            lines: [what + " It changes nothing more until you allow it."],
            actions: [.show, .allow], hint: "docent held", isUrgent: true, subject: [String(held.since)])
        if isConfined { notice.lines.append("It is a confined program (\(plain(held.clientKind, longestName))).") }
        notice.standard = .show
        return notice
    }

    /// About a folder whose server suddenly leaves out most documents.
    package static func listing(_ held: Wire.HeldListing) -> Notice {
        let folder = DocumentLocation(
            provider: held.reference.provider, domain: held.reference.domain,
            path: held.path ?? held.reference.identifier)
        var notice = Notice(
            title: "A server leaves out most documents of a folder",
            lines: [
                plain(folder.description, longestText),
                "Of \(held.known) known ones it lists \(held.listed). Nothing is taken away here until you accept it.",
            ], actions: [.show], hint: "docent held", subject: [String(held.since)])
        notice.standard = .show
        return notice
    }

    /// The same notice, when what was chosen has failed.
    static func failed(_ notice: Notice, _ reason: String) -> Notice {
        var failed = notice
        failed.lines.append("That did not work: " + plain(reason, longestText))
        return failed
    }

    // MARK: Texts

    /// A text from elsewhere in one line: hidden characters are written as `\xHH`, and the middle of a long one is left
    /// out.
    package static func plain(_ text: String, _ most: Int) -> String {
        let limit = max(2, most)
        // A name may have megabytes; escaping makes it longer still.
        let part = text.unicodeScalars.count > 8 * limit ? shortened(text, 8 * limit) : text
        let shown = DisplayText.replacingHidden(in: part) { scalar in
            String(scalar).utf8.map { byte in
                "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }.joined()
        }
        return shortened(shown, limit)
    }

    /// Without its middle, if it has more scalars than the limit.
    private static func shortened(_ text: String, _ limit: Int) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > limit else { return text }
        let end = limit / 3
        var short = String.UnicodeScalarView(scalars.prefix(limit - end - 1))
        short.append("…")
        short.append(contentsOf: scalars.suffix(end))
        return String(short)
    }

    /// The text for a server that understands markup: nothing in it is markup.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
