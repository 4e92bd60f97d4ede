import DesktopPrograms
import Testing

@Suite("Programs that are started")
struct ChildProgramTests {
    @Test("What a program writes and how it ends is reported")
    @MainActor
    func run() async {
        #expect(await ChildProgram.run("/bin/echo", ["a b"]) == .init(code: 0, output: Array("a b\n".utf8)))
        let failed = await ChildProgram.run("/bin/sh", ["-c", "echo no >&2; exit 5"])
        #expect(failed == .init(code: 5, output: Array("no\n".utf8)))
        #expect(await ChildProgram.run("/bin/sh", ["-c", "kill -9 $$"])?.code == nil)
        #expect(await ChildProgram.run("/nothing/here", []) == nil)
    }

    @Test("Lines arrive one after the other, and the end of its input ends a program")
    @MainActor
    func input() async {
        let ending = await withCheckedContinuation { continuation in
            let child = ChildProgram.start("/bin/cat") { continuation.resume(returning: $0) }
            child?.write(line: Array("one".utf8))
            child?.write(line: Array("two".utf8))
            child?.finishInput()
            child?.finishInput()
            child?.write(line: Array("late".utf8))
        }
        #expect(ending == .init(code: 0, output: Array("one\ntwo\n".utf8)))
    }

    @Test("A program is looked for beside the other one, in bin, and in PATH")
    func places() {
        func found(_ own: String?, _ there: Set<String>) -> String? {
            ProgramPlace.path(of: "p", own: own, search: "/usr/bin:relative:/bin") { there.contains($0) }
        }
        #expect(found("/x/bin/own", ["/x/bin/p", "/usr/bin/p"]) == "/x/bin/p")
        #expect(found("/x/libexec/docent/own", ["/x/bin/p", "/usr/bin/p"]) == "/x/bin/p")
        #expect(found("/x/bin/own", ["/bin/p"]) == "/bin/p")
        #expect(found(nil, ["/p", "relative/p"]) == nil)
    }
}
