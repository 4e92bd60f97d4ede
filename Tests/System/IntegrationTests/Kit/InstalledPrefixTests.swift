import DocentTestSupport
import Foundation
import Testing

/// A Docent below a prefix of its own, which has to be named in `XDG_DATA_DIRS`.
@Suite(.needs(.daemon)) struct InstalledPrefixTests {
    @Test("if the prefix is not searched, `providers` and `doctor` name it, with the commands that help")
    func hint() async throws {
        try await Installation.with(environment: ["DOCENT_MANIFEST_PATH": "", "DOCENT_LIBRARY_PATH": ""]) {
            installation in
            let prefix = installation.root + "/prefix"
            let docent = prefix + "/bin/docent"
            let manifests = prefix + "/share/docent/manifests"
            // By another process: a file that this one has open for writing cannot be run.
            let library = "libLocalFolder.so"
            for (file, place) in [
                ("docent", docent), (library, prefix + "/lib/docent/providers/org.docent.LocalFolder/" + library),
            ] {
                try await installation.run("/usr/bin/install", ["-D", Installation.binaries + "/" + file, place])
                    .succeeded()
            }
            try FileManager.default.createDirectory(
                atPath: prefix + "/share/docent", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: installation.manifests, toPath: manifests)

            let remedy = "export XDG_DATA_DIRS=\(prefix)/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
            let providers = try await installation.run(docent, ["providers", "--all"]).succeeded()
            #expect(!providers.text.contains("LocalFolder"), "\(providers)")
            #expect(providers.errors.contains("\(manifests), which is not searched"), "\(providers)")
            #expect(providers.errors.contains(remedy), "\(providers)")
            let doctor = try await installation.run(docent, ["doctor"])
            #expect(doctor.text.contains("\(manifests), which is not searched"), "\(doctor)")
            #expect(doctor.text.contains(remedy), "\(doctor)")

            // What the hint says.
            try await installation.run(docent, ["daemon", "stop"]).succeeded()
            let searched = ["XDG_DATA_DIRS": prefix + "/share:/usr/local/share:/usr/share"]
            let found = try await installation.run(docent, ["providers", "--all"], environment: searched).succeeded()
            #expect(found.text.contains("org.docent.LocalFolder"), "\(found)")
            let healthy = try await installation.run(docent, ["doctor"], environment: searched)
            #expect(!(found.errors + healthy.text).contains("not searched"), "\(found) \(healthy)")
        }
    }
}
