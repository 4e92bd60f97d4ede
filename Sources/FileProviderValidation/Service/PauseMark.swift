import FoundationEssentials
import Glibc

/// A file that is there while a case has made a service unreachable: whoever finds it after the end of the case has to
/// make the service reachable again.
package struct PauseMark: Sendable {
    private static let longest = 1 << 20

    private let path: String

    /// The mark of the run whose directory this is.
    package init(run directory: String) { path = directory + "/service-paused" }

    /// Sets it.
    ///
    /// - Parameter variables: what the program found in its environment.
    /// - Throws: ``ServiceProblem`` when it cannot be written: nothing must be paused then.
    func set(_ variables: [String: String]) throws {
        do {
            try JSONEncoder().encode(variables).write(to: URL(filePath: path))
        } catch {
            throw ServiceProblem.failed("It cannot be noted that the service is paused: " + PlainText.words(of: error))
        }
    }

    /// Removes it.
    package func clear() { unlink(path) }

    /// What was noted; nil where the service is reachable.
    package func read() -> [String: String]? {
        // Whoever else may write there: it is read as a file of a size that can be held.
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.longest else {
            return nil
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [:] }
        let noted = (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
        return noted.filter { $0.key.hasPrefix("DOCENT_SERVICE_") }
    }
}
