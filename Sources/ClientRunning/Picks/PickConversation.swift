import CommandConsole
import DocentInterfaces
import Documents

/// The conversation with the user when a program in the sandbox asks for a document. Pure.
enum PickConversation {
    /// What the user typed.
    enum Answer: Equatable {
        case location(DocumentLocation, readOnly: Bool)
        case list(DocumentLocation?)
        case refuse
        case unclear(String)
    }

    /// The question. Text from the client is marked as such, made harmless, and cut so that each item is one line. The
    /// number of lines is limited so that those above stay on the screen.
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
            said.append(size.line("  Also beside it: ", companions.prefix(8).joined(separator: ", ")))
        }
        if let reason = request.reason { said.append(quoted("  It says: ", reason)) }
        let identity = identity(request, in: size)
        // One more row, for what is typed.
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

    /// The prompt for the answer.
    static func prompt(_ request: Wire.PickRequest) -> String {
        let what = isIntoFolder(request) ? "Folder" : "Document"
        let reading = mayWrite(request) ? ", \"r LOCATION\" for reading only" : ""
        return "\(what) as PROVIDER:/PATH\(reading), ? or \"? LOCATION\" to list, n to refuse: "
    }

    /// The accounts of a provider as they are typed: the default one, which has no name, and the others. The default
    /// one is left out if it is unused and a remote provider has others.
    static func accounts(of provider: String, _ domains: [Wire.Domain]) -> [String] {
        let isUsed = domains.contains { $0.identifier.isEmpty && $0.state != nil }
        let named = domains.filter { !$0.identifier.isEmpty }
        let hasAccounts = named.contains { $0.folder == nil }
        return (isUsed || !hasAccounts ? [provider] : []) + named.map { "\(provider)@\($0.identifier)" }.sorted()
    }

    /// The meaning of a typed line.
    static func answer(_ line: String) -> Answer {
        let line = line.trimmed
        // Keys that are not letters, and replies of the terminal itself, for example to a query for the cursor's
        // position.
        guard !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" })
        else { return .unclear("That contains characters that cannot be shown; write them as \\xHH.") }
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

    /// Whether a folder is requested, to put something into it.
    static func isIntoFolder(_ request: Wire.PickRequest) -> Bool { request.mode == "export" || request.mode == "move" }

    private static func mayWrite(_ request: Wire.PickRequest) -> Bool {
        request.mode == "open" && request.access != AccessMode.read.rawValue
    }

    private static func wish(_ request: Wire.PickRequest) -> String {
        switch request.mode {
        case "import": "wants a copy of a document"
        case "export": "wants to put a copy of a document into a folder"
        case "move": "wants to move a document into a folder, and to keep using it"
        default:
            request.types?.contains("public.folder") == true
                ? mayWrite(request)
                    ? "wants a folder, to read and change everything in it"
                    : "wants a folder, to read everything in it"
                : mayWrite(request)
                    ? "wants to open a document, to read and change it" : "wants to open a document, to read it"
        }
    }
}

extension String {
    /// Without leading and trailing white space.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
