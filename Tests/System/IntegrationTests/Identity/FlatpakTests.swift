import DocentTestSupport
import Glibc
import Testing

/// Flatpak clients, imitated with bubblewrap, and forgeries of them (I2).
@Suite(.needs(.daemon)) struct FlatpakTests {
    private typealias Setup = FlatpakImitation.Setup

    @Test(
        "I2: a process in a running Flatpak instance is identified as that application, whatever it states, and cannot use the picker (I1)"
    )
    func recognised() async throws {
        try await Installation.withLocalFolder { installation in
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let answer = try await FlatpakImitation.open(installation, Setup())
            #expect(answer.error == nil, "\(answer)")
            #expect(answer.parameters.principal?.kind == "flatpak")
            #expect(answer.parameters.principal?.identifier == "org.example.Packed")
            #expect(answer.parameters.principal?.strength == "enforced")
            #expect(answer.picker == "org.docent.Documents.NotPermitted", "\(answer)")
        }
    }

    private static let forgeries: [(String, Setup, String)] = [
        ("no file at all", Setup(inside: nil), "does not recognise"),
        ("a file, but no instance", Setup(listed: nil), "no Flatpak is running"),
        (
            "an instance of another name",
            Setup(listed: FlatpakImitation.text("org.example.Other", "4711")), "another application"
        ),
        (
            "another name than the instance's",
            Setup(inside: FlatpakImitation.text("org.example.Other", "4711")), "another application"
        ),
        (
            "an instance that is not listed",
            Setup(inside: FlatpakImitation.text("org.example.Packed", "4712")), "not running"
        ),
        ("an instance that has ended", Setup(child: "ended"), "has ended"),
        ("an instance without a process", Setup(child: "none"), "has ended"),
        ("an instance in other namespaces", Setup(child: "other"), "does not run in that sandbox"),
        ("a link in place of the file", Setup(form: "link"), "does not recognise"),
        ("a file that the sandbox could write", Setup(form: "writable"), "does not recognise"),
        ("a file of another file system", Setup(form: "elsewhere"), "does not recognise"),
        ("a link in place of the instance's file", Setup(listedLink: true), "not running"),
        ("a huge file", Setup(padding: 1 << 20), "does not recognise"),
        ("no key file", Setup(inside: "\u{0}\u{1}"), "does not recognise"),
        (
            "an instance beyond the directory",
            Setup(inside: FlatpakImitation.text("org.example.Packed", "../.flatpak/4711")), "does not recognise"
        ),
    ]

    @Test("I2: a process that only imitates a Flatpak is refused, and never treated as unconfined")
    func forged() async throws {
        try await Installation.withLocalFolder { installation in
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            for (what, setup, reason) in Self.forgeries {
                let answer = try await FlatpakImitation.open(installation, setup)
                #expect(answer.error == "org.docent.Documents.NotPermitted", "\(what): \(answer)")
                #expect(answer.parameters.message?.contains(reason) == true, "\(what): \(answer)")
                #expect(answer.parameters.principal == nil, "\(what)")
                try await Self.clean(installation)
            }
            // A refused imitation has no effect: the real Flatpak is still recognised.
            let answer = try await FlatpakImitation.open(installation, Setup())
            #expect(answer.parameters.principal?.identifier == "org.example.Packed", "\(answer)")
        }
    }

    @Test(
        "I2, law 5: a file on a file system that never answers blocks no client",
        .enabled(if: access("/dev/fuse", R_OK | W_OK) == 0))
    func served() async throws {
        try await Installation.withLocalFolder { installation in
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let answer = try await FlatpakImitation.open(installation, Setup(form: "served"))
            #expect(answer.error == "org.docent.Documents.NotPermitted", "\(answer)")
            #expect(answer.parameters.message?.contains("does not recognise") == true, "\(answer)")
            try await installation.docent("ls", "LocalFolder:/").succeeded()
        }
    }

    private static func clean(_ installation: Installation) async throws {
        try await installation.run("/bin/rm", ["-rf", installation.root + "/run/.flatpak"]).succeeded()
    }
}
