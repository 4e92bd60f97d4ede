import DocentInterfaces
import DocentTestSupport
import Documents
import ExtensionManifest
import Foundation
import Storage
import Testing

/// A program detects that its environment differs from its daemon's.
@Suite struct DaemonExpectationTests {
    private static let serving = Wire.Serving(
        version: "0.2.0", dataDirectory: "/home/ada/.local/share/docent", manifests: ["/usr/share/docent/manifests"],
        libraries: ["/usr/lib/mine"], folders: ["HOME": "/nowhere"])

    private func difference(
        _ environment: [String: String], version: String? = nil, full: Set<String> = []
    ) -> DaemonExpectation.Difference? {
        DaemonExpectation(environment: environment, version: version, workingDirectory: "/work")
            .difference(from: Self.serving, isSame: { $0 == $1 }, hasManifests: full.contains, isFilled: full.contains)
    }

    @Test("another data directory is a difference, even if everything else is equal")
    func data() {
        #expect(difference(["HOME": "/home/ada"]) == nil)
        #expect(difference(["HOME": "/nowhere", "XDG_DATA_HOME": "/home/ada/.local/share/"]) == nil)
        #expect(
            difference(["HOME": "/home/ada", "XDG_DATA_HOME": "/srv/other"])
                == .data(own: "/srv/other/docent", served: Self.serving.dataDirectory))
        // Nothing is known about the daemon, so no difference is reported.
        #expect(difference([:]) == nil)
    }

    @Test("a manifest directory that the daemon does not search is a difference; an empty or missing one is not")
    func manifests() {
        let home = ["HOME": "/home/ada"]
        let prefix = home.merging(["XDG_DATA_DIRS": "/opt/docent/share:/usr/share"]) { _, new in new }
        #expect(difference(prefix) == nil)
        #expect(
            difference(prefix, full: ["/opt/docent/share/docent/manifests"])
                == .manifests("/opt/docent/share/docent/manifests"))
        #expect(difference(prefix, full: ["/usr/share/docent/manifests"]) == nil)
        let explicit = home.merging(["DOCENT_MANIFEST_PATH": "manifests"]) { _, new in new }
        #expect(difference(explicit, full: ["/work/manifests"]) == .manifests("/work/manifests"))
    }

    @Test("a library directory that the daemon does not search is a difference; an empty or missing one is not")
    func libraries() {
        func libraries(_ path: String, full: Set<String>) -> DaemonExpectation.Difference? {
            difference(["HOME": "/home/ada", "DOCENT_LIBRARY_PATH": path], full: full)
        }
        #expect(libraries("build:/usr/lib/mine", full: []) == nil)
        #expect(libraries("/usr/lib/mine/", full: ["/usr/lib/mine"]) == nil)
        #expect(libraries("build:/usr/lib/mine", full: ["/work/build"]) == .libraries("/work/build"))
    }

    @Test("another folder for documents is a difference, if this program's environment names one")
    func documents() throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        for (name, text) in [("one", "$HOME/Papers"), ("other", "/h/Papers/"), ("none", "$HOME/")] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
            try Data("XDG_DOCUMENTS_DIR=\"\(text)\"\n".utf8)
                .write(to: URL(filePath: "\(folder.path)/\(name)/user-dirs.dirs"))
        }
        func difference(_ own: [String: String], _ served: [String: String]?) -> DaemonExpectation.Difference? {
            let home = ["HOME": "/h", "XDG_DATA_HOME": "/d"]
            let serving = Wire.Serving(
                version: "1", dataDirectory: "/d/docent", manifests: [], libraries: [],
                folders: served.map { home.merging($0) { $1 } })
            return DaemonExpectation(environment: home.merging(own) { $1 }, workingDirectory: "/")
                .difference(from: serving, isSame: { $0 == $1 }, hasManifests: { _ in false }, isFilled: { _ in false })
        }
        func configuration(_ name: String) -> [String: String] { ["XDG_CONFIG_HOME": "\(folder.path)/\(name)"] }
        let expected = DaemonExpectation.Difference.documents(own: "/h/Papers", served: "/h/Documents")
        #expect(difference(configuration("one"), [:]) == expected)
        #expect(difference(["XDG_DOCUMENTS_DIR": "/h/Papers"], configuration("none")) == expected)
        #expect(
            difference(["XDG_DOCUMENTS_DIR": "/h/Documents"], configuration("one"))
                == .documents(own: "/h/Documents", served: "/h/Papers"))
        // The same folder, however it is named.
        #expect(difference(configuration("one"), configuration("other")) == nil)
        #expect(difference(configuration("one"), ["XDG_DOCUMENTS_DIR": "/h/Papers"]) == nil)
        // None is named, or nothing is known about the daemon.
        #expect(difference([:], configuration("one")) == nil)
        #expect(difference(configuration("none"), configuration("one")) == nil)
        #expect(difference(configuration("one"), nil) == nil)
    }

    @Test(
        "if a program needs its own version, another one is a difference, and an older one is recognised",
        arguments: [("0.2.0", nil), ("0.3.0", true), ("0.10.0", true), ("0.1.9", false), ("1", true)])
    func versions(_ own: String, _ isOlder: Bool?) {
        let expected = isOlder.map { DaemonExpectation.Difference.version(own: own, served: "0.2.0", isOlder: $0) }
        #expect(difference(["HOME": "/home/ada"], version: own) == expected)
    }

    @Test(
        "client and daemon read the environment in the same way",
        arguments: [
            ["HOME": "/home/ada"], ["HOME": "/home/ada/", "XDG_DATA_HOME": "relative"],
            ["HOME": "/h", "XDG_DATA_HOME": "/data/", "XDG_DATA_DIRS": "/a:/b/:relative"],
            ["HOME": "/h", "DOCENT_MANIFEST_PATH": "/m:other", "XDG_DATA_DIRS": ""],
            ["HOME": "/h", "DOCENT_LIBRARY_PATH": "/l/:./build:../other"],
        ])
    func alike(_ environment: [String: String]) throws {
        let expectation = DaemonExpectation(environment: environment, workingDirectory: "/work")
        #expect(expectation.dataDirectory == (try StorageLayout(environment: environment).dataDirectory.text))
        let daemon = ManifestEnvironment(variables: environment, currentDirectory: "/work")
        let search = ManifestSearchPath(environment: daemon)
        #expect(expectation.manifests == search.directories.map(\.path))
        #expect(expectation.libraries == daemon.libraryPath)
    }

    @Test(
        "client and daemon find the same folder for documents",
        arguments: [
            "", "XDG_DOCUMENTS_DIR=\"$HOME/Papers\"", "XDG_DOCUMENTS_DIR=\"$HOME/\"", "XDG_DOCUMENTS_DIR=\"relative\"",
            "  XDG_DOCUMENTS_DIR=\"${HOME}/a b/c\" # mine", "#XDG_DOCUMENTS_DIR=\"/x\"\nXDG_MUSIC_DIR=\"/m\"",
            "XDG_DOCUMENTS_DIR=\"/one\"\nXDG_DOCUMENTS_DIR=\"/two/\"", "XDG_DOCUMENTS_DIR=/bare",
        ])
    func folders(_ settings: String) throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try Data((settings + "\n").utf8).write(to: URL(filePath: folder.path + "/user-dirs.dirs"))
        let environment = ["HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": folder.path]
        let own = UserFolders(variables: environment).documents
        // A daemon with the same environment is right, one with another folder is not, unless none is named.
        for (served, isSame) in [(environment, true), (["HOME": "/h", "XDG_DOCUMENTS_DIR": "/elsewhere"], false)] {
            let serving = Wire.Serving(
                version: "1", dataDirectory: "/d/docent", manifests: [], libraries: [], folders: served)
            let found = DaemonExpectation(environment: environment, workingDirectory: "/")
                .difference(from: serving, isSame: { $0 == $1 }, hasManifests: { _ in false }, isFilled: { _ in false })
            let isNamed = own != "/h/Documents"
            let expected: DaemonExpectation.Difference? =
                isSame || !isNamed ? nil : .documents(own: own, served: "/elsewhere")
            #expect(found == expected)
        }
    }

    @Test("each difference has a remedy, and none is to delete anything")
    func texts() {
        let all: [DaemonExpectation.Difference] = [
            .data(own: "/a", served: "/b"), .manifests("/m"), .version(own: "2", served: "1", isOlder: true),
            .libraries("/l"), .documents(own: "/a", served: "/b"),
        ]
        for difference in all {
            let error = difference.error(socket: "/run/docent.sock")
            #expect(error.code == .conflict)
            #expect(error.suggestion?.contains("docent daemon stop") == true)
            #expect(!"\(error.message) \(error.suggestion ?? "")".lowercased().contains("remove"))
        }
    }
}
