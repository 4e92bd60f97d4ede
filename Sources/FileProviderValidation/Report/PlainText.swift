package import DocentInterfaces
import Foundation
import Varlink

/// Makes texts of a provider safe for a terminal and a report: they cannot move the cursor, end a line or be endless.
package enum PlainText {
    /// A text in quotation marks. Control and invisible characters are written as `\u{…}`, and long texts are cut.
    package static func quoted(_ text: String, limit: Int = 200) -> String {
        "\"" + escaped(text, limit: limit) + "\""
    }

    /// The same without quotation marks.
    ///
    /// - Parameter keepsLines: keeps line feeds.
    package static func escaped(_ text: String, limit: Int = 4_000, keepsLines: Bool = false) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return result + "… (\(text.utf8.count) bytes)" }
            count += 1
            if keepsLines, scalar == "\n" {
                result.unicodeScalars.append(scalar)
            } else if isHidden(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        // Otherwise two names with differently encoded accents would look the same.
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// An item as text.
    package static func item(_ item: Wire.ProviderItem) -> String {
        var parts = [item.isFolder ? "folder" : "document", quoted(item.name), "identifier " + quoted(item.identifier)]
        parts.append("in " + quoted(item.parent))
        if let size = item.size { parts.append("size \(size)") }
        if let version = item.version { parts.append("version " + quoted(version)) }
        if let capabilities = item.capabilities {
            parts.append("may " + capabilities.map { escaped($0, limit: 30) }.joined(separator: ", "))
        }
        return parts.joined(separator: ", ")
    }

    /// The message of an error.
    package static func words(of error: any Error) -> String {
        switch error {
        case let failure as Failure: escaped(failure.message)
        case let problem as CallProblem: problem.description
        case let reply as VarlinkCallError: escaped(Failure(reply).message)
        case let transport as VarlinkError: escaped(transport.message)
        default: escaped(error.localizedDescription)
        }
    }

    /// Some names; only the first of them if there are many.
    package static func names(_ names: [String], limit: Int = 12) -> String {
        guard !names.isEmpty else { return "nothing" }
        let shown = names.prefix(limit).map { quoted($0, limit: 80) }.joined(separator: ", ")
        return names.count > limit ? shown + " and \(names.count - limit) more" : shown
    }

    /// How the two contents differ.
    package static func difference(_ got: [UInt8], _ expected: [UInt8]) -> String {
        let common = min(got.count, expected.count)
        let position = (0..<common).first { got[$0] != expected[$0] }
        switch (position, got.count == expected.count) {
        case (nil, true): return "the same \(got.count) bytes"
        case (nil, false): return "\(got.count) bytes instead of \(expected.count), the same as far as they go"
        case (let position?, let same):
            let lengths = same ? "\(got.count) bytes" : "\(got.count) bytes instead of \(expected.count)"
            return
                "\(lengths), different from byte \(position) on: \(hex(got, position)) instead of \(hex(expected, position))"
        }
    }

    private static func hex(_ bytes: [UInt8], _ position: Int) -> String {
        bytes[position..<min(position + 8, bytes.count)].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
