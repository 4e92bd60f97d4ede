import DocentTestSupport
import Foundation
import Testing

/// The number of waiting calls of one principal (T4).
@Suite(.needs(.daemon)) struct WaitingCallLimitTests {
    @Test(
        "T4: an unconfined principal can have 256 waiting calls, the next is unavailable at once; others and administration are not blocked"
    )
    func limit() async throws {
        // The calls wait for the duration of the test.
        try await Installation.withLocalFolder(environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "300"]) {
            installation in
            try installation.write("hello", to: "a.txt")
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let provider = try #require(try await installation.extensionProcess())
            try await ProtocolPython.run(
                installation,
                """
                provider, me = int(sys.argv[2]), "org.example.many"
                raw = Raw(me)
                reference = raw.pick("/a.txt")
                assert raw.call(DOCUMENTS + "Open", reference=reference)["file"] == 0
                def answered(one):
                    answer = one.receive()
                    refused = error(answer) == "org.docent.Documents.Unavailable"
                    return one.reply(DOCUMENTS + "Info", reference=reference) if refused else answer
                admin, other = Raw(me), Raw("org.example.other")
                theirs = other.pick("/a.txt", "read")
                os.kill(provider, signal.SIGSTOP)
                try:
                    # From several processes: the limit is the principal's.
                    ready, told = os.pipe()
                    finish, finished = os.pipe()
                    children = []
                    for _ in range(5):
                        child = os.fork()
                        if child == 0:
                            calls = [Raw(me) for _ in range(45)]
                            for one in calls:
                                one.send(one.message(DOCUMENTS + "Info", reference=reference))
                            os.write(told, b"x")
                            os.close(finished)
                            os.read(finish, 1)
                            for one in calls:
                                assert error(answered(one)) is None
                            os._exit(0)
                        children.append(child)
                    calls = [Raw(me) for _ in range(256 - 5 * 45)]
                    for one in calls:
                        one.send(one.message(DOCUMENTS + "Info", reference=reference))
                    for _ in children:
                        os.read(ready, 1)
                    # A few milliseconds may pass until all have been counted.
                    deadline, held = time.time() + 60, []
                    while True:
                        assert time.time() < deadline, "it was never refused"
                        extra = Raw(me, timeout=1)
                        try:
                            began = time.time()
                            answer = extra.reply(DOCUMENTS + "Info", reference=reference)
                            break
                        except TimeoutError:
                            # It came before one of the others, which was refused instead: it is one of the 64 now.
                            held.append(extra)
                    assert error(answer) == "org.docent.Documents.Unavailable", answer
                    assert "256" in answer["parameters"]["message"], answer
                    # What needs no waiting is answered, and the administration too.
                    assert raw.call(DOCUMENTS + "Open", reference=reference)["file"] == 0
                    assert admin.call(ADMINISTRATION + "Status")["processIdentifier"] > 0
                    # Another principal's call waits for the provider, but is not refused.
                    other.send(other.message(DOCUMENTS + "Info", reference=theirs))
                finally:
                    os.kill(provider, signal.SIGCONT)
                assert error(other.receive()) is None
                for one in held:
                    one.kill()
                for one in calls:
                    assert error(answered(one)) is None
                os.close(finished)
                for child in children:
                    assert os.waitpid(child, 0)[1] == 0
                assert error(raw.reply(DOCUMENTS + "Info", reference=reference)) is None
                works()
                """, String(provider))
        }
    }
}
