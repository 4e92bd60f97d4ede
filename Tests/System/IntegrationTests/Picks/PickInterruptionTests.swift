import DocentTestSupport
import Foundation
import Testing

/// A program that cancels its request, or ends, while it is being answered (T3, W), and the grants of an answer.
@Suite(.needs(.daemon)) struct PickInterruptionTests {
    private static let preparation = #"""
        announcer = Raw("org.example.announcer")
        announcer.send(announcer.message(
            ADMINISTRATION + "ListenForClient", {"more": True}, client="org.example.Boxed"))
        place = announcer.receive()["parameters"]["path"]
        listener = Raw("org.example.listener")
        listener.send(listener.message(ADMINISTRATION + "PickRequests", {"more": True}, client="org.example.Boxed"))
        listener.receive()
        user = Raw("org.example.user")
        reports = user.call(
            PICKER + "PickOpen", location=location("/reports"), access="readWrite", types=["public.folder"],
            operation=operation())["item"]["reference"]

        def names():
            items = user.call(PICKER + "ListFolder", location=location("/reports"))["items"]
            return sorted(item["name"] for item in items)

        def waiting():
            return Raw("org.example.asking").call(ADMINISTRATION + "PickRequests")["requests"]

        def until(what, condition):
            deadline = time.time() + 60
            while True:
                found = condition()
                if found:
                    return found
                assert time.time() < deadline, what
                time.sleep(0.05)

        def hold(name):
            # Nothing can be made under that name meanwhile.
            one = Raw("org.example.holder")
            one.call(PICKER + "PickOpen", location=location("/reports"), access="readWrite",
                     types=["public.folder"], operation=operation())
            one.send(one.message(
                DOCUMENTS + "Coordinate", {"more": True}, operation=operation(),
                accesses=[{"place": {"reference": reports, "name": name}, "writing": True}]))
            while True:
                answer = one.receive()
                assert error(answer) is None, answer
                if answer["parameters"]["state"] == "granted":
                    return one

        source = os.path.dirname(PATH) + "/source.bin"
        open(source, "wb").write(b"from inside" * 1000)

        def ask(mode, name, how):
            one = Raw(None, path=place)
            token = one.call(DOCUMENTS + "OpenSession")["token"]
            with open(source, "rb") as file:
                one.send(one.message(
                    DOCUMENTS + "RequestPick", {"more": True}, mode=mode, name=name, source=0, operation=how),
                    [file.fileno()])
            answer = one.receive()
            assert answer["parameters"]["state"] == "asked", answer
            return one, token

        def answer(request, **parameters):
            one = Raw("org.example.answerer")
            one.send(one.message(
                ADMINISTRATION + "AnswerPick", identifier=request["identifier"], location=location("/reports"),
                **parameters))
            return one

        def claims(state):
            return [claim for claim in user.call(ADMINISTRATION + "Claims")["claims"]
                    if claim["state"] == state and claim["client"] == "org.example.Boxed"]

        def outcome(how):
            one = Raw(None, path=place)
            one.call(DOCUMENTS + "OpenSession")
            return one.call(DOCUMENTS + "Outcome", operation=how)["state"]


        """#

    private static func run(_ program: String) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await installation.docent("mkdir", "LocalFolder:/reports").succeeded()
            try await ProtocolPython.run(installation, preparation + program)
        }
    }

    @Test(
        "T3, W: an answer that is cancelled, or whose program ends, leaves nothing behind; an answer after a failed one can be cancelled, and its outcome queried, by the client's own operation"
    )
    func interrupted() async throws {
        try await Self.run(
            """
            for mode in ["export", "move"]:
                for way in ["cancel", "hang up"]:
                    name, how = f"{mode} {way}.bin", operation()
                    holder = hold(name)
                    boxed, token = ask(mode, name, how)
                    request = until("never asked", waiting)[0]
                    answered = answer(request)
                    until("the answer never began", lambda: claims("waiting"))
                    assert waiting() == [], "a request that is being answered is still shown"
                    if way == "cancel":
                        second = Raw(None, path=place)
                        second.call(DOCUMENTS + "JoinSession", token=token)
                        assert second.call(DOCUMENTS + "Cancel", operation=how)["found"]
                        told = boxed.receive()
                        assert error(told) == "org.docent.Documents.Cancelled", told
                        second.kill()
                    boxed.kill()
                    told = answered.receive()
                    assert error(told) == "org.docent.Documents.NotFound", told
                    until("its claim stays", lambda: not claims("waiting"))
                    holder.kill()
                    until("it never failed", lambda: outcome(how) == "failed")
                    assert waiting() == []
                    assert names() == [], names()

            # An answer after a failed one.
            for end in ["cancelled", "finished"]:
                how = operation()
                open(os.path.expanduser("~/Documents/reports/taken.bin"), "w").write("mine")
                holder = hold("free.bin")
                boxed, token = ask("export", "taken.bin", how)
                request = until("never asked", waiting)[0]
                told = answer(request).receive()
                assert error(told) is not None, told
                assert until("not asked again", waiting)[0]["identifier"] == request["identifier"]
                answered = answer(request, name="free.bin")
                until("the answer never began", lambda: claims("waiting"))
                if end == "cancelled":
                    second = Raw(None, path=place)
                    second.call(DOCUMENTS + "JoinSession", token=token)
                    assert second.call(DOCUMENTS + "Cancel", operation=how)["found"]
                    assert error(boxed.receive()) == "org.docent.Documents.Cancelled"
                    assert error(answered.receive()) == "org.docent.Documents.NotFound"
                    holder.kill()
                    assert outcome(how) == "failed", outcome(how)
                    assert names() == ["taken.bin"], names()
                else:
                    holder.kill()
                    assert boxed.receive()["parameters"]["state"] == "answered"
                    assert error(answered.receive()) is None
                    assert outcome(how) == "finished", outcome(how)
                    assert names() == ["free.bin", "taken.bin"], names()
                boxed.kill()
            """)
    }

    @Test("I1, I3: companions, --for and --once of an answer grant exactly that")
    func terms() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_TRANSIENT_SECONDS": "1"]) { installation in
            for name in ["film.mkv", "film.srt", "film.txt", "other.srt"] { try installation.write(name, to: name) }
            try await installation.docent("mkdir", "LocalFolder:/reports").succeeded()
            try await ProtocolPython.run(
                installation,
                Self.preparation
                    + #"""
                    import subprocess
                    docent = sys.argv[2]

                    def cli(*arguments):
                        return subprocess.run([docent, *arguments], capture_output=True, text=True, timeout=120)

                    def chosen(path, *options):
                        one = Raw(None, path=place)
                        one.call(DOCUMENTS + "OpenSession")
                        one.send(one.message(
                            DOCUMENTS + "RequestPick", {"more": True}, mode="open", access="readWrite",
                            companions=["{stem}.srt", "{stem}.txt"], operation=operation()))
                        one.receive()
                        request = until("never asked", waiting)[0]
                        assert request["companions"] == ["{stem}.srt", "{stem}.txt"], request
                        wrong = cli("picks", "answer", request["identifier"], path, "--companions", "*.key")
                        assert wrong.returncode != 0 and "did not ask" in wrong.stderr, wrong
                        done = cli("picks", "answer", request["identifier"], path, *options)
                        assert done.returncode == 0, done
                        told = one.receive()["parameters"]
                        assert told["state"] == "answered", told
                        return one, told["item"]["reference"]

                    def grants():
                        return [g for g in user.call(ADMINISTRATION + "ListGrants")["grants"]
                                if g["client"] == "org.example.Boxed"]

                    def reference(name):
                        return user.call(PICKER + "PickOpen", location=location("/" + name), access="read",
                                         operation=operation())["item"]["reference"]

                    others = {name: reference(name) for name in ["film.srt", "film.txt", "other.srt"]}
                    one, film = chosen(
                        "LocalFolder:/film.mkv", "--companions", "{stem}.srt", "--for", "1h", "--read-only")
                    [grant] = grants()
                    assert grant["companions"] == ["{stem}.srt"] and grant["access"] == "read", grant
                    assert 3000 < grant["expires"] - time.time() < 3700, grant
                    assert one.call(DOCUMENTS + "Open", reference=others["film.srt"])["file"] == 0
                    for name in ["film.txt", "other.srt"]:
                        told = one.reply(DOCUMENTS + "Open", reference=others[name])
                        assert error(told) == "org.docent.Documents.NotPermitted", (name, told)
                    told = one.reply(DOCUMENTS + "BeginWrite", reference=others["film.srt"], replacing=True,
                                     operation=operation())
                    assert error(told) == "org.docent.Documents.NotPermitted", told
                    one.call(DOCUMENTS + "NarrowAccess", reference=film)
                    assert grants() == [], grants()
                    # --once: not to be kept by the program, and gone with it.
                    two, film = chosen("LocalFolder:/film.mkv", "--once")
                    one.kill()
                    [grant] = grants()
                    assert grant["isPersistent"] is False and not grant.get("companions"), grant
                    assert error(two.reply(DOCUMENTS + "TakeAccess", reference=film)) \
                        == "org.docent.Documents.NotPermitted"
                    assert two.call(DOCUMENTS + "Open", reference=film)["file"] == 0
                    two.kill()
                    until("the right outlives its program", lambda: not grants())
                    """#, Installation.binaries + "/docent")
        }
    }
}
