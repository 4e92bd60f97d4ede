import DocentTestSupport
import Foundation
import Testing

/// T1 to T5 against the daemon, with plain sockets.
@Suite(.needs(.daemon)) struct ProtocolLimitsTests {
    @Test("T1, T3, T4, T5, F1: what a peer sends against the rules affects nothing else, and each call is answered")
    func rules() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            // Before anything is granted.
            try await TestStep.run("one-way") { try await ProtocolPython.run(installation, Self.oneway) }
            try await TestStep.run("framing") { try await ProtocolPython.run(installation, Self.brokenFraming) }
            try await TestStep.run("pieces") { try await ProtocolPython.run(installation, Self.pieces) }
            try await TestStep.run("descriptors") {
                try await ProtocolPython.run(installation, Self.descriptors, installation.home)
            }
            try await TestStep.run("unknown") { try await ProtocolPython.run(installation, Self.unknown) }
        }
    }

    /// T3: a one-way call of a changing method is not executed, and the connection stays usable.
    private static let oneway = """
        raw = Raw()
        raw.send(raw.message(PICKER + "PickOpen", {"oneway": True}, location=location("/a.txt"), access="read", operation=operation()))
        raw.send(raw.message(PICKER + "ListProviders", {"oneway": True}))
        assert raw.call(ADMINISTRATION + "ListGrants")["grants"] == []
        works()
        """

    /// T1, T4: a peer that violates the framing loses its connection and nothing else.
    private static let brokenFraming = """
        acts = {
            # More descriptors than a message may have; a call that expects none and one that expects another number.
            "17 descriptors": lambda: raw.send(raw.message(PICKER + "ListProviders"), [0] * 17),
            "17 descriptors instead of one": lambda: raw.send(
                raw.message(PICKER + "PickExport", folder=location("/"), name="b", source=0, operation="o"), [0] * 17),
            "a descriptor instead of none": lambda: raw.send(raw.message(PICKER + "ListProviders"), [0]),
            # More pending descriptors than a connection may have: each message is begun, none is complete.
            "64 pending descriptors": lambda: [raw.send(b" " * 8, [0] * 16) for _ in range(4)],
            # Not JSON, JSON without a method, JSON nested too deeply, bytes that are not UTF-8.
            "garbage": lambda: raw.send(b"garbage\\0"),
            "nothing": lambda: raw.send(b"\\0"),
            "an array": lambda: raw.send(b"[]\\0"),
            "an empty object": lambda: raw.send(b"{}\\0"),
            "a number as method": lambda: raw.send(b'{"method": 7}\\0'),
            "not UTF-8": lambda: raw.send(b'{"method": "\\xff\\xfe"}\\0'),
            "nested too deeply": lambda: raw.send(
                b'{"method":"' + (PICKER + "ListProviders").encode() + b'","parameters":{"mode":' + b"[" * 64
                + b"]" * 64 + b"}}\\0"),
            "random bytes": lambda: raw.send(os.urandom(65536) + b"\\0"),
            # Longer than any message.
            "too long": lambda: raw.send(b'{"method":"' + b"x" * (1 << 20) + b'"}\\0'),
        }
        for name, act in acts.items():
            try:
                raw, good = Raw(), Raw("org.example.good")
                try:
                    act()
                except (BrokenPipeError, ConnectionResetError):
                    pass
                assert raw.is_closed(), "the daemon went on"
                assert good.call(PICKER + "ListProviders")["providers"]
                works()
                raw.kill()
                good.kill()
            except Exception as failure:
                raise AssertionError(name) from failure
        """

    /// T1: fragmented or concatenated messages are answered one by one, in order.
    private static let pieces = """
        raw = Raw()
        reference = raw.pick("/a.txt")
        text = raw.message(DOCUMENTS + "Info", reference=reference)
        for byte in text:
            raw.send(bytes([byte]))
        assert raw.receive()["parameters"]["item"]["name"] == "a.txt"
        opening = raw.message(DOCUMENTS + "Open", reference=reference)
        raw.send(opening * 5 + raw.message(DOCUMENTS + "Info", reference=reference) + opening[:20])
        for _ in range(5):
            answer = raw.receive()["parameters"]
            assert os.pread(raw.descriptors.pop(0), 9, 0) == b"hello"
        assert raw.receive()["parameters"]["item"]["name"] == "a.txt"
        raw.send(opening[20:])
        assert raw.receive()["parameters"]["file"] == 0
        """

    /// T1, F1: descriptors belong to their own messages, and a descriptor that is not a suitable regular file is
    /// refused.
    private static let descriptors = """
        raw, folder = Raw(), sys.argv[2]
        def export(name, descriptor):
            return raw.message(
                PICKER + "PickExport", folder=location("/"), name=name, source=0, operation=operation()), [descriptor]
        files = []
        for name in ("one", "two", "three"):
            with open(folder + "/" + name, "w") as file:
                file.write(name)
            files.append(os.open(folder + "/" + name, os.O_RDONLY))
        for name, descriptor in zip(("one", "two", "three"), files):
            raw.send(*export(name, descriptor))
        for name in ("one", "two", "three"):
            assert raw.receive()["parameters"]["item"]["name"] == name
            assert open(folder + "/Documents/" + name).read() == name, "another message's descriptor"
        reader, writer = os.pipe()
        os.mkfifo(folder + "/fifo")
        odd = [
            reader, os.open(folder, os.O_RDONLY), os.open("/dev/zero", os.O_RDONLY), raw.socket.fileno(),
            os.open(folder + "/one", os.O_PATH), os.open("/proc/self/status", os.O_RDONLY),
            os.open(folder + "/fifo", os.O_RDWR), os.open(folder + "/one", os.O_WRONLY),
        ]
        for descriptor in odd:
            raw.send(*export("odd", descriptor))
            answer = raw.receive()
            assert (error(answer) or "").startswith("org.docent.Documents."), answer
            assert not os.path.exists(folder + "/Documents/odd"), answer
        """

    /// T5: an unknown method, interface or type is answered with an error, an unknown field is ignored.
    private static let unknown = """
        raw = Raw()
        for method, wanted in [
            (PICKER + "Nothing", "MethodNotFound"), ("org.example.None.Nothing", "InterfaceNotFound"),
            ("Nothing", "InterfaceNotFound"), ("", "InterfaceNotFound"), (PICKER + "GetItem", "InvalidParameter"),
        ]:
            answer = raw.reply(method)
            assert error(answer) in ("org.varlink.service." + wanted, "org.varlink.service.InvalidParameter"), answer
        assert error(raw.reply(PICKER + "GetItem", location=7)) == "org.varlink.service.InvalidParameter"
        assert error(raw.reply(PICKER + "ListProviders", all="yes")) == "org.varlink.service.InvalidParameter"
        where = dict(location("/a.txt"), fresh=[1, {"x": None}])
        item = raw.call(PICKER + "GetItem", location=where, later={"deep": [[]]})["item"]
        assert item["name"] == "a.txt", item
        reference = dict(raw.pick("/a.txt"), more="fields")
        assert raw.call(DOCUMENTS + "Open", reference=reference, hint="x", lease=None)["file"] == 0
        works()
        """

    @Test("T4: a client that floods and reads nothing disturbs no other client")
    func flood() async throws {
        try await Installation.withLocalFolder { installation in
            for number in 0..<300 { try installation.write("hello", to: "item-\(number).txt") }
            try installation.write("hello", to: "a.txt")
            try await ProtocolPython.run(
                installation,
                """
                def status():
                    watcher = Raw()
                    answer = watcher.call(ADMINISTRATION + "Status")
                    watcher.kill()
                    return answer
                pid = status()["processIdentifier"]
                def count():
                    return len(os.listdir(f"/proc/{pid}/fd"))
                def settle(what, condition):
                    deadline = time.time() + 60
                    while not condition():
                        assert time.time() < deadline, what
                        time.sleep(0.1)

                def flood():
                    # As many connections as possible, each full of calls whose answers are not read.
                    raw = Raw("org.example.hostile")
                    calls = raw.message(DOCUMENTS + "Open", reference=raw.pick("/a.txt"), lease=True) * 40
                    calls += raw.message(PICKER + "ListFolder", location=location("/")) * 400
                    flooders = []
                    try:
                        while len(flooders) < 200:
                            one = Raw(None, timeout=5)
                            one.socket.setblocking(False)
                            flooders.append(one)
                            try:
                                one.socket.send(calls)
                            except BlockingIOError:
                                pass
                    except (OSError, AssertionError):
                        pass
                    time.sleep(600)

                def attack():
                    child = os.fork()
                    if child == 0:
                        flood()
                        os._exit(0)
                    try:
                        for _ in range(20):
                            works()
                            other = Raw("org.example.other")
                            mine = other.pick("/a.txt", "read")
                            assert other.call(DOCUMENTS + "Open", reference=mine)["file"] == 0
                            assert os.pread(other.descriptors.pop(), 9, 0) == b"hello"
                            other.kill()
                            time.sleep(0.05)
                    finally:
                        os.kill(child, signal.SIGKILL)
                        os.waitpid(child, 0)
                    settle("sessions are left", lambda: status()["sessions"] <= 1)

                # The first one fills pools that stay; the second must leave nothing more.
                attack()
                before = count()
                attack()
                settle(f"{count()} descriptors are open, {before} were", lambda: count() <= before + 8)
                works()
                assert status()["processIdentifier"] == pid
                """)
        }
    }
}
