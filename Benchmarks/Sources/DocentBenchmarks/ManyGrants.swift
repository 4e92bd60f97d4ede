import Foundation

/// Fills the database of an installation whose daemon is not running with rights that are not used.
enum ManyGrants {
    /// Adds rights of the clients `org.example.client0` and so on to the items `item0` and so on.
    ///
    /// Uses SQLite directly, in one transaction: a million choices would take an hour.
    static func add(_ installation: Installation, clients: Int, documents: Int) throws {
        let program = """
            import sqlite3, sys
            path, clients, documents = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
            database = sqlite3.connect(path)
            database.executemany(
                "INSERT INTO grants (principal_kind, principal_id, provider, domain, item, access, origin, created)"
                " VALUES ('unconfined', ?, 'org.docent.Bench', '', ?, 'read', 'open', 1800000000000)",
                ((f"org.example.client{c}", f"item{d}") for c in range(clients) for d in range(documents)))
            database.commit()
            """
        try installation.docent("daemon", "stop", "--force")
        try Program.run(
            installation.settings.python, ["-c", program, database(installation), "\(clients)", "\(documents)"],
            environment: installation.environment)
    }

    /// The directory of the database.
    static func folder(_ installation: Installation) -> String { installation.home + "/.local/share/docent" }

    private static func database(_ installation: Installation) -> String { folder(installation) + "/docent.sqlite" }
}
