import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Descriptors reserved for administration (T4).
@Suite(.needs(.daemon)) struct DescriptorReserveTests {
    @Test(
        "T4: with nine tenths of its descriptors in use the daemon gives out no more, and can still be administered"
    )
    func reserve() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await installation.stopDaemon()
            let daemon = try installation.spawn(
                ["-c", "ulimit -n 160 && exec \"$0\"", Installation.binaries + "/docentd"], program: "/bin/sh"
            ).process
            try await installation.eventually("the daemon answers") { installation.answers }
            try await ProtocolPython.run(
                installation,
                """
                raw = Raw("org.example.raw")
                reference = raw.pick("/a.txt")
                announce = Raw("org.example.announcer")
                announce.send(announce.message(
                    ADMINISTRATION + "ListenForClient", {"more": True}, client="org.example.boxed"))
                boxed = announce.receive()["parameters"]["path"]
                Raw(None, path=boxed).call(DOCUMENTS + "OpenSession", client="org.example.boxed")

                many = []
                while error(raw.reply(DOCUMENTS + "Open", reference=reference)) is None:
                    assert os.pread(raw.descriptors.pop(), 9, 0) == b"hello"
                    many.append(Raw(None))
                    # An answer means that it was accepted, and not only that it is on its way.
                    many[-1].call("org.varlink.service.GetInfo")
                    assert len(many) < 60, "it never had enough"
                for method, parameters in [
                    ("Open", dict(reference=reference)), ("Info", dict(reference=reference)),
                    ("BeginWrite", dict(reference=reference, replacing=True, operation=operation())),
                ]:
                    answer = raw.reply(DOCUMENTS + method, **parameters)
                    assert error(answer) == "org.docent.Documents.Unavailable", answer
                    assert "administration" in answer["parameters"]["message"], answer
                answer = many[0].reply(PICKER + "ListFolder", location=location("/"))
                assert error(answer) == "org.docent.Documents.Unavailable", answer
                # A socket made for a client is closed to newcomers, the common one is not.
                refused = Raw(None, path=boxed)
                answer = refused.receive()
                assert error(answer) == "org.docent.Documents.Unavailable", answer
                assert "administration" in answer["parameters"]["message"], answer
                assert refused.is_closed()
                admin = Raw("org.docent.cli")
                status = admin.call(ADMINISTRATION + "Status")
                assert status["processIdentifier"] > 0
                assert isinstance(admin.call(ADMINISTRATION + "ListGrants")["grants"], list)
                admin.kill()

                for one in many:
                    one.kill()
                deadline = time.time() + 60
                while error(raw.reply(DOCUMENTS + "Open", reference=reference)) is not None:
                    assert time.time() < deadline, "it never recovered"
                    time.sleep(0.05)
                Raw(None, path=boxed).call(DOCUMENTS + "OpenSession", client="org.example.boxed")
                works()
                """)
            #expect(daemon.isRunning)
            try await installation.killDaemon(daemon)
        }
    }
}
