import CommandConsole
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

    /// The question. All that the client said is marked as its word, made harmless, and cut so that each line is one line; so many of
    /// them that those above stay on the screen.
    static func question(_ request: Wire.PickRequest, in size: TerminalText) -> [String] {
        func quoted(_ label: String, _ text: String) -> String {
            size.line(label + "\"", String(text.unicodeScalars.prefix(200)).replacing("\"", with: "\\x22"), "\"")
        }
        var said: [String] = []
        if let name = request.name { said.append(quoted("  Name: ", name)) }
        if let size = request.size { said.append("  Size: " + ByteCount.text(size)) }
        if let types = request.types, !types.isEmpty {
            said.append(size.line("  It can use: ", types.prefix(8).joined(separator: ", ")))
        }
        if let companions = request.companions, !companions.isEmpty {
            said.append(size.line("  And beside it: ", companions.prefix(8).joined(separator: ", ")))
        }
        if let reason = request.reason { said.append(quoted("  It says: ", reason)) }
        let identity = identity(request, in: size)
        // And a row more, for what is typed.
        let promptRows = TerminalText.width(prompt(request)) / size.columns + 2
        return identity + said.prefix(max(0, size.rows - identity.count - promptRows))
    }

    /// Who asks, and for what.
    static func identity(_ request: Wire.PickRequest, in size: TerminalText) -> [String] {
        let process = request.process.map { ", process \($0)" } ?? ""
        let after = " (\(SafeText.escaped(request.strength))\(process))"
        let whole = "docent: " + SafeText.escaped(request.client) + after + " " + wish(request) + "."
        if TerminalText.width(whole) < size.columns { return [whole] }
        return size.lines("docent: " + SafeText.escaped(request.client) + after)
            + size.lines("  " + wish(request) + ".")
    }

    /// The line at whose end the answer is typed.
    static func prompt(_ request: Wire.PickRequest) -> String {
        let what = isIntoFolder(request) ? "Folder" : "Document"
        let reading = mayWrite(request) ? ", \"r LOCATION\" for reading only" : ""
        return "\(what) as PROVIDER:/PATH\(reading), ? or \"? LOCATION\" to list, n to refuse: "
    }

    /// The accounts of a provider as they are typed: its default one, which has no name, and the others. A default one that takes
    /// no part beside others of a remote provider is left out.
    static func accounts(of provider: String, _ domains: [Wire.Domain]) -> [String] {
        let isUsed = domains.contains { $0.identifier.isEmpty && $0.state != nil }
        let named = domains.filter { !$0.identifier.isEmpty }
        let hasAccounts = named.contains { $0.folder == nil }
        return (isUsed || !hasAccounts ? [provider] : []) + named.map { "\(provider)@\($0.identifier)" }.sorted()
    }

    /// What a typed line means.
    static func answer(_ line: String) -> Answer {
        let line = line.trimmed
        // Keys that are no letters, and what a terminal itself answers, for instance where the cursor is.
        guard !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" })
        else { return .unclear("That has characters in it that cannot be shown; write them as \\xHH.") }
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
