/// The unit of systemd that mounts a folder at each login. Pure.
struct LoginUnit {
    /// The name of its file.
    static let name = "docent-view.service"
    /// How its file begins. No other file is changed or removed.
    static let mark = "# Written by `docent mount --at-login`; `docent unmount --at-login` removes it.\n"

    /// The absolute path of `docent`.
    let program: String
    /// The absolute path of the folder.
    let folder: String

    /// The content of its file.
    var text: String {
        Self.mark
            + """

            [Unit]
            Description=Documents of Docent as files
            Documentation=man:docent(1)
            # The daemon has a unit of its own, and ends after this one has saved.
            Wants=docent.socket
            After=docent.socket docent.service

            [Service]
            ExecStart=:\(Self.quoted(program)) mount --foreground \(Self.quoted(folder))
            Restart=on-failure
            # What programs have not closed yet is saved first.
            TimeoutStopSec=90

            [Install]
            WantedBy=default.target

            """
    }

    /// The folder that the content of such a file names; nil if it is no such file.
    static func folder(in text: String) -> String? {
        guard text.hasPrefix(mark),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ExecStart=:") }),
            let argument = line.firstRange(of: " mount --foreground \"")?.upperBound, line.hasSuffix("\"")
        else { return nil }
        return unquoted(line[argument...].dropLast())
    }

    // `:` in front of a command keeps `$` as it is.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "%"): result += "%%"
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += "\\" + String(UnicodeScalar(byte))
            case 0..<0x20, 0x7f...: result += "\\x" + hexadecimal(byte)
            default: result += String(UnicodeScalar(byte))
            }
        }
        return result + "\""
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.utf8.count == 1 ? "0" + text : text
    }

    private static func unquoted(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"): bytes.append(rest.popFirst() ?? byte)
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                guard next == UInt8(ascii: "x") else {
                    bytes.append(next)
                    continue
                }
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
