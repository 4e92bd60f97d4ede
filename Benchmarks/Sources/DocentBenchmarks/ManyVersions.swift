import Documents
import Foundation

/// Fills the database of an installation with versions whose content does not exist.
enum ManyVersions {
    /// Adds versions to documents: those of a reference, or `item1` and so on beside it. Each document has as many, one
    /// for each minute up to now. The daemon is stopped for it.
    ///
    /// Uses SQLite directly, in one transaction: a million saves would take hours.
    static func add(
        _ installation: Installation, _ reference: DocumentReference, documents: Int, versions: Int
    ) throws {
        let program = """
            import sqlite3, sys, time
            path, provider, domain, item, documents, each = *sys.argv[1:5], int(sys.argv[5]), int(sys.argv[6])
            now = int(time.time() * 1000)
            database = sqlite3.connect(path)
            database.executemany(
                "INSERT INTO kept_version (id, provider, domain, item, name, reason, standing, size, created, folder,"
                " file) VALUES (?, ?, ?, ?, 'small.bin', 'superseded', 'ordinary', 16, ?, '.docent-saves-00', ?)",
                ((f"b{d}-{v}", provider, domain, item if d == 0 else f"item{d}", now - v * 60000, f"superseded-{d}-{v}")
                 for d in range(documents) for v in range(each)))
            database.commit()
            """
        try installation.docent("daemon", "stop", "--force")
        try run(
            installation, program,
            [
                reference.provider, reference.domain, reference.identifier, "\(documents)",
                "\(versions / documents)",
            ])
    }

    /// How many versions there are.
    static func count(_ installation: Installation) throws -> Int {
        let program = """
            import sqlite3, sys
            database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
            print(database.execute("SELECT versions FROM version_space").fetchone()[0])
            """
        let output = installation.root + "/versions"
        try run(installation, program, [], output: output)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        guard let count = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Problem("the versions cannot be counted: \(text)")
        }
        return count
    }

    private static func run(
        _ installation: Installation, _ program: String, _ arguments: [String], output: String = "/dev/null"
    ) throws {
        try Program.run(
            installation.settings.python,
            ["-c", program, ManyGrants.folder(installation) + "/docent.sqlite"] + arguments,
            environment: installation.environment, output: output)
    }
}
