import CommandConsole
import DocentInterfaces
import Documents
import Varlink

/// Formats the pick requests of programs for people.
enum PickText {
    /// A table with one line per request.
    static func text(_ requests: [Wire.PickRequest]) -> String {
        var table = Table(["REQUEST", "CLIENT", "STRENGTH", "PROCESS", "ASKS TO", "SINCE", "IT SAYS"])
        for request in requests {
            table.add([
                String(request.identifier.prefix(8)), "\(request.clientKind):\(request.client)", request.strength,
                request.process.map(String.init) ?? "-", wish(request), Timestamp.text(request.since) ?? "-",
                request.reason.map { "\"\($0)\"" } ?? "-",
            ])
        }
        return table.shown
    }

    /// As in `open for reading with {stem}.srt of type public.movie`. Names and types come from the program.
    static func wish(_ request: Wire.PickRequest) -> String {
        var words = [request.mode]
        if let name = request.name { words.append("\"\(name)\"") }
        if let size = request.size { words.append("(\(size) bytes)") }
        if request.mode == "open" { words.append(request.access == "read" ? "for reading" : "for editing") }
        if let companions = request.companions { words.append("with \(companions.joined(separator: ", "))") }
        if let types = request.types { words.append("of type \(types.joined(separator: ", "))") }
        return words.joined(separator: " ")
    }

    /// The one waiting request whose identifier begins with `beginning`.
    ///
    /// - Throws: ``DocumentsError`` `notFound`, or `invalidArgument` if there are several.
    static func request(
        _ beginning: String, _ administrator: DocumentsClient
    ) async throws(DocumentsError) -> Wire.PickRequest {
        let all = try await administrator.call(AdministrationInterface.PickRequests.self, .init()).value.requests
        return try find(beginning, in: all)
    }

    /// The same among these.
    static func find(_ beginning: String, in all: [Wire.PickRequest]) throws(DocumentsError) -> Wire.PickRequest {
        let found = all.filter { !beginning.isEmpty && $0.identifier.hasPrefix(beginning.uppercased()) }
        guard found.count < 2 else {
            throw DocumentsError(
                .invalidArgument, "Several requests begin with \(beginning).", suggestion: "Write more of its name.")
        }
        guard let request = found.first else {
            throw DocumentsError(
                .notFound, "There is no request \(beginning).", suggestion: "`docent picks` lists those that wait.")
        }
        return request
    }
}

/// The pick request record of docs/json.md.
extension JSONValue {
    /// All requests.
    init(picks requests: [Wire.PickRequest]) {
        self = .object(["requests": .array(requests.map(JSONValue.init(pick:)))])
    }

    private init(pick request: Wire.PickRequest) {
        self = .object([
            "identifier": .string(request.identifier),
            "clientKind": .string(request.clientKind),
            "client": .string(request.client),
            "strength": .string(request.strength),
            "process": JSONValue(request.process),
            "executable": JSONValue(request.executable),
            "mode": .string(request.mode),
            "types": request.types.map { JSONValue($0) } ?? .null,
            "access": JSONValue(request.access),
            "companions": request.companions.map { JSONValue($0) } ?? .null,
            "name": JSONValue(request.name),
            "size": JSONValue(request.size),
            "reason": JSONValue(request.reason),
            "since": JSONValue(Timestamp.text(request.since)),
        ])
    }
}
