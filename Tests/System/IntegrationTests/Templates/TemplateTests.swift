import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The templates for C and Rust: any language behind one C symbol (law 4).
@Suite(.needs(.daemon)) struct TemplateTests {
    @Test("the header in the C template equals Docent's")
    func header() throws {
        func content(_ path: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/" + path))
        }
        let own = try content("Templates/c/docent/docent_extension.h")
        #expect(try own == content("Sources/ExtensionABI/include/docent_extension.h"))
    }

    @Test(
        "a template's own tests pass: in Rust without a warning, in C also with sanitizers and mutated messages",
        .needs(.programs, .processor), arguments: Sample.shared.of(TemplatePackage.Language.allCases))
    func ownTests(language: TemplatePackage.Language) async throws {
        try await TemplatePackage.with(language) { package in
            switch language {
            case .rust:
                let tests = try await package.run("cargo", "test", "--offline").succeeded().text
                #expect(tests.contains("test result: ok"), "\(tests)")
            case .c:
                let tests = try await package.run("make", "check", "sanitize", "fuzz", "SECONDS=3").succeeded().text
                for name in ["messages", "documents", "hostile", "exports"] {
                    #expect(tests.contains("\(name): passed"), "\(tests)")
                }
                #expect(tests.contains("rounds from seed"), "\(tests)")
            }
        }
    }

    @Test(
        "law 4: a provider from a template serves documents to a real daemon, in its sandbox",
        arguments: Sample.shared.of(TemplatePackage.Language.allCases))
    func serves(language: TemplatePackage.Language) async throws {
        try await TemplatePackage.withInstalled(language) { package in
            let installation = package.installation
            let exported = try await package.run("nm", "--dynamic", "--defined-only", package.library).succeeded().text
            #expect(exported.split(whereSeparator: \.isWhitespace).dropFirst(2) == ["docent_extension_main_v1"])

            let listed = try await package.docent("providers").succeeded().text
            #expect(listed.contains(TemplatePackage.provider) && listed.contains("import,open,export,move"))
            #expect(try await package.docent("ls", "Postbox:/").succeeded().text == "Welcome.txt\n")
            let welcome = try await package.docent("cat", "Postbox:/Welcome.txt").succeeded().text
            #expect(welcome.contains("Postbox"))

            try await package.docent("write", "Postbox:/a.txt", input: "one").succeeded()
            try await package.docent("drain").succeeded()
            try await package.docent("rename", "Postbox:/a.txt", "b.txt").succeeded()
            try await package.docent("mkdir", "Postbox:/Folder").succeeded()
            try await package.docent("rename", "Postbox:/b.txt", "/Folder/").succeeded()
            #expect(try await package.docent("ls", "Postbox:/").succeeded().text == "Folder/\nWelcome.txt\n")
            let content = try await package.docent("cat", "Postbox:/Folder/b.txt").succeeded().text
            #expect(content == "one")
            let copy = installation.home + "/copy.txt"
            try await package.docent("import", "Postbox:/Folder/b.txt", "-o", copy).succeeded()
            #expect(try await package.docent("export", copy, "Postbox:/Folder/b.txt").status == 6)
            // The fetched content equals the stored content.
            try await package.docent("evict", "Postbox:/Folder/b.txt").succeeded()
            #expect(try await package.docent("cat", "Postbox:/Folder/b.txt").succeeded().text == "one")

            let status = try await installation.status()
            let running = try #require(status.extensions.first { $0.state == "running" })
            #expect(running.crashes == 0)
            let process = try #require(running.processIdentifier)
            let maps = try await installation.run("/bin/cat", ["/proc/\(process)/maps"]).succeeded().text
            #expect(maps.contains("libPostbox.so") && !maps.contains("libswiftCore"))
        }
    }

    @Test(
        "law 6: content confirmed by a provider from a template persists after kill -9 and a crash, under the same identifier",
        arguments: Sample.shared.of(TemplatePackage.Language.allCases))
    func survivesKill(language: TemplatePackage.Language) async throws {
        try await TemplatePackage.withInstalled(language) { package in
            let installation = package.installation
            try await package.docent("write", "Postbox:/a.txt", input: "one").succeeded()
            try await package.docent("drain").succeeded()
            let before = try await package.identifier("a.txt")
            let daemon = installation.daemonProcess
            // To the host, a crash, for example by a null pointer, is the same as a kill by an administrator.
            for signal in [SIGKILL, SIGSEGV] {
                let process = try #require(try await installation.extensionProcess())
                #expect(kill(process, signal) == 0)
                try await installation.eventually("it is gone") { kill(process, 0) != 0 }
                try await package.docent("evict", "Postbox:/a.txt").succeeded()
                #expect(try await package.docent("cat", "Postbox:/a.txt").succeeded().text == "one")
                #expect(try await package.identifier("a.txt") == before)
                #expect(!before.isEmpty)
                let next = try #require(try await installation.extensionProcess())
                #expect(next != process)
            }
            #expect(daemon != nil && installation.daemonProcess == daemon, "the daemon survives")
        }
    }

    @Test(
        "a concurrent change at the service is a conflict for a provider from a template; both are kept",
        arguments: Sample.shared.of(TemplatePackage.Language.allCases))
    func keepsBoth(language: TemplatePackage.Language) async throws {
        try await TemplatePackage.withInstalled(language) { package in
            let installation = package.installation
            #expect(try await package.docent("cat", "Postbox:/Welcome.txt").succeeded().text.contains("Postbox"))
            let client = installation.client()
            let document = try await DocumentPicker(client: client).openDocument(
                at: DocumentLocation(provider: TemplatePackage.provider, path: "/Welcome.txt"))
            let session = try await document.beginWriting(replacing: true)
            try writeAll("mine", to: session.descriptor)
            try await package.changeAtService("theirs")
            do throws(DocumentsError) { try await session.commit() } catch { #expect(error.code == .conflict) }
            #expect(try await package.docent("drain").succeeded().status == 0)
            #expect(try await package.docent("cat", "Postbox:/Welcome.txt").succeeded().text == "theirs")
            #expect(installation.versions == ["mine"])
            client.close()
        }
    }

    @Test(
        "law 4: a provider from a template passes validation, at the usual level and, installed, through a daemon",
        .needs(.daemon, within: .seconds(1200)),
        arguments: Sample.shared.of(TemplatePackage.Language.allCases, ["sandbox", "daemon"]))
    func validates(language: TemplatePackage.Language, transport: String) async throws {
        if transport == "daemon" {
            try await Self.validateInstalled(language)
        } else {
            try await Self.validateAlone(language)
        }
    }

    private static func validateAlone(_ language: TemplatePackage.Language) async throws {
        try await TemplatePackage.with(language) { package in
            let (run, outcome) = try await ValidationRun.make(
                package.installation, [package.path, "--level", "5", "--seed", "1"])
            #expect(run.passed && outcome.status == 0, "\(run.complaints)")
            for name in ["reading.ranges", "modifying.repeatedAfterRestart", "changes.told", "resume.offset"] {
                #expect(run.named(name)?.outcome == "passed", "\(name): \(run.named(name)?.reason ?? "not run")")
            }
        }
    }

    private static func validateInstalled(_ language: TemplatePackage.Language) async throws {
        try await TemplatePackage.withInstalled(language) { package in
            let (run, outcome) = try await ValidationRun.make(
                package.installation,
                [TemplatePackage.provider, "--level", "3", "--seed", "1", "--transport", "daemon"])
            #expect(run.passed && outcome.status == 0 && run.transport == "daemon", "\(run.complaints)")
            for name in ["creating.document", "moving.rename", "daemon.evict", "daemon.bookmark"] {
                #expect(run.named(name)?.outcome == "passed", "\(name): \(run.named(name)?.reason ?? "not run")")
            }
        }
    }
}

extension TemplatePackage {
    /// The identifier assigned by the provider to a document.
    fileprivate func identifier(_ name: String) async throws -> String {
        struct Item: Decodable { var identifier: String }
        return try await docent("info", "Postbox:/\(name)", "--json").succeeded().json(Item.self).identifier
    }

    /// Changes Welcome.txt as another program would, without Docent: in the log, while no process of the provider is
    /// using it.
    fileprivate func changeAtService(_ text: String) async throws {
        let process = try #require(try await installation.extensionProcess())
        #expect(kill(process, SIGKILL) == 0)
        try await installation.eventually("it is gone") { kill(process, 0) != 0 }
        let date = Int(Date.now.timeIntervalSince1970 * 1000)
        let record = """
            {"put":1,"parent":0,"name":"Welcome.txt","folder":false,"version":1000,"modified":\(date),"created":\(date),\
            "sequence":1000,"size":\(text.utf8.count)}
            \(text)

            """
        let log = try #require(log)
        let file = try #require(FileHandle(forWritingAtPath: log))
        try file.seekToEnd()
        try file.write(contentsOf: Data(record.utf8))
        try file.close()
    }
}
