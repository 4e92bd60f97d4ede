package import Documents
import Glibc

/// Whether the user wants notifications: a file that desktops read at each login, by the specification of autostart of
/// freedesktop.org. A file of the user counts before one that the administrator has installed in `/etc/xdg/autostart`.
package struct NoticeSetting: Sendable {
    /// The name of the file.
    package static let name = "org.docent.Notifier.desktop"
    /// How the user's file begins. No other file is changed.
    package static let mark = "# Written by `docent notifications`.\n"

    /// The user's decision.
    package enum State: String, Sendable, Hashable {
        case on, off
        /// Nothing: the administrator's file counts, if there is one.
        case unset
    }

    /// The path of the user's file.
    package let path: String

    /// - Throws: ``DocumentsError`` `invalidArgument` if the environment names no home.
    package init(_ environment: [String: String]) throws(DocumentsError) {
        if let given = environment["XDG_CONFIG_HOME"], given.hasPrefix("/") {
            path = given + "/autostart/" + Self.name
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = home + "/.config/autostart/" + Self.name
        } else {
            throw DocumentsError(
                .invalidArgument, "HOME is not set.", suggestion: "Set HOME to the absolute path of your folder.")
        }
    }

    // MARK: The file

    /// The user's decision. Blocks on one small file.
    package var state: State { Self.read(path).map(Self.state) ?? .unset }

    /// Whether the file is one that Docent wrote, or there is none.
    package var isOwn: Bool { Self.read(path).map { $0.hasPrefix(Self.mark) } ?? true }

    /// The first 16 KiB of the file; nil if it cannot be read.
    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    // MARK: Its content. Pure.

    /// The setting in a file.
    static func state(_ text: String) -> State {
        let isHidden = text.split(separator: "\n").contains { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && word(parts[0]) == "Hidden" && word(parts[1]) == "true"
        }
        return isHidden ? .off : .on
    }

    private static func word(_ text: Substring) -> String {
        String(text.filter { $0 != " " && $0 != "\t" && $0 != "\r" })
    }

    /// The content of a file.
    ///
    /// - Parameters:
    ///   - program: the absolute path of `docent-notifier`.
    ///   - isOn: whether it is to be started; a desktop starts nothing for a hidden entry.
    package static func text(program: String, isOn: Bool) -> String {
        mark + """
            [Desktop Entry]
            Type=Application
            Name=Docent notifications
            Comment=Says when a conflict has to be settled, or the changes of a program are held
            Exec=\(quoted(program))
            NoDisplay=true
            Hidden=\(isOn ? "false" : "true")

            """
    }

    /// A word of a command line, by the rules for `Exec`: quoted, and then written as a text of such a file.
    static func quoted(_ word: String) -> String {
        var result = "\""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "`", "$": result += "\\\\" + String(scalar)
            case "\\": result += "\\\\\\\\"
            case "%": result += "%%"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
