import DocentTestSupport
import Testing

/// The number of connections per client, and those reserved for administration (T4).
@Suite(.needs(.daemon)) struct ConnectionLimitTests {
    @Test(
        "T4: a confined client has 64 connections over all of its sockets and processes, and does not affect other clients"
    )
    func perClient() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await ProtocolPython.run(
                installation,
                """
                def listen(client):
                    one = Raw("org.example.announcer")
                    one.send(one.message(ADMINISTRATION + "ListenForClient", {"more": True}, client=client))
                    return one, one.receive()["parameters"]["path"]
                announcers = [listen("org.example.greedy") for _ in range(3)]
                assert len({path for _, path in announcers}) == 3
                def fill(count, first):
                    made = []
                    for number in range(count):
                        made.append(Raw(None, path=announcers[(first + number) % 3][1]))
                        made[-1].call("org.varlink.service.GetInfo")
                    return made
                # From two processes: the limit is the client's.
                ready, told = os.pipe()
                finish, finished = os.pipe()
                child = os.fork()
                if child == 0:
                    os.close(finished)
                    held = fill(32, 0)
                    os.write(told, b"x")
                    os.read(finish, 1)
                    os._exit(0)
                assert os.read(ready, 1) == b"x"
                mine = fill(32, 1)
                extra = Raw(None, path=announcers[0][1])
                answer = extra.reply("org.varlink.service.GetInfo")
                assert error(answer) == "org.docent.Documents.Unavailable", answer
                assert "already has the maximum of 64 connections" in answer["parameters"]["message"], answer
                assert extra.is_closed()
                other, path = listen("org.example.modest")
                principal = Raw(None, path=path).call(DOCUMENTS + "OpenSession")["principal"]
                assert principal["identifier"] == "org.example.modest", principal
                assert principal["strength"] == "enforced", principal
                works()
                mine.pop().kill()
                deadline = time.time() + 60
                while True:
                    again = Raw(None, path=announcers[1][1])
                    if error(again.reply("org.varlink.service.GetInfo")) is None:
                        break
                    assert time.time() < deadline, "its place was never free again"
                    time.sleep(0.05)
                # The sockets go with their calls.
                os.write(finished, b"x")
                os.waitpid(child, 0)
                for one, path in announcers:
                    one.kill()
                while any(os.path.exists(path) for _, path in announcers):
                    assert time.time() < deadline, "a socket stays"
                    time.sleep(0.05)
                """)
        }
    }

    @Test("T4: when confined clients hold all their connections, the user can still administer")
    func reserve() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await ProtocolPython.run(
                installation,
                """
                import resource
                resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
                announcers, children, count = [], [], 0
                ready, told = os.pipe()
                finish, finished = os.pipe()
                for number in range(16):
                    one = Raw("org.example.announcer")
                    one.send(one.message(
                        ADMINISTRATION + "ListenForClient", {"more": True}, client=f"org.example.greedy{number}"))
                    announcers.append((one, one.receive()["parameters"]["path"]))
                # A process of its own for each: one has no more than 64 connections either.
                for _, path in announcers:
                    child = os.fork()
                    if child == 0:
                        os.close(finished)
                        held = []
                        for _ in range(64):
                            try:
                                held.append(Raw(None, path=path))
                                held[-1].reply("org.varlink.service.GetInfo")
                            except OSError:
                                break
                        os.write(told, b"x")
                        os.read(finish, 1)
                        os._exit(0)
                    children.append(child)
                while count < len(children):
                    count += len(os.read(ready, 64))
                def is_refused(path):
                    try:
                        answer = Raw(None, path=path).reply("org.varlink.service.GetInfo")
                    except (AssertionError, OSError):
                        return True
                    return error(answer) == "org.docent.Documents.Unavailable"
                assert is_refused(announcers[0][1]), "a confined client got what is kept"
                admin = Raw("org.docent.cli")
                assert admin.call(ADMINISTRATION + "Status")["processIdentifier"] > 0
                works()
                os.close(finished)
                for child in children:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                deadline = time.time() + 60
                while True:
                    one = Raw(None, path=announcers[0][1])
                    try:
                        if error(one.reply("org.varlink.service.GetInfo")) is None:
                            break
                    except (AssertionError, OSError):
                        pass
                    assert time.time() < deadline, "it never recovered"
                    time.sleep(0.05)
                """)
        }
    }
}
