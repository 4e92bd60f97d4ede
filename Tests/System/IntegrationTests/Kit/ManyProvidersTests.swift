import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// An installation with many providers.
@Suite(.needs(.daemon)) struct ManyProvidersTests {
    private static let count = 200

    @Test("200 installed providers are listed without loading or reading their libraries")
    func lists() async throws {
        try await Installation.with(localFolder: false) { installation in
            // Before the installation is searched for secrets, which would read all of them.
            defer {
                for number in 0..<Self.count { unlink("\(installation.manifests)/libMany\(number).so") }
            }
            for number in 0..<Self.count { try Self.install(number, installation) }
            let client = installation.client()
            defer { client.close() }
            for _ in 0..<2 {
                let list = try await client.call(PickerInterface.ListProviders.self, .init(all: true)).value.providers
                #expect(list.count == Self.count)
                #expect(Set(list.map(\.state)) == ["disabled"])
                #expect(Set(list.map(\.displayName)).count == Self.count)
            }
            let broken = try await client.call(AdministrationInterface.ListBroken.self, .init()).value.broken
            #expect(broken.isEmpty)
            // Listing does not start what a provider needs to run.
            #expect(try await client.call(AdministrationInterface.Status.self, .init()).value.extensions.isEmpty)
            #expect(ProcessMemory.descendants(of: installation.daemonProcess).isEmpty)
            // Of 200 GiB of libraries next to nothing was read: only their headers.
            let daemon = try #require(installation.daemonProcess)
            let figures = try #require(installation.read("/proc/\(daemon)/io"))
            let read = figures.split(separator: "\n").first { $0.hasPrefix("rchar: ") }?.dropFirst(7)
            #expect(try #require(read.flatMap { Int($0) }) < 64 << 20)
            let maps = try #require(installation.read("/proc/\(daemon)/maps"))
            #expect(!maps.contains("/libMany"))
        }
    }

    @Test("a library installed after its manifest is found by a daemon that had missed it")
    func comesLater() async throws {
        try await Installation.with(localFolder: false) { installation in
            try Self.install(1, installation)
            let library = "\(installation.manifests)/libMany1.so"
            defer { unlink(library) }
            try FileManager.default.moveItem(atPath: library, toPath: installation.root + "/tmp/later.so")
            let client = installation.client()
            defer { client.close() }
            func list() async throws -> [String] {
                try await client.call(PickerInterface.ListProviders.self, .init(all: true)).value.providers
                    .map(\.identifier)
            }
            #expect(try await list() == [])
            let broken = try await client.call(AdministrationInterface.ListBroken.self, .init()).value.broken
            #expect(broken.count == 1 && broken.first?.problems.contains { $0.message.contains("libMany1.so") } == true)
            try FileManager.default.moveItem(atPath: installation.root + "/tmp/later.so", toPath: library)
            #expect(try await list() == ["org.example.Many1"])
        }
    }

    /// A provider whose library has the first bytes of a library, followed by a gigabyte of zeros.
    private static func install(_ number: Int, _ installation: Installation) throws {
        let library = "\(installation.manifests)/libMany\(number).so"
        let file = open(library, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Problem("\(library) cannot be created") }
        defer { close(file) }
        guard write(file, [0x7F, 0x45, 0x4C, 0x46] as [UInt8], 4) == 4, ftruncate(file, 1 << 30) == 0 else {
            throw Problem("\(library) cannot be written")
        }
        let identifier = "org.example.Many\(number)"
        let manifest: [String: Any] = [
            "CFBundleIdentifier": identifier + ".FileProvider", "CFBundleDisplayName": "Number \(number)",
            "CFBundleExecutable": "libMany\(number).so",
            "NSExtension": [
                "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui",
                "NSExtensionPrincipalClass": "Many.Provider",
                "NSExtensionFileProviderDocumentGroup": "group." + identifier,
            ],
            "com.apple.security.application-groups": ["group." + identifier],
        ]
        try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: "\(installation.manifests)/\(identifier).FileProvider.plist"))
    }
}
