import DocentInterfaces
import Records
import RemoteDocuments
import Testing
import UniformTypes

@Suite("Remote items as clients see them")
struct RemoteTranslationTests {
    private let types = UniformTypeRegistry.system(environment: [:])

    private func translate(
        _ item: RemoteItem, _ upload: UploadStates.State? = nil, conflicts: Int = 0
    ) -> Wire.Item {
        RemoteTranslation.item(item, path: "/a.txt", upload: upload, conflicts: conflicts, types: types)
    }

    @Test("E3: a document without a local copy is not downloaded")
    func remote() {
        let item = translate(RemoteSample.item("a", name: "a.txt"))
        #expect(!item.isDownloaded)
        #expect(item.isUploaded)
        #expect(item.uploadState == "uploaded")
        #expect(item.isStale == nil)
        #expect(item.isPinned == nil)
        #expect(item.conflicts == nil)
        #expect(item.version == "1")
    }

    @Test("a local copy is stale once the provider has another version")
    func stale() {
        #expect(translate(RemoteSample.item("a", version: "2", local: RemoteSample.copy("1"))).isStale == true)
        #expect(translate(RemoteSample.item("a", version: "1", local: RemoteSample.copy("1"))).isStale == nil)
    }

    @Test(
        "HAZARDS 24: the state of unsent changes is shown",
        arguments: [
            (.queued, "queued", nil), (.uploading, "uploading", nil), (.failed("full"), "failed", "full"),
        ] as [(UploadStates.State, String, String?)])
    func unsent(state: UploadStates.State, name: String, error: String?) {
        let item = translate(RemoteSample.item("a", local: RemoteSample.copy("local-7", size: 99)), state, conflicts: 2)
        #expect(item.uploadState == name)
        #expect(item.uploadError == error)
        #expect(!item.isUploaded)
        #expect(item.isDownloaded)
        #expect(item.isStale == nil)
        #expect(item.size == 99)
        #expect(item.version == "local-7")
        #expect(item.conflicts == 2)
    }

    @Test("HAZARDS 5: a save that has just been published shows its own version, queued or not")
    func justSaved() {
        let item = translate(RemoteSample.item("a", local: RemoteSample.copy("local-7", size: 99)))
        #expect(item.version == "local-7" && item.size == 99)
        #expect(!item.isUploaded && item.isStale == nil)
    }

    @Test("folders are always downloaded and have no upload state")
    func folder() {
        let item = translate(
            RemoteItem(key: RemoteSample.key("f"), description: RemoteSample.description("f", isFolder: true)))
        #expect(item.isDownloaded)
        #expect(item.uploadState == nil)
        #expect(item.size == nil)
    }
}
