import Foundation
import Glibc

/// The service programs that are included in Docent, which `--service` accepts by name.
enum ReadyService {
    /// Their names.
    static let names = ["directory", "sftp", "webdav"]

    /// The command that `--service` stands for: its first word may be the name of an included program.
    ///
    /// - Parameters:
    ///   - environment: `DOCENT_SERVICES` may name the directory of the included programs.
    ///   - program: the path of this program.
    static func command(
        _ text: String, environment: [String: String], program: String
    ) throws(ValidatorProblem) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw ValidatorProblem(
                "--service names no program.", "Give a command, or one of \(names.joined(separator: ", ")).",
                status: 64)
        }
        let first = String(text.prefix { $0 != " " })
        guard names.contains(first) else { return text }
        let places = candidates(environment, program)
        guard let path = places.map({ place -> String in "\(place)/\(first)" }).first(where: { access($0, X_OK) == 0 })
        else {
            throw ValidatorProblem(
                "The service program \"\(first)\" was not found; it should be in \(places.first ?? "libexec").",
                "Install Docent again, or name the directory in DOCENT_SERVICES.", status: 5)
        }
        return "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'" + text.dropFirst(first.count)
    }

    // Beside an installed program, then in the source tree around a build.
    private static func candidates(_ environment: [String: String], _ program: String) -> [String] {
        if let given = environment["DOCENT_SERVICES"], !given.isEmpty { return [given] }
        let folders = program.split(separator: "/").dropLast()
        var places = ["/" + (folders + ["services"]).joined(separator: "/")]
        for count in stride(from: folders.count - 1, through: max(1, folders.count - 6), by: -1) where count > 0 {
            places.append("/" + (folders.prefix(count) + ["packaging", "services"]).joined(separator: "/"))
        }
        return places
    }
}
