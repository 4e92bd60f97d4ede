import DocentTestSupport
import Foundation
import Glibc
import ProcessLaunching
import Testing

/// What a started program inherits from this process.
@Suite(.mayBlock) struct ProgramLaunchTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String) throws -> CInt {
        let file = open(folder.path + "/" + name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        return file
    }

    @Test("a program has the descriptors that it is given, and no others")
    func descriptors() throws {
        let file = try file("given")
        // Not close-on-exec, like one that a library may leave open.
        let stray = dup(file)
        defer { for one in [file, stray] { close(one) } }
        try #require(stray > 2 && fcntl(stray, F_GETFD) == 0)

        let cat = try RunningCat(others: [.null, .copy(file), .null])
        #expect(try cat.descriptors == [0, 1, 2, 3, 4])
        #expect(try cat.target("fd/3") == folder.path + "/given")
        #expect(try cat.target("fd/2") == "/dev/null" && cat.target("fd/4") == "/dev/null")
        #expect(fcntl(stray, F_GETFD) == 0 && fcntl(file, F_GETFD) == FD_CLOEXEC)
    }

    @Test("descriptors that swap their numbers both arrive")
    func exchanged() throws {
        let (first, second) = (try file("first"), try file("second"))
        defer { for one in [first, second] { close(one) } }
        var others = [ProgramLaunch.Source](repeating: .null, count: Int(max(first, second)) - 1)
        others[Int(first) - 2] = .copy(second)
        others[Int(second) - 2] = .copy(first)

        let cat = try RunningCat(others: others)
        #expect(try cat.target("fd/\(first)") == folder.path + "/second")
        #expect(try cat.target("fd/\(second)") == folder.path + "/first")
        #expect(try cat.descriptors == Set(0...Int(max(first, second))))
    }

    @Test("a descriptor that keeps its number arrives although it is close-on-exec here")
    func sameNumber() throws {
        let file = try file("same")
        defer { close(file) }
        var others = [ProgramLaunch.Source](repeating: .null, count: Int(file) - 1)
        others[Int(file) - 2] = .copy(file)
        #expect(try RunningCat(others: others).target("fd/\(file)") == folder.path + "/same")
    }

    @Test("the null device can be standard input and any other descriptor")
    func nullDevice() throws {
        let cat = try RunningCat(others: [.null])
        #expect(try cat.text("fdinfo/2").contains("flags:\t0100001"))
        var launch = ProgramLaunch("/bin/cat", [], environment: .exactly([:]), descriptors: [.null, .null, .null])
        launch.startsSession = true
        // Its input ends at once.
        #expect(try Self.status(launch) == 0)
    }

    @Test("its own standard error is this process's")
    func own() throws {
        let cat = try RunningCat(others: [.own])
        #expect(try cat.target("fd/2") == FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/2"))
        #expect(try cat.descriptors == [0, 1, 2])
    }

    @Test("a file to append to keeps its content, and a new one is accessible to its owner alone")
    func appending() throws {
        let (old, new) = (folder.path + "/old", folder.path + "/new")
        try Data("before\n".utf8).write(to: folder.url("old"))
        for path in [old, new] {
            let launch = ProgramLaunch(
                "/bin/cat", ["/nonexistent"], environment: .exactly(["LC_ALL": "C"]),
                descriptors: [.null, .null, .appending(path)])
            #expect(try Self.status(launch) == 1 << 8)
        }
        let text = try String(contentsOf: folder.url("old"), encoding: .utf8)
        #expect(text.hasPrefix("before\n/bin/cat: /nonexistent: "))
        var facts = stat()
        #expect(stat(new, &facts) == 0 && facts.st_mode & 0o7777 == 0o600 && facts.st_size > 0)
    }

    @Test("the environment is exactly the given one, and contains nothing of this process's")
    func environment() throws {
        setenv("DOCENT_TEST_STRAY", "1", 1)
        defer { unsetenv("DOCENT_TEST_STRAY") }
        let given = ["A": "1", "EMPTY": "", "SPACED": "a = 'b'\n$A"]
        #expect(
            try RunningCat(environment: .exactly(given)).list("environ").sorted()
                == ["A=1", "EMPTY=", "SPACED=a = 'b'\n$A"])
        #expect(try RunningCat(environment: .exactly([:])).list("environ") == [])
        #expect(try RunningCat(environment: .own).list("environ").contains("DOCENT_TEST_STRAY=1"))
    }

    @Test("arguments arrive unchanged, after the path as the name")
    func arguments() throws {
        let odd = ["-", "", "two words", "$HOME", "'\"\\", "*", "ünï"]
        #expect(try RunningCat("/bin/cat", odd).list("cmdline") == ["/bin/cat"] + odd)
    }

    @Test("no signal is blocked or ignored, whatever this process does")
    func signals() throws {
        let before = signal(SIGUSR2, SIG_IGN)
        var (blocked, old) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGUSR1)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &old)
        defer {
            pthread_sigmask(SIG_SETMASK, &old, nil)
            signal(SIGUSR2, before)
        }
        let cat = try RunningCat()
        #expect(try cat.signals("SigBlk") == 0)
        // The C library reserves 32 and 33, and a program may ignore them until it has threads.
        #expect(try cat.signals("SigIgn").map { $0 & ~(0b11 << 31) } == 0)
    }

    @Test("a program gets its own session only on request", arguments: [false, true])
    func session(isOwn: Bool) throws {
        let cat = try RunningCat { $0.startsSession = isOwn }
        #expect(getsid(cat.process) == (isOwn ? cat.process : getsid(0)))
        #expect(getpgid(cat.process) == (isOwn ? cat.process : getpgrp()))
    }

    @Test("a program runs in its folder, and paths for the launcher are relative to this process")
    func workingFolder() throws {
        let cat = try RunningCat(others: [.appending("/dev/null")]) { $0.folder = folder.path }
        #expect(try cat.target("cwd") == folder.path)
        #expect(
            try RunningCat().target("cwd") == FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/cwd"))
    }

    @Test("nothing that was opened for a start stays open here, whether the start succeeds or not")
    func cleanUp() throws {
        let file = try file("passed")
        defer { close(file) }
        func lowest() -> CInt {
            let number = dup(file)
            close(number)
            return number
        }
        let before = lowest()
        for program in ["/bin/true", "/nonexistent"] {
            let launch = ProgramLaunch(
                program, [], environment: .exactly([:]), descriptors: [.null, .null, .copy(file), .copy(file)])
            _ = try? Self.status(launch)
            #expect(lowest() == before)
        }
        let launch = ProgramLaunch("/bin/true", [], environment: .own, descriptors: [.copy(file), .copy(-1)])
        #expect(throws: LaunchFailure(code: EBADF)) { try launch.start() }
        #expect(lowest() == before)
    }

    private static func status(_ launch: ProgramLaunch) throws -> CInt {
        let process = try launch.start()
        var status: CInt = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
