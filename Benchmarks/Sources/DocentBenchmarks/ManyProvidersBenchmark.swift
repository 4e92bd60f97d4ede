import Foundation
import Glibc

/// Scanning and listing 200 installed providers, with neither the daemon nor the page cache knowing them.
enum ManyProvidersBenchmark {
    private static let count = 200

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            // The time that programs and daemon take in any case.
            try await Installation.with(settings) { try run(settings, installation, single: $0) }
        }
    }

    private static func run(
        _ settings: Settings, _ installation: Installation, single: Installation
    ) throws -> [Finding] {
        for number in 1..<count { try makeProvider(number, installation) }
        let manifests = installation.root + "/manifests"
        var (started, startedWarm, fromDisk, alone): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        var (scanned, scannedWarm, known): ([Double], [Double], [Double]) = ([], [], [])
        var isCold = true
        for _ in 0..<settings.rounds {
            try installation.docent("daemon", "stop")
            isCold = dropCaches(manifests) && isCold
            fromDisk.append(try installation.docent("providers", "--all"))

            try installation.docent("daemon", "stop")
            try single.docent("daemon", "stop")
            isCold = dropCaches(manifests) && isCold
            // Brings the programs back into memory, but none of the 200 manifests.
            alone.append(try single.docent("providers", "--all"))
            started.append(try installation.docent("providers", "--all"))

            try installation.docent("daemon", "stop")
            startedWarm.append(try installation.docent("providers", "--all"))

            // A change makes the daemon read and check all manifests again, without using what it knew.
            utimensat(AT_FDCWD, manifests + "/org.example.Many1.FileProvider.plist", nil, 0)
            isCold = dropCaches(manifests) && isCold
            try installation.docent("--version")
            scanned.append(try installation.docent("providers", "--all"))
            utimensat(AT_FDCWD, manifests + "/org.example.Many1.FileProvider.plist", nil, 0)
            scannedWarm.append(try installation.docent("providers", "--all"))
            known.append(try installation.docent("providers", "--all"))
        }
        let note = isCold ? "" : " (page cache could not be emptied)"
        return [
            finding(
                "docent providers, 200, daemon started for it" + note, started, goal: 100,
                [("page cache warm", startedWarm), ("programs from disk too", fromDisk), ("that with one", alone)]),
            finding(
                "docent providers, 200 read again" + note, scanned, goal: 100,
                [("page cache warm", scannedWarm), ("nothing changed", known)]),
        ]
    }

    private static func finding(
        _ what: String, _ times: [Double], goal: Double?, _ others: [(name: String, times: [Double])]
    ) -> Finding {
        Finding(
            what: what, value: times.median * 1e3, unit: "ms", goal: goal,
            parts: [.init(name: "slowest", value: (times.max() ?? 0) * 1e3, unit: "ms")]
                + others.map { .init(name: $0.name, value: $0.times.median * 1e3, unit: "ms") })
    }

    /// A provider as installed: a manifest, and a library of a usual size, which is never loaded.
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

    /// Removes the files of a folder from the page cache, if the kernel allows it.
    private static func dropCaches(_ folder: String) -> Bool {
        sync()
        // Everything, including directories and inodes; only root may do this.
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
