import Testing

@testable import DocentCommands

@Suite struct OwnPrefixTests {
    private func unsearched(_ environment: [String: String], _ folder: String?, full: Bool = true) -> String? {
        OwnPrefix.unsearchedManifests(environment, programFolder: folder) { _ in full }
    }

    @Test("providers under a prefix outside XDG_DATA_DIRS are reported, with how to add it")
    func prefix() {
        let home = ["HOME": "/h"]
        let found = unsearched(home, "/opt/docent/bin")
        #expect(found == "/opt/docent/share/docent/manifests")
        #expect(OwnPrefix.remedy(found ?? "").contains("XDG_DATA_DIRS=/opt/docent/share:"))
        #expect(unsearched(home, "/opt/docent/bin", full: false) == nil)
        #expect(unsearched(home, "/usr/bin") == nil)
        #expect(unsearched(home, "/src/.build/debug") == nil)
        #expect(unsearched(home, nil) == nil)
        let named = home.merging(["XDG_DATA_DIRS": "/opt/docent/share/:/usr/share"]) { _, new in new }
        #expect(unsearched(named, "/opt/docent/bin") == nil)
    }
}
