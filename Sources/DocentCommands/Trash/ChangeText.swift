import CommandConsole
import DocentInterfaces
import Documents

/// Changes that can be taken back, for people. Pure.
enum ChangeText {
    /// What was changed, as a sentence without its end. Not escaped.
    static func sentence(_ change: Wire.Change) -> String {
        let before = place(change, change.formerFolder, change.formerName)
        let after = place(change, change.folder, change.name)
        let when = Timestamp.text(change.created).map { " at \($0)" } ?? ""
        let who = change.client == "org.docent.cli" ? "" : " by \(change.client)"
        switch change.kind {
        case "delete": return "\(before) was deleted\(who)\(when)"
        case "rename": return "\(before) was renamed to \"\(change.name)\"\(who)\(when)"
        case "move": return "\(before) was moved to \(after)\(who)\(when)"
        default: return "\(after) was changed\(who)\(when)"
        }
    }

    /// The location of a name in a folder; only the name if the folder's path is not known.
    static func place(_ change: Wire.Change, _ folder: String?, _ name: String) -> String {
        location(change, folder, name) ?? "\"\(name)\" of \(change.provider)"
    }

    static func location(_ change: Wire.Change, _ folder: String?, _ name: String) -> String? {
        guard let folder else { return nil }
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        return DocumentLocation(provider: change.provider, domain: change.domain, path: path).description
    }
}
