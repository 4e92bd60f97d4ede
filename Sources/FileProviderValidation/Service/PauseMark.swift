import CLinux
import FoundationEssentials
import Glibc
import Varlink

/// A file that exists while a case has made a service unreachable. If it is found after the end of the case, the
/// service has to be made reachable again.
package struct PauseMark: Sendable {
    private static let longest = 1 << 20

    private let path: String

    /// The mark of a run, in the directory of the run.
    package init(run directory: String) { path = directory + "/service-paused" }

    /// Creates the file.
    ///
    /// - Parameter variables: the environment of the program.
    /// - Throws: ``ServiceProblem`` when it cannot be written; the service must not be paused then.
    func set(_ variables: [String: String]) throws {
        do {
            try JSONEncoder().encode(variables).write(to: URL(filePath: path))
        } catch {
            throw ServiceProblem.failed("The pause of the service cannot be recorded: " + PlainText.words(of: error))
        }
    }

    /// Removes it.
    package func clear() { unlink(path) }

    /// The recorded environment; nil if the service is reachable.
    package func read() -> [String: String]? {
        // The file may have been written by others: only a regular file of a limited size is read.
        var facts = clinux_stat()
        guard clinux_stat_at(CLINUX_AT_FDCWD, path, &facts) == 0, clinux_is_regular(facts.mode) != 0,
            facts.size <= Self.longest
        else { return nil }
        let file = OwnedDescriptor(clinux_open(path, CLINUX_O_RDONLY | CLINUX_O_NONBLOCK | CLINUX_O_NOFOLLOW, 0))
        guard clinux_stat_fd(file.raw, &facts) == 0, clinux_is_regular(facts.mode) != 0 else { return [:] }
        let data = Data(ContentFile.contents(of: file.raw, limit: Self.longest))
        let noted = (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
        return noted.filter { $0.key.hasPrefix("DOCENT_SERVICE_") }
    }
}
