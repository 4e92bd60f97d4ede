import DocentTestSupport
import Foundation
import Testing

/// Faulty extensions, in C: the daemon survives, names the culprit, and serves the others meanwhile (law 3).
@Suite(.needs(.daemon, .server)) struct PluginFaultTests {
    /// The client's result of asking for a document of that name.
    struct Fault: CustomTestStringConvertible, Sendable {
        var name: String
        var status: Int32
        var code: String
        var says: String
        var testDescription: String { name }

        init(_ name: String, _ status: Int32, _ code: String, _ says: String) {
            self.name = name
            self.status = status
            self.code = code
            self.says = says
        }
    }

    static let provider = "org.example.Fault"

    /// An installation with LocalFolder and the faulty plugin, both enabled, in which LocalFolder works before and
    /// after.
    static func with(
        deadline: Int = 60, _ change: (inout PluginWorkshop.Shape) -> Void = { _ in }, defines: [String: String] = [:],
        _ body: (PluginWorkshop) async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "\(deadline)"]) {
            installation in
            try installation.write("well", to: "well.txt")
            let workshop = PluginWorkshop(installation, change)
            try await workshop.install(defines: defines)
            let daemon = try #require(installation.daemonProcess)
            try await body(workshop)
            let other = try await installation.docent("cat", "LocalFolder:/well.txt").succeeded()
            #expect(other.text == "well")
            #expect(installation.daemonProcess == daemon, "law 3: the daemon is still the same")
        }
    }

    @Test("law 4: a plugin in C without any SDK is listed, read and imported like any other")
    func plainC() async throws {
        try await Self.with { workshop in
            let installation = workshop.installation
            #expect(try await installation.docent("ls", workshop.location("")).succeeded().text == "a.txt\n")
            #expect(try await installation.docent("cat", workshop.location("a.txt")).succeeded().text == "from C\n")
            let copy = installation.home + "/copy.txt"
            try await installation.docent("import", workshop.location("a.txt"), "-o", copy).succeeded()
            #expect(installation.read(copy) == "from C\n")
        }
    }

    @Test(
        "law 3, D13: an error in a call reaches the client with its kind and the provider's name",
        arguments: [
            Fault("crash", 5, "Unavailable", "was killed by signal 6"),
            Fault("exit", 5, "Unavailable", "exited with status 9"),
            Fault("garbage", 1, "ProviderFailed", "broke the protocol"),
            Fault("wrong-type", 1, "ProviderFailed", "broke the protocol"),
            Fault("flood", 1, "ProviderFailed", "broke the protocol"),
            Fault("descriptors", 1, "ProviderFailed", "broke the protocol"),
            Fault("missing", 2, "NotFound", "missing"),
            Fault("login", 4, "NotAuthenticated", "Who are you?"),
            Fault("unreachable", 5, "Unavailable", "No route."),
            Fault("escape-codes", 1, "ProviderFailed", #"\x1B[31mred\x07"#),
        ])
    func faults(_ fault: Fault) async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.docent("cat", "--verbose", workshop.location(fault.name))
            #expect(outcome.status == fault.status, "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("code: \(fault.code)\n"), "\(outcome.errors)")
            #expect(outcome.errors.contains("provider: \(Self.provider)\n"), "\(outcome.errors)")
            #expect(outcome.errors.contains(fault.says), "\(outcome.errors)")
        }
    }

    @Test(
        "law 3: after an error the same provider process answers again",
        arguments: ["crash", "garbage", "flood", "descriptors"])
    func recovers(_ name: String) async throws {
        try await Self.with { workshop in
            #expect(try await workshop.installation.docent("info", workshop.location(name)).status != 0)
            try await workshop.installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }

    @Test(
        "law 5: a call that a provider never answers ends with DeadlineExceeded, and its other calls continue meanwhile"
    )
    func hangs() async throws {
        try await Self.with(deadline: 5) { workshop in
            let installation = workshop.installation
            async let stuck = installation.docent("cat", "--verbose", workshop.location("hang"))
            let beside = try await installation.docent("cat", workshop.location("a.txt"))
            let outcome = try await stuck
            #expect(beside.text == "from C\n")
            #expect(outcome.status == 7)
            #expect(outcome.errors.contains("code: DeadlineExceeded\n"), "\(outcome.errors)")
            #expect(outcome.errors.contains("\(Self.provider) did not answer Child"), "\(outcome.errors)")
        }
    }

    @Test(
        "S1: inside its sandbox a plugin cannot fork, read the user's files or create sockets",
        arguments: [
            ("fork", "fork: \(EPERM)"), ("secret", "secret: \(ENOENT)"),
            ("connect", "network: \(EACCES), local: \(EACCES)"),
        ])
    func confined(_ name: String, _ says: String) async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation)
            let secret = installation.documents + "/secret"
            try installation.write("secret", to: "secret")
            try await workshop.install(defines: ["SECRET": "\"\(secret)\""])
            let outcome = try await installation.docent("info", workshop.location(name))
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("docent: \(says)\n"), "\(outcome.errors)")
        }
    }

    @Test(
        "D13, complaint 32: a provider's error arrives with its text, and domain, code and text of each cause")
    func chain() async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.docent("info", "--verbose", workshop.location("quota"))
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("docent: The shelf is full.\n  code: NoSpace\n"), "\(outcome.errors)")
            #expect(outcome.errors.contains("caused by com.example.Shelf 507: No room on shelf 3\n"))
            #expect(outcome.errors.contains("caused by NSPOSIXErrorDomain 28: Device is full\n"))
            let brief = try await workshop.installation.docent("info", workshop.location("quota"))
            #expect(brief.errors.contains("caused by: No room on shelf 3\n"), "\(brief.errors)")
        }
    }

    @Test("T5, H7: an error with an unknown code keeps its text and chain, and crashes no process")
    func invented() async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.docent("info", "--verbose", workshop.location("invented"))
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Wait for the full moon."))
            #expect(outcome.errors.contains("caused by org.example.Moon \(Int.min): waning\n"), "\(outcome.errors)")
        }
    }

    @Test(
        "F1: a descriptor that is not a regular file, or not opened as promised, is refused as content, and the daemon does not hang",
        arguments: ["pipe", "device", "directory", "proc", "writable", "nothing"])
    func foreignDescriptors(_ name: String) async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.docent("cat", "--verbose", workshop.location(name))
            #expect(outcome.status == 1, "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("code: ProviderFailed\n"), "\(outcome.errors)")
            #expect(outcome.errors.contains("provider: \(Self.provider)\n"), "\(outcome.errors)")
        }
    }

    @Test(
        "F1: a fetch with another size than declared is refused, complete or not",
        arguments: [("short", "7 of 1000 bytes"), ("long", "7 of 1 bytes")])
    func lyingSizes(_ name: String, _ says: String) async throws {
        try await Self.with(defines: ["FEATURES": #""""#]) { workshop in
            let outcome = try await workshop.installation.docent("cat", workshop.location(name))
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("was refused: the provider delivered \(says)"), "\(outcome.errors)")
            let good = try await workshop.installation.docent("cat", workshop.location("a.txt")).succeeded()
            #expect(good.text == "fetched")
        }
    }

    @Test("F1: a sparse file of 8 TiB without blocks is refused, not copied")
    func hole() async throws {
        try await Self.with(defines: ["FEATURES": #""""#]) { workshop in
            let outcome = try await workshop.installation.docent("cat", "--verbose", workshop.location("hole"))
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("code: NoSpace\n"), "\(outcome.errors)")
        }
    }

    @Test("T4: a page that refers to itself ends the listing with an error")
    func circle() async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.docent("ls", workshop.location("circle"))
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("would never end"), "\(outcome.errors)")
        }
    }

    @Test("law 5: an endless listing can be cancelled, and the daemon keeps working")
    func endless() async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.run(
                "/usr/bin/timeout",
                ["-s", "INT", "3", Installation.binaries + "/docent", "ls", workshop.location("boundless")])
            #expect(outcome.status == 124 || outcome.status == 7 || outcome.status == 130, "\(outcome)")
            try await workshop.installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }
}
