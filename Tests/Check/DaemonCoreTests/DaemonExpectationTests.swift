import DocentInterfaces
import Documents
import ExtensionManifest
import Storage
import Testing

/// A program detects that its environment differs from its daemon's.
@Suite struct DaemonExpectationTests {
    private static let serving = Wire.Serving(
        version: "0.2.0", dataDirectory: "/home/ada/.local/share/docent", manifests: ["/usr/share/docent/manifests"])

    private func difference(
        _ environment: [String: String], version: String? = nil, full: Set<String> = []
    ) -> DaemonExpectation.Difference? {
        DaemonExpectation(environment: environment, version: version, workingDirectory: "/work")
            .difference(from: Self.serving, isSame: { $0 == $1 }, hasManifests: full.contains)
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
        ])
    func alike(_ environment: [String: String]) throws {
        let expectation = DaemonExpectation(environment: environment, workingDirectory: "/work")
        #expect(expectation.dataDirectory == (try StorageLayout(environment: environment).dataDirectory.text))
        let search = ManifestSearchPath(
            environment: ManifestEnvironment(variables: environment, currentDirectory: "/work"))
        #expect(expectation.manifests == search.directories.map(\.path))
    }

    @Test("each difference has a remedy, and none is to delete anything")
    func texts() {
        let all: [DaemonExpectation.Difference] = [
            .data(own: "/a", served: "/b"), .manifests("/m"), .version(own: "2", served: "1", isOlder: true),
        ]
        for difference in all {
            let error = difference.error(socket: "/run/docent.sock")
            #expect(error.code == .conflict)
            #expect(error.suggestion?.contains("docent daemon stop") == true)
            #expect(!"\(error.message) \(error.suggestion ?? "")".lowercased().contains("remove"))
        }
    }
}
