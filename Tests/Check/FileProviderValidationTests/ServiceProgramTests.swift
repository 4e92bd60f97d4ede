import FileProviderValidation
import Foundation
import Testing

/// An author's service program, whatever it does.
@Suite struct ServiceProgramTests {
    private func program(_ command: String, limit: Double = 30) -> ServiceProgram {
        var program = ServiceProgram(command: command, environment: ["PATH": "/usr/bin:/bin"])
        program.limit = .milliseconds(Int(limit * 1_000))
        return program
    }

    private func problem(_ program: ServiceProgram, _ verb: ServiceProgram.Verb = .pause) async -> ServiceProblem? {
        do {
            try await program.run(verb)
            return nil
        } catch {
            return error as? ServiceProblem
        }
    }

    @Test("it gets the verb, the arguments unchanged, the content to store, and the account")
    func given() async throws {
        let folder = NSTemporaryDirectory() + "service-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script =
            "f() { printf '%s|' \"$@\" \"$DOCENT_SERVICE_SETTING_url\" >\(folder)/said; cat >\(folder)/content; }; f"
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try await program(script).run(
            .change, ["write", "a b/'c\"$(x)"], variables: ["DOCENT_SERVICE_SETTING_url": "http://h/"], input: content)
        #expect(try String(contentsOfFile: folder + "/said", encoding: .utf8) == "change|write|a b/'c\"$(x)|http://h/|")
        #expect(FileManager.default.contents(atPath: folder + "/content") == Data(content))
    }

    @Test("its standard output is the address, and of a flood only a limited part is kept")
    func address() async throws {
        #expect(try await program("echo h.example:80; echo x >&2;:").run(.address) == "h.example:80\n")
        #expect(try await program(":").run(.address) == "")
        let long = try await program("head -c 60000 /dev/zero | tr '\\0' x; :").run(.address)
        #expect(long.utf8.count <= 4_096)
        // The flood fills the pipe until the time is over.
        let found = await problem(program("yes; :", limit: 0.5), .address)
        #expect(found?.text.contains("did not end within") == true, "\(String(describing: found))")
    }

    @Test("a flood from any other verb does no harm")
    func flood() async { #expect(await problem(program("yes | head -c 5000000; :")) == nil) }

    @Test("status 3 means an unknown verb, any other status a failure, and both have a reason")
    func statuses() async throws {
        guard case .lacking(let reason)? = await problem(program("echo 'not my job' >&2; exit 3; :")) else {
            Issue.record("status 3 is not a lack")
            return
        }
        #expect(reason.contains("not my job") && reason.contains("pause"))
        for (script, words) in [
            ("echo 'out of order' >&2; exit 1; :", "out of order"), ("kill -SEGV $$; :", "signal 11"),
        ] {
            guard case .failed(let reason)? = await problem(program(script)) else {
                Issue.record("\(script) did not fail")
                continue
            }
            #expect(reason.contains(words), "\(reason)")
        }
        #expect(await problem(program("/nonexistent/service"))?.text.contains("code 127") == true)
    }

    @Test("terminal controls in its output are escaped")
    func escaped() async {
        let found = await problem(program("printf '\\033[2J\\r\\nfine\\342\\200\\256' >&2; exit 1; :"))
        let text = found?.text ?? ""
        #expect(text.contains("fine"))
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E }, "\(text)")
    }

    @Test("a program that does not end is killed with its children; one that ends may leave children running")
    func descendants() async throws {
        let file = NSTemporaryDirectory() + "service-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        func isRunning() throws -> Bool {
            let number = try String(contentsOfFile: file, encoding: .utf8).filter(\.isNumber)
            let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
            return String(decoding: line, as: UTF8.self).hasPrefix("sleep\0")
        }
        let found = await problem(program("sleep 600 & echo $! >\(file); sleep 600; :", limit: 5))
        #expect(found?.text.contains("was killed") == true)
        func wait(until isSo: () throws -> Bool) async throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while try !isSo(), .now < deadline { try await Task.sleep(for: .milliseconds(20)) }
            let isThere = try isSo()
            #expect(isThere)
        }
        try await wait { try !isRunning() }
        try await program("sleep 600 & echo $! >\(file); :").run(.resume)
        try await wait { try isRunning() }
        try await program("kill $(cat \(file)); :").run(.pause)
    }

    @Test("the program gets the account in its environment, but not the secret")
    func variables() {
        let subject = ProviderSubject(
            identifier: "p", displayName: "p", folder: "/srv/x",
            settings: ["url": "http://h/", "a-b": "no name for a shell", "": "empty", "ü": "no", "x_1": "one"],
            credential: .init(username: "ada", secret: "hush-7c1"))
        #expect(
            subject.serviceVariables == [
                "DOCENT_SERVICE_SETTING_url": "http://h/", "DOCENT_SERVICE_SETTING_x_1": "one",
                "DOCENT_SERVICE_FOLDER": "/srv/x", "DOCENT_SERVICE_USERNAME": "ada",
            ])
    }

    @Test("a pause mark restores the program's variables, and no others")
    func mark() throws {
        let folder = NSTemporaryDirectory() + "mark-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let mark = PauseMark(run: folder)
        #expect(mark.read() == nil)
        let file = folder + "/service-paused"
        try Data(#"{"DOCENT_SERVICE_HOME": "/h", "LD_PRELOAD": "/x.so"}"#.utf8).write(to: URL(filePath: file))
        #expect(mark.read() == ["DOCENT_SERVICE_HOME": "/h"])
        mark.clear()
        #expect(mark.read() == nil)
        try Data("garbage".utf8).write(to: URL(filePath: file))
        #expect(mark.read() == [:])
        mark.clear()
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/passwd")
        #expect(mark.read() == nil)
    }
}
