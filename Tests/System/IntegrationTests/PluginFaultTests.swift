import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Faulty extensions, in C: the daemon survives, names the culprit, and serves the others meanwhile (law 3).
@Suite(.needs(.daemon, .server)) struct PluginFaultTests {
    /// The client's result of asking for a document of that name.
    private struct Fault {
        var name: String
        var status: Int32
        var code: String
        var says: String

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
            try await expectUndisturbed(installation, daemon, after: "everything")
        }
    }

    /// Expects that LocalFolder, whose folder has `well.txt`, works, and that the daemon is still the same (law 3).
    static func expectUndisturbed(_ installation: Installation, _ daemon: pid_t?, after what: String) async throws {
        let other = try await installation.docent("cat", "LocalFolder:/well.txt").succeeded()
        #expect(other.text == "well", "after \(what)")
        #expect(installation.daemonProcess == daemon, "law 3: the daemon is still the same after \(what)")
    }

    // MARK: In place

    @Test("law 3, law 4, law 5, D13, F1, H7, T4, T5, complaint 32: a fault in C concerns only the call that meets it")
    func faults() async throws {
        try await Self.with { workshop in
            let daemon = workshop.installation.daemonProcess
            func step(_ name: String, _ body: () async throws -> Void) async throws {
                try await TestStep.run(name) {
                    try await body()
                    // After an error the same provider process answers again.
                    try await workshop.installation.docent("cat", workshop.location("a.txt")).succeeded()
                    try await Self.expectUndisturbed(workshop.installation, daemon, after: name)
                }
            }
            try await step("no fault") { try await Self.plainC(workshop) }
            try await step("quota") { try await Self.chain(workshop) }
            try await step("invented") { try await Self.invented(workshop) }
            for fault in Self.inCalls {
                try await step(fault.name) { try await Self.expect(fault, workshop) }
                // Three crashes within a minute would be a quarantine.
                try await workshop.installation.docent("provider", "reset", Self.provider).succeeded()
            }
            try await step("two crashes") { try await Self.backOff(workshop) }
            for name in ["pipe", "device", "directory", "proc", "writable", "nothing"] {
                try await step(name) { try await Self.foreignDescriptor(name, workshop) }
            }
            try await step("circle") { try await Self.circle(workshop) }
            try await step("boundless") { try await Self.endless(workshop) }
        }
    }

    /// law 4: a plugin in C without any SDK is listed, read and imported like any other.
    private static func plainC(_ workshop: PluginWorkshop) async throws {
        let installation = workshop.installation
        #expect(try await installation.docent("ls", workshop.location("")).succeeded().text == "a.txt\n", "no fault")
        #expect(
            try await installation.docent("cat", workshop.location("a.txt")).succeeded().text == "from C\n", "no fault")
        let copy = installation.home + "/copy.txt"
        try await installation.docent("import", workshop.location("a.txt"), "-o", copy).succeeded()
        #expect(installation.read(copy) == "from C\n", "no fault")
    }

    /// D13, complaint 32: a provider's error arrives with its text, and domain, code and text of each cause.
    private static func chain(_ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.docent("info", "--verbose", workshop.location("quota"))
        #expect(outcome.status == 1, "quota")
        #expect(outcome.errors.hasPrefix("docent: The shelf is full.\n  code: NoSpace\n"), "quota: \(outcome.errors)")
        for part in [
            "caused by com.example.Shelf 507: No room on shelf 3\n",
            "caused by NSPOSIXErrorDomain 28: Device is full\n",
        ] {
            #expect(outcome.errors.contains(part), "quota: \(outcome.errors)")
        }
        let brief = try await workshop.installation.docent("info", workshop.location("quota"))
        #expect(brief.errors.contains("caused by: No room on shelf 3\n"), "quota: \(brief.errors)")
    }

    /// T5, H7: an error with an unknown code keeps its text and chain, and crashes no process.
    private static func invented(_ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.docent("info", "--verbose", workshop.location("invented"))
        #expect(outcome.status == 1, "invented")
        #expect(outcome.errors.contains("Wait for the full moon."), "invented: \(outcome.errors)")
        #expect(
            outcome.errors.contains("caused by org.example.Moon \(Int.min): waning\n"), "invented: \(outcome.errors)")
    }

    private static let inCalls = [
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
    ]

    /// law 3, D13: an error in a call reaches the client with its kind and the provider's name.
    private static func expect(_ fault: Fault, _ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.docent("cat", "--verbose", workshop.location(fault.name))
        #expect(outcome.status == fault.status, "\(fault.name): \(outcome.errors)")
        #expect(outcome.output.isEmpty, "\(fault.name)")
        #expect(outcome.errors.contains("code: \(fault.code)\n"), "\(fault.name): \(outcome.errors)")
        #expect(outcome.errors.contains("provider: \(provider)\n"), "\(fault.name): \(outcome.errors)")
        #expect(outcome.errors.contains(fault.says), "\(fault.name): \(outcome.errors)")
    }

    /// law 3: one crash is tolerated: the next call starts the provider again.
    private static func backOff(_ workshop: PluginWorkshop) async throws {
        let installation = workshop.installation
        for number in 1...2 {
            let outcome = try await installation.docent("info", workshop.location("crash"))
            #expect(outcome.status == 5, "crash number \(number): \(outcome)")
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
        #expect(try await state(installation) == "ready", "two crashes")
    }

    /// F1: a descriptor that is not a regular file, or not opened as promised, is refused as content, and the daemon
    /// does not hang.
    private static func foreignDescriptor(_ name: String, _ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.docent("cat", "--verbose", workshop.location(name))
        #expect(outcome.status == 1, "\(name): \(outcome.errors)")
        #expect(outcome.output.isEmpty, "\(name)")
        #expect(outcome.errors.contains("code: ProviderFailed\n"), "\(name): \(outcome.errors)")
        #expect(outcome.errors.contains("provider: \(provider)\n"), "\(name): \(outcome.errors)")
    }

    /// T4: a page that refers to itself ends the listing with an error.
    private static func circle(_ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.docent("ls", workshop.location("circle"))
        #expect(outcome.status == 1, "circle")
        #expect(outcome.errors.contains("would never end"), "circle: \(outcome.errors)")
    }

    /// law 5: an endless listing can be cancelled, and the daemon keeps working.
    private static func endless(_ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.run(
            "/usr/bin/timeout",
            ["-s", "INT", "3", Installation.binaries + "/docent", "ls", workshop.location("boundless")])
        #expect(outcome.status == 124 || outcome.status == 7 || outcome.status == 130, "boundless: \(outcome)")
    }

    // MARK: On their own

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

    @Test("S1: inside its sandbox a plugin cannot fork, read the user's files or create sockets")
    func confined() async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation)
            let secret = installation.documents + "/secret"
            try installation.write("secret", to: "secret")
            try await workshop.install(defines: ["SECRET": "\"\(secret)\""])
            for (name, says) in [
                ("fork", "fork: \(EPERM)"), ("secret", "secret: \(ENOENT)"),
                ("connect", "network: \(EACCES), local: \(EACCES)"),
            ] {
                let outcome = try await installation.docent("info", workshop.location(name))
                #expect(outcome.status == 1, "\(name): \(outcome)")
                #expect(outcome.errors.contains("docent: \(says)\n"), "\(name): \(outcome.errors)")
            }
        }
    }

    // MARK: Remote

    @Test("F1: a fetch with another size than declared, or a sparse file of 8 TiB, is refused, complete or not")
    func lyingSizes() async throws {
        try await Self.with(defines: ["FEATURES": #""""#]) { workshop in
            for (name, says) in [("short", "7 of 1000 bytes"), ("long", "7 of 1 bytes")] {
                try await TestStep.run(name) { try await Self.lyingSize(name, says, workshop) }
            }
            try await TestStep.run("hole") { try await Self.hole(workshop) }
        }
    }

    private static func lyingSize(_ name: String, _ says: String, _ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.docent("cat", workshop.location(name))
        #expect(outcome.status == 1, "\(name): \(outcome.errors)")
        #expect(outcome.output.isEmpty, "\(name)")
        #expect(
            outcome.errors.contains("was refused: the provider delivered \(says)"), "\(name): \(outcome.errors)")
        // A new document each time: one that is here already would not be fetched.
        let next = "after-\(name).txt"
        try Data("7 bytes".utf8).write(to: URL(fileURLWithPath: "\(workshop.storage)/\(next)"))
        let good = try await workshop.installation.docent("cat", workshop.location(next)).succeeded()
        #expect(good.text == "fetched", "\(next)")
    }

    /// F1: a sparse file of 8 TiB without blocks is refused, not copied.
    private static func hole(_ workshop: PluginWorkshop) async throws {
        let outcome = try await workshop.installation.docent("cat", "--verbose", workshop.location("hole"))
        #expect(outcome.status == 1, "hole")
        #expect(outcome.output.isEmpty, "hole")
        #expect(outcome.errors.contains("code: NoSpace\n"), "hole: \(outcome.errors)")
    }
}
