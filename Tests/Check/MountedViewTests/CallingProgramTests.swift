import Glibc
import Testing
import ViewPolicies

@testable import MountedView

/// Which program asks.
@Suite struct CallingProgramTests {
    @Test(
        "the script of an interpreter is found in its command line",
        arguments: [
            ("python3.11", ["/usr/bin/python3", "/usr/bin/borg", "create"], "borg"),
            ("python3", ["python3", "-I", "-W", "ignore", "/opt/duplicity", "-x"], "duplicity"),
            ("python3", ["python3", "-Im", "borg.archiver", "create"], "borg"),
            ("python3", ["python3", "-c", "print(1)", "restic"], nil), ("python3", ["python3"], nil),
            ("python3", ["python3", "-", "restic"], nil), ("pypy3", ["pypy3", "--", "-odd"], "-odd"),
            ("perl", ["/usr/bin/perl", "-w", "-I", "lib", "/usr/bin/rsnapshot", "daily"], "rsnapshot"),
            ("perl", ["perl", "-ne", "print", "borg"], nil),
            ("bash", ["/bin/bash", "-e", "/home/a/backup.sh"], "backup.sh"), ("sh", ["sh", "-ec", "borg create"], nil),
            ("kioworker", ["/usr/libexec/kioworker", "/usr/lib/kf6/kio/thumbnail.so", "thumbnail"], "thumbnail.so"),
            ("borg", ["borg", "create"], nil), ("bash", [], nil),
        ] as [(String, [String], String?)])
    func scripts(interpreter: String, arguments: [String], script: String?) {
        #expect(InterpretedScript.name(interpreter: interpreter, arguments: arguments) == script)
    }

    @Test(
        "the unit is the innermost one",
        arguments: [
            (
                "0::/user.slice/user-1000.slice/user@1000.service/session.slice/localsearch-3.service\n",
                "localsearch-3.service"
            ),
            ("0::/system.slice/restic.service/worker\n", "restic.service"),
            ("0::/user.slice/user@1.service/app.slice/app-a\\x2db.scope\n", "app-a-b.scope"),
            ("12:pids:/x.service\n1:name=systemd:/user.slice/session-2.scope\n0::/\n", "session-2.scope"),
            ("0::/\n", nil), ("", nil), ("nonsense", nil), ("0::/a\\x.service", "a\\x.service"),
        ] as [(String, String?)])
    func units(text: String, unit: String?) { #expect(UnitName.inControlGroups(text) == unit) }

    @Test("a program is named by its script, and identified by both")
    func names() {
        let script = CallingProgram(executable: "/usr/bin/python3.11", script: "borg")
        #expect(script.name == "borg" && script.names == ["borg", "python3.11"])
        let plain = CallingProgram(executable: "/usr/bin/python3.11")
        #expect(plain.name == "python3.11" && plain.identity != script.identity)
    }

    @Test("this process itself is never asked about, and neither is one that has ended")
    func ownProcess() {
        #expect(ProgramInspection.program(of: UInt32(getpid())) == nil)
        #expect(ProgramInspection.program(of: UInt32(Int32.max)) == nil)
    }

    @Test("another process has a name")
    func otherProcess() throws {
        let parent = try #require(ProgramInspection.program(of: UInt32(getppid())))
        #expect(!parent.name.isEmpty && parent.names.contains(parent.name))
    }
}
