import FileProvider
import Glibc
import Testing
import Varlink

@testable import FileProviderValidation

/// The cases for parts of content, and the pipe with which they read them.
struct RangesCasesTests {
    private static let cases = Validation.cases(level: 10).filter { $0.group == "ranges" || $0.group == "declaring" }

    @Test("a provider that delivers parts passes", arguments: cases)
    func passes(_ testCase: ValidationCase) async throws {
        let result = try await Validation(of: RangedShelf.self).run(testCase)
        #expect(testCase.name != "ranges.shown" || result.outcome == .passed, "\(result.reason ?? "")")
    }

    @Test("wrong bytes of a part are a finding")
    func finds() async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == "ranges.shown" })
        let failure = await #expect(throws: ValidationFailure.self) {
            try await Validation(of: RangedShelf.self, settings: ["shift": "1"]).run(testCase)
        }
        #expect(try #require(failure).description.contains("FetchRange of \"one\""), "\(String(describing: failure))")
    }

    @Test("without the feature, FetchRange has to be refused")
    func undeclared() async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == "declaring.refuses" })
        try await Validation(of: ShelfProvider.self).run(testCase)
    }

    @Test("a pipe is read to its end, to its limit, or to the end of the call")
    func pipes() async throws {
        for (count, limit) in [(0, 10), (10, 10), (9_000, 10), (300_000, 300_000)] {
            let pipe = try PartPipe(limit: limit)
            let writing = try pipe.takeWriting()
            #expect(throws: CallProblem.self) { _ = try pipe.takeWriting().raw }
            async let reading: Void = pipe.read()
            let bytes = [UInt8](repeating: 7, count: min(count, 60_000))
            if !bytes.isEmpty { #expect(write(writing.raw, bytes, bytes.count) == bytes.count) }
            // The writing end is still open, as one that the provider forgot.
            pipe.end()
            await reading
            #expect(pipe.bytes.count == bytes.count)
        }
    }

    @Test("a closed pipe is read no more")
    func closing() async throws {
        let pipe = try PartPipe(limit: 100)
        let writing = try pipe.takeWriting()
        #expect(write(writing.raw, "abc", 3) == 3)
        await pipe.read(most: 2)
        #expect(pipe.bytes == Array("abc".utf8))
        pipe.close()
        await pipe.read()
        #expect(pipe.bytes.count == 3)
    }
}
