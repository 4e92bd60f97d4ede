import Testing

@testable import Documents

@Suite struct ExportProgressTests {
    @Test("T5: a reply with a missing or unknown stage reports no progress")
    func fromReply() {
        #expect(ExportProgress(stage: nil, completedBytes: 1, totalBytes: 2, bytesPerSecond: nil) == nil)
        #expect(ExportProgress(stage: "polishing", completedBytes: 1, totalBytes: 2, bytesPerSecond: nil) == nil)
        #expect(ExportProgress(stage: "copying", completedBytes: nil, totalBytes: 2, bytesPerSecond: nil) == nil)
        #expect(
            ExportProgress(stage: "checking", completedBytes: 1, totalBytes: nil, bytesPerSecond: 0.5)
                == ExportProgress(stage: .checking, completedBytes: 1, bytesPerSecond: 0.5))
    }
}
