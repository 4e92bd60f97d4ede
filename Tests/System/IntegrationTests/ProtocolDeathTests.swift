import DocentTestSupport
import Foundation
import Testing

/// Clients that die during a call (T2, T3).
@Suite(.needs(.daemon)) struct ProtocolDeathTests {
    @Test("T3: a client that dies during a call leaves a working daemon, complete documents, and nothing held")
    func deathInTheMiddle() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write(Self.text("old "), to: "a.txt")
            for number in 0..<200 { try installation.write("x", to: "item-\(number)") }
            // The last one may change the document.
            for method in [
                "List", "Open", "Import", "PickImport", "BeginWrite", "PickExport", "PickMove", "Commit",
            ] {
                try await TestStep.run(method) { try await Self.death(in: method, installation) }
            }
        }
    }

    private static func text(_ word: String) -> String { String(repeating: word, count: 1 << 20) }

    private static func death(in method: String, _ installation: Installation) async throws {
        try await ProtocolPython.run(installation, dying, method, installation.home)
        // Everything that the sessions owned is removed: import copies (C9), staged files, descriptors.
        try await installation.eventually("the inbox is empty (C9)") {
            try files(installation.data + "/Inbox").isEmpty
        }
        try await installation.eventually("nothing is staged") {
            try files(installation.data + "/Staging").isEmpty
        }
        let (old, staged) = (text("old "), text("new "))
        let content = installation.read(installation.documents + "/a.txt")
        #expect(method == "Commit" ? content == old || content == staged : content == old, "\(method)")
        for name in try FileManager.default.contentsOfDirectory(atPath: installation.documents)
        where name.hasPrefix("made-\(method)-") {
            #expect(installation.read("\(installation.documents)/\(name)") == staged, "\(name) is incomplete")
        }
        try await installation.docent("cat", "LocalFolder:/a.txt").succeeded()
    }

    @Test(
        "W0: content staged by a client that died before the commit becomes a recovered version, and is not published")
    func recoveredVersion() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("old", to: "a.txt")
            try await ProtocolPython.run(
                installation,
                """
                raw = Raw()
                reference = raw.pick("/a.txt")
                raw.call(DOCUMENTS + "BeginWrite", reference=reference, replacing=True, operation="mine")
                os.write(raw.descriptors[0], b"unsaved work")
                os.kill(os.getpid(), signal.SIGKILL) if os.fork() == 0 else os.wait()
                raw.kill()
                again = Raw()
                deadline = time.time() + 60
                while again.call(DOCUMENTS + "Outcome", operation="mine")["state"] == "open":
                    assert time.time() < deadline
                    time.sleep(0.02)
                answer = again.reply(DOCUMENTS + "CommitWrite", operation="mine")
                assert error(answer) == "org.docent.Documents.Conflict", answer
                """)
            let kept = try Self.files(installation.data + "/Versions").filter {
                installation.read($0) == "unsaved work"
            }
            #expect(kept.count == 1)
            #expect(installation.read(installation.documents + "/a.txt") == "old")
            #expect(try Self.files(installation.data + "/Staging").isEmpty)
        }
    }

    @Test(
        "T2: a session ends with the connection that opened it, even if others have joined; its import copies are removed (C9)"
    )
    func endOfSession() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await ProtocolPython.run(
                installation,
                """
                first = Raw()
                second = Raw(None)
                second.call(DOCUMENTS + "JoinSession", token=first.token)
                copy = second.call(PICKER + "PickImport", location=location("/a.txt"), operation=operation())
                assert open(copy["path"]).read() == "hello"
                third = Raw(None)
                third.call(DOCUMENTS + "JoinSession", token=first.token)
                third.kill()
                works()
                assert os.path.exists(copy["path"]), "a connection that joined does not end the session"
                first.kill()
                deadline = time.time() + 60
                while os.path.exists(copy["path"]):
                    assert time.time() < deadline
                    time.sleep(0.02)
                assert os.pread(second.descriptors[0], 9, 0) == b"hello", "the descriptor lives on"
                late = Raw(None)
                assert error(late.reply(DOCUMENTS + "JoinSession", token=first.token)) == "org.docent.Documents.NotFound"
                """)
        }
    }

    /// Every regular file below a directory.
    private static func files(_ directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).map { "\(directory)/\($0)" }.filter {
            (try? FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType) == .typeRegular
        }
    }

    private static let dying = """
        method, home = sys.argv[2], sys.argv[3]
        source = home + "/source"
        with open(source, "w") as file:
            file.write("new " * (1 << 20))
        watcher = Raw("org.example.watcher")
        watcher.pick("/a.txt")
        status = watcher.call(ADMINISTRATION + "Status")
        pid, sessions = status["processIdentifier"], status["sessions"]
        def count():
            return len(os.listdir(f"/proc/{pid}/fd"))
        before = count()

        def die(delay, number):
            raw = Raw("org.example.dying")
            mine = operation()
            descriptors = []
            if method in ("PickExport", "PickMove"):
                descriptors = [os.open(source, os.O_RDONLY)]
                text = raw.message(PICKER + method, folder=location("/"), name=f"made-{method}-{number}", source=0, operation=mine)
            elif method == "PickImport":
                text = raw.message(PICKER + method, location=location("/a.txt"), operation=mine)
            else:
                reference = raw.pick("/a.txt")
                if method == "Commit":
                    raw.call(DOCUMENTS + "BeginWrite", reference=reference, replacing=True, operation=mine)
                    os.write(raw.descriptors[0], b"new " * (1 << 20))
                    text = raw.message(DOCUMENTS + "CommitWrite", operation=mine)
                elif method == "List":
                    text = raw.message(PICKER + "ListFolder", location=location("/"))
                else:
                    extra = {"BeginWrite": {"replacing": False, "operation": mine}, "Import": {"operation": mine},
                        "Open": {"lease": True}}[method]
                    text = raw.message(DOCUMENTS + method, reference=reference, **extra)
            raw.send(text, descriptors)
            time.sleep(delay)
            os.kill(os.getpid(), signal.SIGKILL)

        for number, delay in enumerate([0, 0, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.05]):
            child = os.fork()
            if child == 0:
                watcher.socket.close()
                die(delay, number)
            assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL, "the client failed before it died"
            works()
        deadline = time.time() + 60
        while True:
            now = watcher.call(ADMINISTRATION + "Status")
            assert now["processIdentifier"] == pid, "the daemon is another one"
            if now["sessions"] <= sessions and count() <= before + 8:
                break
            assert time.time() < deadline, f"{now}, {count()} descriptors are open, {before} were"
            time.sleep(0.05)
        """
}
