import DocentTestSupport
import Foundation
import Glibc
import Testing

/// `make install` that is cut short, as by ^C or a full disk, at any point: it can be repeated, and undone. Programs and tools are stand-ins.
@Suite(.needs(.programs)) struct InstallInterruptionTests {
    /// What was just made when the run was killed, by the end of its name.
    private static let points = [
        "/libexec/docent", "/bin/docent.docent-new", "/lib/docent/providers/libWebDAV.so.docent-new",
        "/share/doc/docent/README.md.docent-new", "/share/docent/install-manifest.txt.docent-new",
    ]

    @Test(
        "An install that was cut short can be removed, or done again and then removed, without a trace",
        arguments: Sample.shared.of(points))
    func cutShort(_ point: String) async throws {
        let stage = try Stage()
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
        }
    }

    @Test("What somebody else put there is neither replaced nor removed")
    func others() async throws {
        let stage = try Stage()
        defer { stage.remove() }
        let own = stage.prefix + "/libexec/docent/docentd"
        try stage.write("mine", to: own)
        let refused = try await stage.run("install")
        #expect(refused.status == 73 && refused.errors.contains(own), "\(refused)")
        try await stage.run("uninstall").succeeded()
        #expect(stage.names() == ["libexec", "libexec/docent", "libexec/docent/docentd"])
        #expect(try String(contentsOfFile: own, encoding: .utf8) == "mine")
    }

    /// A directory with tools that stand for those of a toolchain.
    private struct Stage {
        let root: String
        var prefix: String { root + "/prefix" }

        init() throws {
            root = "/tmp/docent-install-\(UUID().uuidString.prefix(8))"
            let programs = [
                "docent", "docentd", "docent-extension-host", "docent-keyring-file", "docent-provider-validator",
            ]
            for program in programs { try write("#!/bin/sh\necho \(program)\n", to: "\(root)/binaries/\(program)") }
            for plugin in try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Plugins") {
                try write(plugin, to: "\(root)/binaries/lib\(plugin).so")
            }
            for library in ["libFoundation.so", "libswiftSwiftOnoneSupport.so"] {
                try write(library, to: "\(root)/toolchain/lib/swift/linux/\(library)")
            }
            try write("licence", to: root + "/toolchain/share/swift/LICENSE.txt")
            for tool in ["swift", "patchelf"] { try write("#!/bin/sh\n", to: "\(root)/toolchain/bin/\(tool)") }
            try write(
                "#!/bin/bash\ncase $1 in --*) shift ;; esac\ncp \"$3\" \"$2\"\n", to: root + "/toolchain/bin/strip")
            for tool in ["install", "rm"] {
                try write(
                    """
                    #!/bin/bash
                    /usr/bin/\(tool) "$@" || exit
                    case ${*: -1} in *"$STOP_AT") kill -9 "$PPID" ;; esac

                    """, to: "\(root)/toolchain/bin/\(tool)")
            }
            try FileManager.default.createDirectory(atPath: root + "/tmp", withIntermediateDirectories: true)
        }

        func run(_ verb: String, stopAt point: String = "/nothing/of/that/name") async throws -> Outcome {
            let script = [Repository.root + "/Scripts/install.sh", verb]
            return try await Outcome.run(
                "/bin/bash", script, input: nil,
                environment: [
                    "PATH": root + "/toolchain/bin:/usr/bin:/bin", "HOME": root, "TMPDIR": root + "/tmp",
                    "PREFIX": prefix, "DOCENT_INSTALL_BINARIES": root + "/binaries", "STOP_AT": point,
                ], folder: root)
        }

        func write(_ text: String, to path: String) throws {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            chmod(path, 0o755)
        }

        func names() -> [String] {
            (FileManager.default.enumerator(atPath: prefix)?.allObjects as? [String] ?? []).sorted()
        }

        func remove() { try? FileManager.default.removeItem(atPath: root) }
    }
}
