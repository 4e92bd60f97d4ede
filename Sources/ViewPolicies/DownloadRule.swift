/// Says whether some programs cause downloads when they open documents of a mounted folder. Pure.
package struct DownloadRule: Sendable, Hashable {
    /// The programs that a rule is about.
    package enum Subject: Sendable, Hashable {
        /// Programs by the names of their files, or of the scripts that an interpreter runs.
        case program(ProgramPattern)
        /// The processes of a unit of systemd.
        case unit(ProgramPattern)

        /// Reads what a person writes: `NAME.service` and `NAME.scope` are units, anything else is a program. The path
        /// of a program stands for its name. Returns nil for a text that names neither.
        package init?(_ text: String) {
            let name = text.hasSuffix("/") ? "" : CallingProgram.fileName(of: text)
            guard let pattern = ProgramPattern(name) else { return nil }
            self = name.hasSuffix(".service") || name.hasSuffix(".scope") ? .unit(pattern) : .program(pattern)
        }

        /// As a person writes it.
        package var text: String {
            switch self {
            case .program(let pattern), .unit(let pattern): pattern.text
            }
        }
    }

    /// What the programs get.
    package enum Downloads: String, Sendable, Hashable, Codable {
        /// They get an error instead of a document that is not on this machine.
        case refuse
        /// They get every document.
        case allow
    }

    package var subject: Subject
    package var downloads: Downloads

    package init(_ subject: Subject, _ downloads: Downloads) {
        self.subject = subject
        self.downloads = downloads
    }

    /// Whether a program is meant. A program also counts as the one that started it: some backups read through others.
    package func matches(_ program: CallingProgram) -> Bool {
        switch subject {
        case .program(let pattern): (program.names + program.starter).contains { pattern.matches($0) }
        case .unit(let pattern): program.unit.map { pattern.matches($0) } ?? false
        }
    }
}
