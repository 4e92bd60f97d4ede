import Foundation
import Glibc

/// Scanning and listing 200 installed providers, with nothing of them in memory: neither the daemon's nor the kernel's.
enum ManyProvidersBenchmark {
    private static let count = 200

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            for number in 1..<count { try makeProvider(number, installation) }
            let manifests = installation.root + "/manifests"
            var scanned: [Double] = []
            var known: [Double] = []
            var started: [Double] = []
            var isCold = true
            for _ in 0..<settings.rounds {
                try installation.docent("daemon", "stop")
                isCold = dropCaches(manifests) && isCold
                started.append(try installation.docent("providers", "--all"))
                // A change makes the daemon scan all of them again.
                _ = dropCaches(manifests)
                utimensat(AT_FDCWD, manifests + "/org.example.Many1.FileProvider.plist", nil, 0)
                scanned.append(try installation.docent("providers", "--all"))
                known.append(try installation.docent("providers", "--all"))
            }
            return [
                Finding(
                    what: "docent providers, 200 scanned, page cache \(isCold ? "without them" : "warm")",
                    value: scanned.median * 1e3, unit: "ms", goal: 100,
                    parts: [
                        .init(name: "slowest", value: (scanned.max() ?? 0) * 1e3, unit: "ms"),
                        .init(name: "known already", value: known.median * 1e3, unit: "ms"),
                        .init(name: "with the start of the daemon", value: started.median * 1e3, unit: "ms"),
                    ])
            ]
        }
    }

    /// A provider as it is installed: a manifest, and a library of a usual size, which nobody loads.
    private static func makeProvider(_ number: Int, _ installation: Installation) throws {
        let folder = installation.root + "/manifests/"
        let identifier = "org.example.Many\(number)"
        try Installation.makeFile(at: folder + "libMany\(number).so", size: 100_000)
        let library = open(folder + "libMany\(number).so", O_WRONLY | O_CLOEXEC)
        guard library >= 0, pwrite(library, [0x7F, 0x45, 0x4C, 0x46] as [UInt8], 4, 0) == 4, fsync(library) == 0 else {
            throw Problem("a library cannot be written")
        }
        close(library)
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
            .write(to: URL(fileURLWithPath: folder + identifier + ".FileProvider.plist"))
    }

    /// Takes the files of a folder out of the page cache, where the kernel lets us.
    private static func dropCaches(_ folder: String) -> Bool {
        sync()
        // All of it, directories and inodes too, which only root may do.
        let all = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC)
        if all >= 0 {
            defer { close(all) }
            if write(all, "3", 1) == 1 { return true }
        }
        var isDone = true
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let file = open(folder + "/" + name, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            isDone = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 && isDone
            close(file)
        }
        return isDone
    }
}
