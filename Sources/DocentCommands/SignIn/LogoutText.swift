import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation

/// The output of `docent logout`. Pure.
enum LogoutText {
    /// The stage in progress.
    static func stage(_ stage: String, pending: Int?) -> String {
        switch stage {
        case "uploading": "Sending \(pending.map(DrainOutcome.changes) ?? "waiting changes")"
        case "keeping": "Keeping unsent changes as versions"
        case "deletingCredential": "Deleting the credential"
        case "removingCopies": "Removing the local copies"
        default: stage
        }
    }

    /// The result, including what became of unsent changes.
    static func done(_ name: AccountName, _ reply: AdministrationInterface.Logout.Reply) -> String {
        var text =
            reply.left.map { "\(name) is signed out; its local copies are gone from this machine. \($0)\n" }
            ?? "\(name) is signed out; its secret and its local copies are gone from this machine.\n"
        let kept = reply.kept ?? []
        if !kept.isEmpty {
            text +=
                "\(DrainOutcome.changes(kept.count)) \(kept.count == 1 ? "was" : "were") not sent, and kept:\n"
            for version in kept.prefix(20) {
                text += "  \(version.identifier)  \(version.name)  \(ByteCount.text(version.size))\n"
            }
            if kept.count > 20 { text += "  and \(kept.count - 20) more\n" }
            text +=
                "`docent versions` lists what is kept, `docent versions show ID` reads it; after the next login "
                + "`docent versions restore ID LOCATION` puts it in its place.\n"
        }
        if let discarded = reply.discarded, discarded > 0 {
            text += "\(DrainOutcome.changes(discarded)) \(discarded == 1 ? "was" : "were") dropped.\n"
        }
        let undeleted = reply.undeleted ?? []
        if !undeleted.isEmpty {
            text += "deleted here, but still at the service, which could not be asked:\n"
            for place in undeleted.prefix(20) { text += "  \(place)\n" }
            if undeleted.count > 20 { text += "  and \(undeleted.count - 20) more\n" }
        }
        if let open = reply.openDescriptors, open > 0 {
            text += "still open for reading the old content: \(open)\n"
        }
        text += "Rights and bookmarks work again after you sign in: `\(name.login)`\n"
        return SafeText.escapedLines(text)
    }

    /// The message if the account was signed out already.
    static func already(_ name: AccountName) -> String {
        SafeText.escaped("\(name) is already signed out. To sign in again: `\(name.login)`") + "\n"
    }

    /// The two questions before unsent changes are dropped.
    ///
    /// - Parameter names: the names of the unsent documents, as far as they are known.
    static func questions(_ name: AccountName, waiting: Int, names: [String]) -> (
        first: String, second: String
    ) {
        let list = names.prefix(20).map { "  \($0)\n" }.joined()
        let more = names.count > 20 ? "  and \(names.count - 20) more\n" : ""
        let changes = DrainOutcome.changes(waiting)
        return (
            SafeText.escapedLines("\(list)\(more)Sign out of \(name), and drop its unsent changes?"),
            SafeText.escaped(
                "\(changes) of \(name) \(waiting == 1 ? "is" : "are") nowhere else, and will be lost permanently. Drop "
                    + "\(waiting == 1 ? "it" : "them")?")
        )
    }
}
