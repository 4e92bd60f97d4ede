import DocentTestSupport
import Foundation
import Testing

/// `make install` interrupted at any point, for example by ^C or a full disk: it can be repeated, and undone. Programs
/// and tools are stand-ins.
@Suite(.needs(.programs)) struct InstallInterruptionTests {
    /// The file or directory that was just created when the run was killed, by its suffix.
    private static let points = [
        "/prefix", "/share/docent", "/libexec/docent", "/bin/docent.docent-new",
        "/lib/docent/providers/org.docent.WebDAV/libWebDAV.so.docent-new", "/share/doc/docent/README.md.docent-new",
        "/share/docent/install-manifest.txt.docent-new",
    ]

    @Test(
        "An interrupted install can be removed, or repeated and then removed, without leaving files",
        arguments: Sample.shared.of(points))
    func cutShort(_ point: String) async throws {
        let stage = try await InstallStage()
        defer { stage.remove() }
        for repeats in [false, true] {
            let killed = try await stage.run("install", stopAt: point)
            #expect(killed.status != 0, "\(killed)")
            #expect(FileManager.default.fileExists(atPath: stage.prefix))
            if repeats {
                try await stage.run("install").succeeded()
                #expect(stage.names().allSatisfy { !$0.hasSuffix(".docent-new") && !$0.hasSuffix("manifest.new") })
                #expect(FileManager.default.isExecutableFile(atPath: stage.prefix + "/bin/docent"))
                let undone = try await stage.run("uninstall", stopAt: "/bin/docent.docent-new")
                #expect(undone.status != 0 && FileManager.default.fileExists(atPath: stage.prefix), "\(undone)")
            }
            try await stage.run("uninstall").succeeded()
            #expect(!FileManager.default.fileExists(atPath: stage.prefix), "\(stage.names())")
            #expect(stage.besidePrefix() == [])
        }
    }

    @Test("An install that was interrupted twice, before the list of its files existed, can be removed")
    func cutShortTwice() async throws {
        let stage = try await InstallStage()
        defer { stage.remove() }
        for point in ["/prefix", "/share/docent"] {
            let killed = try await stage.run("install", stopAt: point)
            #expect(killed.status != 0 && FileManager.default.fileExists(atPath: stage.prefix), "\(killed)")
        }
        #expect(!stage.names().contains { $0.hasSuffix("manifest.new") })
        try await stage.run("uninstall").succeeded()
        #expect(!FileManager.default.fileExists(atPath: stage.prefix), "\(stage.names())")
        #expect(stage.besidePrefix() == [])
    }

    @Test("An interrupted uninstall can be repeated, also when the list of the files is gone already")
    func removedPartly() async throws {
        let stage = try await InstallStage()
        defer { stage.remove() }
        try await stage.run("install").succeeded()
        let killed = try await stage.run("uninstall", stopAt: "/install-manifest.new")
        #expect(killed.status != 0 && FileManager.default.fileExists(atPath: stage.prefix), "\(killed)")
        #expect(!stage.names().contains { $0.hasSuffix("manifest.txt") })
        try await stage.run("uninstall").succeeded()
        #expect(!FileManager.default.fileExists(atPath: stage.prefix), "\(stage.names())")
        #expect(stage.besidePrefix() == [])
        #expect(try await stage.run("uninstall").status == 66)
    }

    @Test("Files that do not belong to Docent are neither replaced nor removed")
    func others() async throws {
        let stage = try await InstallStage()
        defer { stage.remove() }
        let own = stage.prefix + "/libexec/docent/docentd"
        try stage.write("mine", to: own)
        let refused = try await stage.run("install")
        #expect(refused.status == 73 && refused.errors.contains(own), "\(refused)")
        try await stage.run("uninstall").succeeded()
        #expect(stage.names() == ["libexec", "libexec/docent", "libexec/docent/docentd"])
        #expect(try String(contentsOfFile: own, encoding: .utf8) == "mine")
    }
}
