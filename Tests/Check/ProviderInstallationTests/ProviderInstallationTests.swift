import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

@testable import ProviderInstallation

@Suite struct ProviderInstallationTests {
    private let folder = TemporaryFolder()

    @Test(
        "manifests are found beside a library, in the package around a build, and in a package; the newest build wins"
    )
    func sources() throws {
        try folder.make(
            "package/manifests/a.plist", "package/manifests/b.plist", "package/.build/x86/debug/libA.so",
            "package/.build/x86/debug/description.json", "package/build/libA.so", "bundle/libB.so", "bundle/b.plist")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/package/.build/debug", withDestinationPath: "x86/debug")
        let manifests = ["a", "b"].map { folder.path + "/package/manifests/\($0).plist" }
        let build = folder.path + "/package/.build/x86/debug"
        let byBuild = try ProviderSource.find(folder.path + "/package/.build/debug")
        #expect(byBuild == ProviderSource(manifests: manifests, libraryDirectories: [build], library: nil))
        let byLibrary = try ProviderSource.find(folder.path + "/package/.build/debug/libA.so")
        #expect(byLibrary.manifests == manifests && byLibrary.library == build + "/libA.so")

        for (older, newer) in [("build", ".build/debug"), (".build/debug", "build")] {
            for (name, time) in [(older, 1_000.0), (newer, 2_000.0)] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: time)],
                    ofItemAtPath: folder.path + "/package/\(name)/libA.so")
            }
            let byPackage = try ProviderSource.find(folder.path + "/package")
            #expect(byPackage.manifests == manifests && byPackage.library == nil)
            #expect(byPackage.libraryDirectories.first == folder.path + "/package/" + newer)
        }
        let bundle = try ProviderSource.find(folder.path + "/bundle")
        #expect(bundle.manifests == [folder.path + "/bundle/b.plist"])
        #expect(bundle.libraryDirectories.first == folder.path + "/bundle")
        for path in [folder.path + "/nothing", "/proc/self/fd"] {
            let error = #expect(throws: DocumentsError.self) { try ProviderSource.find(path) }
            #expect(error?.code == .notFound && error?.suggestion != nil)
        }
    }

    @Test("a library must be for this machine and export the symbol; any other file is refused with a remedy")
    func libraries() throws {
        let binaries = try Self.binaries()
        try LibrarySymbols.check(binaries + "/libLocalFolder.so")
        let original = try Data(contentsOf: URL(filePath: binaries + "/libLocalFolder.so"))
        var copies: [String: (Data, String)] = [
            "text": (Data("no library".utf8), "ELF"), "empty": (Data(), "ELF"),
            "program": (try Data(contentsOf: URL(filePath: "/proc/self/exe")), "is not a provider's library"),
            "half": (original.prefix(original.count / 2), "symbol table"),
        ]
        for (name, place, value, word) in [
            ("machine", 18, 0x07, "machine"), ("class", 4, 1, "machine"), ("type", 16, 1, "shared library"),
        ] as [(String, Int, UInt8, String)] {
            var changed = original
            changed[place] = value
            copies[name] = (changed, word)
        }
        var renamed = original
        while let range = renamed.range(of: Data("docent_extension_main_v1".utf8)) {
            renamed.replaceSubrange(range, with: Data("docent_extension_main_v0".utf8))
        }
        copies["renamed"] = (renamed, "docent_extension_main_v1")
        for (name, (content, word)) in copies {
            try content.write(to: folder.url(name))
            let error = #expect(throws: DocumentsError.self, "\(name)") {
                try LibrarySymbols.check(folder.path + "/" + name)
            }
            #expect(
                error?.code == .invalidArgument && error?.message.contains(word) == true, "\(name): \(error as Any)")
            #expect(error?.suggestion != nil)
        }
    }

    @Test("a library with hostile tables is accepted or refused, and nothing is read beyond its end")
    func mutilated() throws {
        let original = try Data(contentsOf: URL(filePath: try Self.binaries() + "/libLocalFolder.so"))
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let table = original[40..<48].reversed().reduce(0) { $0 << 8 | Int($1) }
        let file = folder.path + "/mutilated"
        try original.write(to: URL(filePath: file))
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        var refused = 0
        for round in 0..<300 {
            // In the header, or in the section table.
            let place = round % 3 == 0 ? 16 + Int(next() % 48) : table + Int(next() % UInt64(original.count - table))
            var byte = UInt8(truncatingIfNeeded: next())
            pwrite(descriptor, &byte, 1, place)
            do { try LibrarySymbols.check(file) } catch {
                refused += 1
                #expect(error.code == .invalidArgument, "seed \(seed), round \(round)")
            }
            byte = original[place]
            pwrite(descriptor, &byte, 1, place)
        }
        #expect(refused > 0)
        try LibrarySymbols.check(file)
    }

    @Test("an installation that was interrupted at any step is completed by the next command", arguments: 0...7)
    func cutShort(step: Int) throws {
        let change: InstallationChange
        let directory: String
        do {
            let installed = try InstalledProviders(dataHome: folder.path)
            directory = installed.directory
            change = try Self.stage(
                ["manifests/a.plist", "providers/org.example.A/libA.so"], in: installed, removing: "providers/libA.so")
            // An earlier Docent put the library into the shared directory.
            try folder.make("docent/providers/libA.so", "docent/providers/other.so")
            // As `perform` leaves it if the process ends between two steps.
            let pending = directory + "/installed/org.example.A.pending.json"
            try JSONEncoder().encode(change).write(to: URL(filePath: pending))
            let staged = directory + "/installed/\(change.staging ?? "")/docent/"
            let steps: [() throws -> Void] = [
                { try FileWork.makeDirectories(directory + "/manifests", mode: 0o755) },
                { try FileWork.makeDirectories(directory + "/providers/org.example.A", mode: 0o755) },
                { try FileWork.move(staged + change.moves[0], to: directory + "/" + change.moves[0]) },
                { try FileWork.move(staged + change.moves[1], to: directory + "/" + change.moves[1]) },
                { try FileWork.remove(directory + "/providers/libA.so") },
                {
                    try JSONEncoder().encode(change.record).write(
                        to: URL(filePath: directory + "/installed/org.example.A.json"))
                },
                { try FileWork.remove(pending) },
            ]
            for step in steps.prefix(step) { try step() }
        }
        let next = try InstalledProviders(dataHome: folder.path)
        #expect(next.allRecords() == [change.record])
        #expect(try folder.names("docent/manifests") == ["a.plist"])
        #expect(try folder.names("docent/providers") == ["org.example.A", "other.so"])
        #expect(try folder.names("docent/providers/org.example.A") == ["libA.so"])
        #expect(try folder.names("docent/installed") == ["lock", "org.example.A.json"])
        #expect(change.record?.files.allSatisfy { $0.isUnchanged(below: directory) } == true)
    }

    @Test("files that were staged and never committed are removed, and two commands do not run at once")
    func alone() throws {
        do {
            let installed = try InstalledProviders(dataHome: folder.path)
            _ = try Self.stage(["manifests/a.plist"], in: installed, removing: nil)
            let error = #expect(throws: DocumentsError.self) { try InstalledProviders(dataHome: folder.path) }
            #expect(error?.code == .conflict)
        }
        let next = try InstalledProviders(dataHome: folder.path)
        #expect(next.allRecords().isEmpty)
        #expect(try folder.names("docent/installed") == ["lock"])
    }

    @Test("a copy of the lock's descriptor, as in a process that is being started, does not keep the lock")
    func copiedLock() throws {
        let ending = "/" + (folder.path.split(separator: "/").last ?? "") + "/docent/installed/lock"
        var copies: [CInt] = []
        defer { copies.forEach { close($0) } }
        do {
            let installed = try InstalledProviders(dataHome: folder.path)
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                if target?.hasSuffix(ending) == true, let number = CInt(name) {
                    copies.append(dup(number))
                }
            }
            #expect(installed.allRecords().isEmpty && !copies.isEmpty)
        }
        #expect(try InstalledProviders(dataHome: folder.path).allRecords().isEmpty)
    }

    @Test(
        "a record or a change that names a foreign file is refused",
        arguments: [
            "../../victim", "manifests/../../victim", "/victim", "manifests/..", "manifests", "other/victim",
            "manifests/a/b", "providers/../victim",
            "providers/a/../../victim", "providers//victim", "providers/a/b/c",
        ])
    func foreign(path: String) throws {
        try folder.make("victim", "docent/installed/x", "docent/other/victim")
        let record = InstallationRecord(
            provider: "org.example.A", source: "/", files: [])
        var named = record
        named.files = [try #require(InstallationRecord.File(path: "victim", below: folder.path))]
        named.files[0].path = path
        let installed = folder.path + "/docent/installed"
        try JSONEncoder().encode(named).write(to: URL(filePath: installed + "/org.example.A.json"))
        #expect(try InstalledProviders(dataHome: folder.path).allRecords().isEmpty)
        let change = InstallationChange(
            provider: "org.example.A", staging: nil, moves: [], removals: [path], record: record)
        try JSONEncoder().encode(change).write(to: URL(filePath: installed + "/org.example.A.pending.json"))
        #expect(throws: DocumentsError.self) { try InstalledProviders(dataHome: folder.path) }
        #expect(FileManager.default.fileExists(atPath: folder.path + "/victim"))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/docent/other/victim"))
    }

    private static func stage(
        _ paths: [String], in installed: InstalledProviders, removing old: String?
    ) throws -> InstallationChange {
        let staging = try installed.makeStaging()
        for path in paths {
            let file = "\(staging)/docent/\(path)"
            try FileWork.makeDirectories(FileWork.parent(file), mode: 0o755)
            try Data(path.utf8).write(to: URL(filePath: file))
        }
        let files = paths.compactMap { InstallationRecord.File(path: $0, below: staging + "/docent") }
        return InstallationChange(
            provider: "org.example.A", staging: String(staging.split(separator: "/").last ?? ""),
            moves: paths.reversed(),
            removals: old.map { [$0] } ?? [],
            record: InstallationRecord(provider: "org.example.A", source: "/source", files: files))
    }

    /// This build's libraries, beside the test program.
    private static func binaries() throws -> String {
        if let given = ProcessInfo.processInfo.environment["DOCENT_TEST_BINARIES"] { return given }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let beside = URL(filePath: own).deletingLastPathComponent().path
        if FileManager.default.fileExists(atPath: beside + "/libLocalFolder.so") { return beside }
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        return URL(filePath: bundle).deletingLastPathComponent().path
    }
}
