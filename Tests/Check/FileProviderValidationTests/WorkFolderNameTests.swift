import DocentInterfaces
import FileProviderValidation
import Testing

@Suite struct WorkFolderNameTests {
    private static func item(_ name: String, isFolder: Bool = true) -> Wire.ProviderItem {
        Wire.ProviderItem(
            identifier: name, parent: ".root", name: name, contentType: "public.item", isFolder: isFolder,
            capabilities: ["read"])
    }

    @Test("two runs on one account do not see each other's folders, but everything else")
    func others() {
        let own = WorkFolderName.make("word")
        let items = [
            Self.item("Letters"), Self.item(own), Self.item(WorkFolderName.make("word")),
            Self.item("docent-validation-report.txt", isFolder: false),
        ]
        #expect(
            WorkFolderName.ownItems(items, own: own).map(\.name) == ["Letters", own, "docent-validation-report.txt"])
        #expect(
            WorkFolderName.ownItems(items, own: nil).map(\.name) == ["Letters", "docent-validation-report.txt"])
    }

    @Test("the same seed twice gives two names")
    func unique() {
        #expect(WorkFolderName.make("word") != WorkFolderName.make("word"))
    }
}
