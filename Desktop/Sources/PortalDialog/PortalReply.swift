package import PickerDialog

/// The answer to a call of the portal, in the text form of GVariant: `(ua{sv})`. Pure.
package enum PortalReply {
    /// The person chose nothing.
    package static let cancelled = "(uint32 1, @a{sv} {})"
    /// The window has ended in another way.
    package static let ended = "(uint32 2, @a{sv} {})"

    /// What the person chose; ``ended`` if the window has answered something else.
    package static func text(_ answer: FileDialogAnswer, to request: PortalRequest) -> String {
        let isExpected =
            switch request.method {
            case .openFile: request.dialog.multiple ? !answer.paths.isEmpty : answer.paths.count == 1
            case .saveFile: answer.paths.count == 1
            case .saveFiles: answer.paths.count == request.dialog.files?.names.count
            }
        guard isExpected, answer.paths.allSatisfy({ $0.hasPrefix("/") && !$0.utf8.contains(0) }) else { return ended }
        var results = ["'uris': <[\(answer.paths.map { quoted(uri($0)) }.joined(separator: ", "))]>"]
        if request.method == .openFile { results.append("'writable': <\(!answer.isReadOnly)>") }
        let shown = (request.dialog.files?.choices ?? []).map { choice in
            (choice.identifier, answer.choices[choice.identifier] ?? choice.selected)
        }
        let choices = shown + request.hiddenChoices.map { ($0.identifier, $0.value) }
        if !choices.isEmpty {
            let pairs = choices.map { "(\(quoted($0.0)), \(quoted($0.1)))" }
            results.append("'choices': <[\(pairs.joined(separator: ", "))]>")
        }
        if let filter = answer.filter, request.filters.indices.contains(filter) {
            let patterns = request.filters[filter].patterns.map { "(uint32 \($0.kind), \(quoted($0.text)))" }
            let list = patterns.isEmpty ? "@a(us) []" : "[\(patterns.joined(separator: ", "))]"
            results.append("'current_filter': <(\(quoted(request.filters[filter].name)), \(list))>")
        }
        return "(uint32 0, {\(results.joined(separator: ", "))})"
    }

    /// The address of a file.
    static func uri(_ path: String) -> String {
        var text = "file://"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += (byte < 16 ? "%0" : "%") + digits
            }
        }
        return text
    }

    /// A string of GVariant. Only letters, digits and spaces stand for themselves.
    static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || " /:.%-_~*".unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return result + "'"
    }
}
