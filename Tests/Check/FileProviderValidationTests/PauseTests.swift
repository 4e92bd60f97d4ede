import FileProviderValidation
import Testing

@Suite struct PauseTests {
    @Test("a cancelled task pauses, too")
    func cancelled() async {
        let took = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let begin = ContinuousClock.now
            await Pause.uncancelled(.milliseconds(50))
            return ContinuousClock.now - begin
        }.value
        #expect(took >= .milliseconds(50))
    }
}
