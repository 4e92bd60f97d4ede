import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// An installed provider's files and documents at unfavourable moments.
@Suite(.needs(.daemon)) struct ProviderLifeTests {
    @Test(
        "law 6: after a kill at any time an installation is complete with the next command, or absent"
    )
    func killed() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            try package.write()
            var seconds = 0.000_5
            var (finished, cutShort) = (0, 0)
            // From before it begins until after it has ended; the daemon is not needed.
            while finished < 2 {
                let process = try ChildProcess(
                    Installation.binaries + "/docent", ["provider", "install", package.path],
                    environment: installation.environment, folder: installation.home, errors: .null)
                try await Task.sleep(for: .seconds(seconds))
                if process.isRunning {
                    process.send(SIGKILL)
                    cutShort += 1
                } else {
                    finished += 1
                }
                try await installation.eventually("it has ended") { !process.isRunning }
                let found = Set(package.installed())
                // A manifest is never installed before its library.
                if found.contains(where: { $0.hasSuffix(".plist") }) {
                    #expect(found.contains("providers/org.example.Shelf/libLocalFolder.so"), "\(found)")
                }
                for name in found where name.hasPrefix("providers/") && name.hasSuffix(".so") {
                    #expect(
                        FileManager.default.contentsEqual(
                            atPath: package.data + "/" + name, andPath: package.path + "/build/libLocalFolder.so"),
                        "half a library has the name of a whole one")
                }
                seconds *= 1.3
            }
            #expect(cutShort > 5, "it was too fast to be interrupted")
            try await installation.docent("provider", "install", package.path).succeeded()
            #expect(package.installed() == ProviderInstallTests.files)
            // The same for the uninstallation: it is complete, or nothing was removed.
            seconds = 0.000_5
            for _ in 0..<12 {
                let process = try ChildProcess(
                    Installation.binaries + "/docent", ["provider", "uninstall", package.identifier],
                    environment: installation.environment, folder: installation.home, errors: .null)
                try await Task.sleep(for: .seconds(seconds))
                if process.isRunning { process.send(SIGKILL) }
                try await installation.eventually("it has ended") { !process.isRunning }
                seconds *= 1.6
            }
            _ = try await installation.docent("provider", "uninstall", package.identifier)
            #expect(package.installed().isEmpty, "\(package.installed())")
        }
    }

    @Test(
        "law 6: uninstalling a provider asks about unsent changes, and does not lose them"
    )
    func unsent() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            let identifier = "org.docent.Faulty"
            let bundle = installation.root + "/bundle"
            let files = FileManager.default
            try files.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            try files.copyItem(atPath: Installation.binaries + "/libFaulty.so", toPath: bundle + "/libFaulty.so")
            for point in ["FileProvider", "Picker"] {
                let name = "\(identifier).\(point).plist"
                try files.copyItem(
                    atPath: "\(Repository.root)/Plugins/Faulty/manifests/\(name)", toPath: "\(bundle)/\(name)")
            }
            try await installation.docent("provider", "install", "--enable", "--yes", bundle).succeeded()
            let client = installation.client()
            defer { client.close() }
            _ = try await client.call(
                AdministrationInterface.AddDomain.self,
                .init(
                    domain: .init(
                        provider: identifier, identifier: "box", displayName: "",
                        settings: ["faults": "modify.error=ServerUnreachable"]), unchecked: true))
            let place = "\(identifier)@box:/Welcome.txt"
            try await installation.docent("cat", place).succeeded()
            try await installation.docent("write", place, input: Data("mine".utf8)).succeeded()

            let asked = try await installation.docent("provider", "uninstall", identifier)
            #expect(asked.status == 64 && asked.errors.contains("1 change was not sent"), "\(asked.errors)")
            #expect(package.installed().count == 4, "nothing was removed")
            #expect(try await installation.docent("cat", place).succeeded().text == "mine", "and nothing was disabled")
            let removed = try await installation.docent("provider", "uninstall", identifier, "--yes").succeeded().text
            #expect(removed.contains("1 change was not sent"), "\(removed)")
            #expect(package.installed().isEmpty)

            try await installation.docent("provider", "install", "--enable", "--yes", bundle).succeeded()
            _ = try await client.call(
                AdministrationInterface.ChangeDomain.self,
                .init(provider: identifier, identifier: "box", settings: ["faults": ""]))
            try await installation.docent("drain").succeeded()
            try await installation.docent("evict", place).succeeded()
            let sent = try await installation.docent("cat", place).succeeded().text
            #expect(sent == "mine", "an answer about the provider was taken for one about the document")
            #expect(installation.versions.isEmpty)
        }
    }
}
