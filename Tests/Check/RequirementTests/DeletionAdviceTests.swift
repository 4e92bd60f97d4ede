import Foundation
import Testing

/// No message tells users to delete what may be theirs: whoever reads it cannot know what else is in the place.
struct DeletionAdviceTests {
    /// A text that may name a deletion, and why: the path that it is at or below, and the reason.
    private static let exceptions = [
        "Sources/DocentCommands/Documents/RemoveCommand.swift": "The help of the verb that deletes.",
        "Sources/DocentCommands/Domains/": "The help of the verb that removes an account. Its documents stay.",
        "Sources/DocentCommands/Keeping/EvictCommand.swift": "The help of a verb. The documents stay.",
        "Sources/DocentCommands/Provider/ProviderUninstallCommand.swift": "The help of a verb. Programs, no data.",
        "Sources/DocentCommands/Trash/": "The help of the verb that empties the trash.",
        "Sources/DocentCommands/Versions/": "The help of the verb that removes a kept version.",
        "Sources/ExtensionHosting/Extensions/ServedCalls.swift": "The name of a call, for the log.",
        "Sources/ExtensionManifest/": "Keys of manifests, and manifests. Their authors read it.",
        "Sources/FileProviderValidation/": "What the validator did in a folder of its own.",
        "Sources/HostServices/Accounts/DomainService.swift":
            "An account that the user removes. Unsent changes are kept as versions.",
        "Sources/docent-provider-validator/ValidatorCommand.swift": "The folder of a run.",
        "Plugins/Rclone/Provider/RcloneProvider+Place.swift": "The answer to a deletion that the user asked for.",
        "Plugins/WebDAV/Provider/WebDAVProvider+Place.swift": "The answer to a deletion that the user asked for.",
    ]

    /// A sentence that begins with such a verb, or goes on with it: "Compare the two, and remove one."
    private static let advice =
        #"(?:^|[.;:!?)] )(?:Remove|Delete|Erase|Discard|Wipe|Destroy)\b"#
        + #"|(?:[,;:]| or| and| then| first) (?:then )?(?:remove|delete|erase|discard|wipe|destroy) "#
        + #"(?:(?:it|its|them|the|an?|one|some|what|every|this|that|those|these|all|your)\b|\\)"#

    @Test("no message advises deleting documents, apart from exceptions that still exist")
    func messages() throws {
        let advice = try NSRegularExpression(pattern: Self.advice)
        // Parts of one text, and its lines.
        let seam = try NSRegularExpression(pattern: #""\s*\+\s*"|\\\n\s*"#)
        var found: Set<String> = []
        for path in try Tree.files(below: ["Sources", "Plugins"], endings: [".swift", ".c", ".h"]) {
            let source = String(decoding: try Tree.data(path), as: UTF8.self)
            let whole = seam.stringByReplacingMatches(
                in: source, range: NSRange(source.startIndex..., in: source), withTemplate: "")
            for literal in SourceLines(Data(whole.utf8)).literals {
                let text = String(decoding: literal.text, as: UTF8.self).trimmingCharacters(in: .whitespaces)
                guard advice.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil else { continue }
                if let exception = Self.exceptions.keys.first(where: path.hasPrefix) {
                    found.insert(exception)
                } else {
                    Issue.record("\(path) advises deleting something: say what to do instead of \"\(text)\"")
                }
            }
        }
        for path in Self.exceptions.keys where !found.contains(path) {
            Issue.record("\(path) no longer names a deletion: drop the exception")
        }
    }

    @Test(
        "advice to delete is found, and what is only told is not",
        arguments: [
            ("Compare the two, and remove the one you do not want.", true),
            ("The server is full. Delete something there first.", true),
            ("Remove what it no longer needs from \\(path).", true),
            ("Look at it again, then delete it.", true),
            ("if that machine is gone, remove \\\"\\(path)\\\".", true),
            ("Move what you do not need to another folder.", false),
            ("Check that it has not been moved or removed.", false),
            ("`docent rm -r` deletes a folder with everything in it.", false),
            ("remove the folder", false), ("delete", false),
        ])
    func forms(_ text: String, _ isAdvice: Bool) throws {
        let advice = try NSRegularExpression(pattern: Self.advice)
        #expect((advice.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil) == isAdvice)
    }
}
