import DocentInterfaces
import Documents

/// What is said when a program in the sandbox asks for a document. Pure.
enum PickConversation {
    /// What the user typed.
    enum Answer: Equatable {
        case location(DocumentLocation, readOnly: Bool)
        case list(DocumentLocation?)
        case refuse
        case unclear(String)
    }

    /// The question. All that the client said is marked as its word, and made harmless.
    static func question(_ request: Wire.PickRequest) -> String {
        func quoted(_ text: String) -> String { "\"" + SafeText.escaped(String(text.prefix(200))) + "\"" }
        let process = request.process.map { ", process \($0)" } ?? ""
        var lines = [
            "",
            "docent: \(SafeText.escaped(request.client)) (\(SafeText.escaped(request.strength))\(process)) "
                + wish(request) + ".",
        ]
        if let name = request.name { lines.append("  Name: " + quoted(name)) }
        if let size = request.size { lines.append("  Size: " + ByteCount.text(size)) }
        if let types = request.types, !types.isEmpty {
            lines.append(
                "  It can use: "
                    + types.prefix(8).map { SafeText.escaped(String($0.prefix(80))) }.joined(separator: ", "))
        }
        if let companions = request.companions, !companions.isEmpty {
            lines.append(
                "  And beside it: " + companions.prefix(8).map { SafeText.escaped($0) }.joined(separator: ", "))
        }
        if let reason = request.reason { lines.append("  It says: " + quoted(reason)) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The line at whose end the answer is typed.
    static func prompt(_ request: Wire.PickRequest) -> String {
        let what = isIntoFolder(request) ? "Folder" : "Document"
        let reading = mayWrite(request) ? ", \"r LOCATION\" for reading only" : ""
        return "\(what) as PROVIDER:/PATH\(reading), ? or \"? LOCATION\" to list, n to refuse: "
    }

    /// What a typed line means.
    static func answer(_ line: String) -> Answer {
        let line = line.trimmed
        switch line {
        case "", "n", "N", "no": return .refuse
        case "?": return .list(nil)
        default: break
        }
        do throws(DocumentsError) {
            if line.hasPrefix("? ") { return .list(try DocumentLocation(String(line.dropFirst(2)).trimmed)) }
            if line.hasPrefix("r ") {
                return .location(try DocumentLocation(String(line.dropFirst(2)).trimmed), readOnly: true)
            }
            return .location(try DocumentLocation(line), readOnly: false)
        } catch { return .unclear([error.message, error.suggestion].compactMap(\.self).joined(separator: " ")) }
    }

    /// Whether a folder is asked for, into which something is put.
    static func isIntoFolder(_ request: Wire.PickRequest) -> Bool { request.mode == "export" || request.mode == "move" }

    private static func mayWrite(_ request: Wire.PickRequest) -> Bool {
        request.mode == "open" && request.access != AccessMode.read.rawValue
    }

    private static func wish(_ request: Wire.PickRequest) -> String {
        switch request.mode {
        case "import": "wants a copy of a document"
        case "export": "wants to put a copy of a document into a folder"
        case "move": "wants to move a document into a folder, and to go on using it"
        default:
            request.types?.contains("public.folder") == true
                ? mayWrite(request)
                    ? "wants a folder, to read and change all that is in it"
                    : "wants a folder, to read all that is in it"
                : mayWrite(request)
                    ? "wants to open a document, to read and change it" : "wants to open a document, to read it"
        }
    }
}

extension String {
    /// Without white space at both ends.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
