import DocentTestSupport
import Foundation
import Glibc
import ProcessLaunching
import Testing

/// Why a program cannot be started.
@Suite(.mayBlock) struct LaunchFailureTests {
    private let folder = TemporaryFolder()

    private func launch(_ program: String) -> ProgramLaunch {
        ProgramLaunch(program, [], environment: .exactly([:]), descriptors: [.null, .null, .null])
    }

    /// An executable file in a format that the kernel does not know.
    private func shellText() throws -> String {
        let path = folder.path + "/text"
        try Data("touch \(folder.path)/ran\n".utf8).write(to: URL(filePath: path))
        try #require(chmod(path, 0o700) == 0)
        return path
    }

    @Test("a program that is missing, invalid or not executable is reported with the error number")
    func programs() throws {
        try folder.make("plain")
        for (program, code) in [
            ("/nonexistent", ENOENT), ("", ENOENT), (folder.path, EACCES), (folder.path + "/plain", EACCES),
            (folder.path + "/plain/below", ENOTDIR),
        ] {
            #expect(throws: LaunchFailure(code: code), "\(program)") { try launch(program).start() }
        }
    }

    @Test("a text without an interpreter line is not passed to a shell", arguments: [false, true])
    func noShell(searchesPath: Bool) throws {
        var launch = launch(try shellText())
        launch.searchesPath = searchesPath
        #expect(throws: LaunchFailure(code: ENOEXEC)) { try launch.start() }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/ran"))
    }

    @Test("a name is looked up on PATH only on request")
    func path() throws {
        #expect(throws: LaunchFailure(code: ENOENT)) { try launch("cat").start() }
        let cat = try RunningCat("cat") { $0.searchesPath = true }
        #expect(try cat.list("cmdline").first == "cat")
        var missing = launch("docent-no-such-program")
        missing.searchesPath = true
        #expect(throws: LaunchFailure(code: ENOENT)) { try missing.start() }
    }

    @Test("a descriptor or a folder that cannot be opened prevents the start")
    func places() throws {
        var launch = launch("/bin/true")
        launch.descriptors = [.null, .null, .appending(folder.path + "/none/log")]
        #expect(throws: LaunchFailure(code: ENOENT)) { try launch.start() }
        launch.descriptors = [.copy(-1)]
        #expect(throws: LaunchFailure(code: EBADF)) { try launch.start() }
        launch.descriptors = [.null]
        launch.folder = folder.path + "/none"
        #expect(throws: LaunchFailure(code: ENOENT)) { try launch.start() }
    }

    @Test("a text with a null byte is refused, because the program would see only its beginning")
    func nullBytes() throws {
        for launch in [
            ProgramLaunch("/bin/true\0x", [], environment: .own, descriptors: []),
            ProgramLaunch("/bin/true", ["a\0b"], environment: .own, descriptors: []),
            ProgramLaunch("/bin/true", [], environment: .exactly(["A": "b\0c"]), descriptors: []),
            ProgramLaunch("/bin/true", [], environment: .exactly(["A\0": "b"]), descriptors: []),
        ] {
            #expect(throws: LaunchFailure(code: EINVAL)) { try launch.start() }
        }
    }

    @Test("a program that cannot replace this one leaves it running")
    func replacement() {
        let before = signal(SIGPIPE, SIG_IGN)
        #expect(throws: LaunchFailure(code: ENOENT)) { try ProgramReplacement.become("/nonexistent", []) }
        #expect(throws: LaunchFailure(code: EINVAL)) { try ProgramReplacement.become("/bin/true", ["\0"]) }
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1)
        signal(SIGPIPE, before)
    }

    @Test("the reason is the C library's text")
    func reason() {
        #expect(LaunchFailure(code: ENOENT).reason == "No such file or directory")
    }
}
