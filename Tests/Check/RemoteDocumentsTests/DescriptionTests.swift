import DocentInterfaces
import ExtensionManifest
import Foundation
import Testing
import UniformTypes

@testable import ExtensionHosting
@testable import RemoteDocuments

/// Items and consents as clients see them.
@Suite struct DescriptionTests {
    private static let types = UniformTypeRegistry(mimeDirectories: [])

    private static func translate(
        _ change: (inout Wire.ProviderItem) -> Void = { _ in }, inPlace: Bool = false, materialised: Bool = false,
        pending: Bool = false
    ) -> Wire.Item {
        var item = Wire.ProviderItem(identifier: "id", parent: ".root", name: "a.txt", isFolder: false)
        item.size = 5
        item.version = "v"
        change(&item)
        return ItemTranslation.item(
            item, provider: "p", domain: "d", path: "/a.txt", inPlace: inPlace, materialised: materialised,
            pending: pending, types: types)
    }

    @Test("A7: the type is the provider's, else that of the name; an invalid identifier is ignored")
    func type() {
        #expect(Self.translate().contentType == "public.plain-text")
        #expect(Self.translate({ $0.contentType = "com.adobe.pdf" }).contentType == "com.adobe.pdf")
        #expect(Self.translate({ $0.contentType = "no type!" }).contentType == "public.plain-text")
        #expect(Self.translate({ $0.contentType = "" }).contentType == "public.plain-text")
    }

    @Test("E3: an item is downloaded if it is in place, has a local copy, or its provider says so")
    func downloaded() {
        #expect(!Self.translate().isDownloaded)
        #expect(Self.translate(inPlace: true).isDownloaded)
        #expect(Self.translate(materialised: true).isDownloaded)
        #expect(Self.translate({ $0.isDownloaded = true }).isDownloaded)
        #expect(Self.translate({ $0.isFolder = true }).isDownloaded)
    }

    @Test("law 6: an item with a waiting change never counts as uploaded")
    func uploaded() {
        #expect(Self.translate().isUploaded)
        #expect(!Self.translate(pending: true).isUploaded)
        #expect(!Self.translate(inPlace: true, pending: true).isUploaded)
        #expect(!Self.translate({ $0.isUploaded = false }).isUploaded)
        #expect(!Self.translate({ $0.isUploaded = true }, pending: true).isUploaded)
    }

    @Test(
        "E1: a thumbnail reference is passed on unchanged, unless it is too long",
        arguments: [1, 1_024, 1_025])
    func thumbnail(length: Int) {
        let thumbnail = String(repeating: "t", count: length)
        #expect(Self.translate({ $0.thumbnail = thumbnail }).thumbnail == (length <= 1_024 ? thumbnail : nil))
        #expect(Self.translate().thumbnail == nil)
    }

    @Test("2.3: a link is passed on with its target, and has the type of links unless its provider gives another")
    func links() {
        let link = Self.translate({ $0.symbolicLinkTarget = "t" })
        #expect(link.symbolicLinkTarget == "t" && link.contentType == "public.symlink")
        #expect(Self.translate().symbolicLinkTarget == nil)
    }

    @Test("everything else is passed on unchanged; a folder has no size")
    func rest() {
        let item = Self.translate()
        #expect(item.reference == Wire.ItemReference(provider: "p", domain: "d", identifier: "id"))
        #expect(item.size == 5 && item.version == "v" && item.path == "/a.txt" && item.parent == ".root")
        #expect(Self.translate({ $0.isFolder = true }).size == nil)
    }

    @Test("S3: a consent lists every entitlement once, the digest, and all paths")
    func consent() throws {
        let root = NSTemporaryDirectory() + "docent-consent-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let manifests = root + "/manifests"
        try FileManager.default.createDirectory(atPath: manifests, withIntermediateDirectories: true)
        // The file is only inspected, never loaded, so any binary of this machine will do.
        try FileManager.default.copyItem(
            atPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            toPath: manifests + "/libAsk.so")
        let group = "group.org.example.Ask"
        let common: [String: Any] = [
            "CFBundleDisplayName": "Ask", "CFBundleShortVersionString": "1", "CFBundleExecutable": "libAsk.so",
            "com.apple.security.application-groups": [group], "com.apple.security.network.client": true,
            "keychain-access-groups": ["org.example.keys"],
            "com.apple.security.temporary-exception.files.home-relative-path.read-write": ["/Documents/Letters"],
            "com.apple.security.temporary-exception.files.absolute-path.read-only": ["/srv/shared/"],
        ]
        let parts: [(String, [String: Any])] = [
            (
                "FileProvider",
                [
                    "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui",
                    "NSExtensionPrincipalClass": "Ask.Provider", "NSExtensionFileProviderDocumentGroup": group,
                ]
            ),
            (
                "Picker",
                [
                    "NSExtensionPointIdentifier": "com.apple.fileprovider-ui",
                    "NSExtensionMainStoryboard": "MainInterface",
                    "NSExtensionAttributes": [
                        "UIDocumentPickerModes": ["UIDocumentPickerModeOpen"],
                        "UIDocumentPickerSupportedFileTypes": ["public.content"],
                    ],
                ]
            ),
        ]
        for (name, members) in parts {
            let manifest = common.merging(["CFBundleIdentifier": "org.example.Ask.\(name)", "NSExtension": members]) {
                $1
            }
            try JSONSerialization.data(withJSONObject: manifest).write(
                to: URL(fileURLWithPath: "\(manifests)/\(name).json"))
        }
        let environment = ManifestEnvironment(variables: [
            "HOME": root + "/home", "XDG_DATA_DIRS": root + "/none", "DOCENT_MANIFEST_PATH": manifests,
        ])
        let found = ManifestDiscovery(reader: ManifestReader(environment: environment)).scan(
            searchPath: ManifestSearchPath(environment: environment))
        let description = try #require(found.providers.first, "\(found.broken)")
        let provider = KnownProvider(
            description: description, state: .quarantined, isUnsandboxed: false, domains: [],
            quarantineReason: "it fell")
        let consent = ConsentDescription.consent(provider)
        #expect(consent.provider == "org.example.Ask")
        #expect(consent.digest == description.digest && !consent.digest.isEmpty)
        #expect(Set(consent.manifests) == ["\(manifests)/FileProvider.json", "\(manifests)/Picker.json"])
        #expect(consent.libraries == [manifests + "/libAsk.so"])
        #expect(consent.message == "it fell")
        #expect(consent.enabled)
        let folders = UserFolders(variables: [
            "HOME": root + "/home", "XDG_CONFIG_HOME": root, "XDG_DOCUMENTS_DIR": root + "/home/Dokumente",
        ])
        #expect(
            ConsentDescription.consent(provider, folders: folders).requests.map(\.value).contains("~/Dokumente/Letters")
        )
        let kinds = consent.requests.map(\.kind).sorted()
        #expect(kinds == ["document-group", "keychain-group", "network", "read-only", "read-write"])
        #expect(consent.requests.allSatisfy { !$0.explanation.isEmpty })
        #expect(consent.requests.first { $0.kind == "document-group" }?.value == group)
        #expect(!provider.isDropBox)
    }
}
