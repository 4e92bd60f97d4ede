import Records
import RemoteDocuments
import Testing

@Suite("Downloads: where they resume and what is published")
struct RemoteDownloadPlanTests {
    private func partial(_ completed: Int64, _ version: String?) -> PartialDownload {
        PartialDownload(key: RemoteSample.key("a"), file: "f", version: version, completed: completed, total: nil)
    }

    @Test(
        "HAZARDS 16: a download resumes only after bytes of the same version that are on the disk",
        arguments: [
            (40, "1", 40, "1", true, 40), (40, "1", 30, "1", true, 30), (40, "2", 40, "1", true, nil),
            (40, nil, 40, nil, true, nil), (40, "1", 40, "1", false, nil), (0, "1", 0, "1", true, nil),
            (120, "1", 120, "1", true, nil),
            // An empty range is never requested.
            (100, "1", 100, "1", true, 99),
        ] as [(Int64, String?, Int64, String?, Bool, Int64?)])
    func offset(
        completed: Int64, of version: String?, length: Int64, described: String?, canResume: Bool, expected: Int64?
    ) {
        let item = RemoteSample.description("a", size: 100, version: described)
        #expect(
            DownloadPlan.offset(partial(completed, version), length: length, of: item, canResume: canResume)
                == expected)
    }

    @Test("without a partial download nothing is resumed")
    func fresh() {
        let item = RemoteSample.description("a")
        #expect(DownloadPlan.offset(nil, length: 0, of: item, canResume: true) == nil)
    }

    @Test(
        "only a complete download is published; the size in the provider's final description counts",
        arguments: [
            (100, nil, 100, DownloadPlan.Verdict.complete),
            (90, nil, 100, .broken("the provider delivered 90 of 100 bytes")),
            (100, 100, 7, .complete), (100, 101, 100, .broken("the provider delivered 100 of 101 bytes")),
            (100, nil, nil, .complete),
        ] as [(Int64, Int64?, Int64?, DownloadPlan.Verdict)])
    func verdict(length: Int64, said: Int64?, described: Int64?, expected: DownloadPlan.Verdict) {
        let verdict = DownloadPlan.verdict(
            length: length, said: said.map { RemoteSample.description("a", size: $0) },
            described: RemoteSample.description("a", size: described))
        #expect(verdict == expected)
    }

    @Test("a provider that sends more than it announced is refused")
    func tooMuch() {
        let verdict = DownloadPlan.verdict(
            length: 101, said: nil, described: RemoteSample.description("a", size: 100))
        guard case .broken = verdict else { return #expect(Bool(false), "\(verdict)") }
    }

    @Test(
        "leftover bytes beyond the end of a shorter document are cut off, and nothing else",
        arguments: [
            (50, 0, 20, 50, 20), (50, 50, 80, 80, nil), (0, 0, 20, 20, nil), (50, 0, 60, 60, nil), (50, 0, 20, 55, nil),
        ]
            as [(Int64, Int64, Int64, Int64, Int64?)])
    func excess(offset: Int64, began: Int64, completed: Int64, length: Int64, expected: Int64?) {
        #expect(
            DownloadPlan.excess(offset: offset, began: began, completed: completed, length: length) == expected)
    }

    @Test("the progress of a restarted attempt is not recorded as that of the earlier version")
    func progress() {
        let fresh = AttemptProgress(offset: 0)
        #expect(fresh.toRecord == nil)
        fresh.note(completed: 10, total: 100, began: nil)
        #expect(fresh.toRecord?.completed == 10)
        let resumed = AttemptProgress(offset: 50)
        resumed.note(completed: 60, total: 100, began: 50)
        #expect(resumed.toRecord?.completed == 60)
        #expect(!resumed.isOverwritten)
        let again = AttemptProgress(offset: 50)
        again.note(completed: 60, total: 100, began: 0)
        #expect(again.toRecord == nil)
        #expect(again.isOverwritten)
    }
}
