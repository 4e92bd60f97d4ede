import DocentTestSupport
import Foundation
import Testing

/// A clock that jumps by years between two daemons. Waiting uses a monotonic clock; recorded times use the wall clock.
@Suite(.needs(.daemon, .server)) struct RemoteClockTests {
    /// Shifts every recorded time, as if the clock had been wrong when it was written: all are in milliseconds since
    /// 1970.
    private static let shift = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        moved = 0
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in [row[1] for row in database.execute(f"PRAGMA table_info({table})") if row[2] == "INTEGER"]:
                moved += database.execute(
                    f"UPDATE {table} SET {column} = {column} + ? WHERE {column} > 1000000000000", (int(sys.argv[2]),)
                ).rowcount
        database.commit()
        print(moved)
        """

    @Test(
        "clock jumps of ten years in either direction lose, delete and delay nothing",
        arguments: Sample.shared.of([-10, 10]))
    func jump(years: Int) async throws {
        try await RemoteInstallation.with(.apache) { server in
            for name in ["read.txt", "pinned.txt", "changed.txt", "remote.txt"] { try await server.put("old", name) }
        } _: { remote in
            let installation = remote.installation
            try await remote.docent("ls", remote.location("")).succeeded()
            for name in ["read.txt", "pinned.txt", "changed.txt", "remote.txt"] {
                #expect(try await remote.read(name) == "old")
            }
            try await remote.docent("pin", remote.location("pinned.txt")).succeeded()
            try await remote.server.stop()
            try await remote.write("new", "changed.txt").succeeded()
            try await remote.docent("daemon", "stop", "--force").succeeded()
            try await installation.eventually("the daemon is gone") { installation.daemonProcess == nil }

            let milliseconds = years * 365 * 86_400_000
            let moved = try await installation.run(
                "/usr/bin/python3", ["-c", Self.shift, installation.data + "/docent.sqlite", "\(milliseconds)"]
            ).succeeded()
            #expect(try #require(Int(moved.text.trimmingCharacters(in: .whitespacesAndNewlines))) > 4)

            #expect(try await remote.read("changed.txt") == "new")
            #expect(try await remote.read("read.txt") == "old")
            try await remote.server.restart()
            try await remote.server.put("newer", "remote.txt")
            let drained = try await remote.drain()
            #expect(drained.status == 0, "\(drained.errors)")
            #expect(try await remote.server.text("changed.txt") == "new")
            try await installation.eventually("the remote change is seen", within: 60) {
                try await remote.read("remote.txt") == "newer"
            }
            let names = try await remote.docent("ls", remote.location("")).succeeded().text
            #expect(names == "changed.txt\npinned.txt\nread.txt\nremote.txt\n")
            let evicted = try await remote.docent("evict", remote.location("pinned.txt"))
            #expect(evicted.status != 0, "it is still pinned")
            try await remote.docent("evict", remote.location("read.txt")).succeeded()
            #expect(try await remote.read("read.txt") == "old")
        }
    }
}
