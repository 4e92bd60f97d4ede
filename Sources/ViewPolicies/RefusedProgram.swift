import FoundationEssentials

/// A program that asked a mounted folder for documents that were not downloaded for it. The view lists them as the
/// attribute `user.docent.refused` of its top folder.
package struct RefusedProgram: Codable, Sendable, Hashable {
    /// Its name, as rules compare it.
    package var program: String
    /// The path of its file.
    package var executable: String
    /// The number of the thread that was refused last.
    package var process: Int
    /// The unit of systemd that it belongs to; nil if there is none.
    package var unit: String?
    /// The rule that refuses it, as a person writes it; nil if it asked for too many documents.
    package var rule: String?
    /// How many documents a minute it may have; nil if a rule refuses it.
    package var limit: Int?
    /// How often it was refused.
    package var count: Int
    /// When it was refused last, in seconds since 1970.
    package var last: Double

    package init(
        program: String, executable: String, process: Int, unit: String? = nil, rule: String? = nil, limit: Int? = nil,
        count: Int, last: Double
    ) {
        self.program = program
        self.executable = executable
        self.process = process
        self.unit = unit
        self.rule = rule
        self.limit = limit
        self.count = count
        self.last = last
    }

    /// The text of the attribute; nil if it cannot be made.
    package static func text(_ list: [RefusedProgram]) -> String? {
        (try? JSONEncoder().encode(list)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What the text of the attribute lists; nothing if it is not such a text.
    package static func list(_ text: String) -> [RefusedProgram] {
        (try? JSONDecoder().decode([RefusedProgram].self, from: Data(text.utf8))) ?? []
    }
}
