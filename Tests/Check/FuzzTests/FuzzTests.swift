import DocentTestSupport
import Foundation
import Testing

/// Every reader of foreign bytes, with its corpus and with the inputs of a seeded generator.
///
/// `DOCENT_FUZZ_ROUNDS` (default 4000) and `DOCENT_FUZZ_SEED` (default 5) change how much and what. `make test-full`
/// gives each reader a minute and another seed each time; a finding names it. An input that breaks a promise is put
/// into the corpus, so that it is tried ever after. A minute of one reader is too long for a thread of Swift's tasks.
@Suite(.mayBlock) struct FuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["DOCENT_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 4000
    private static let isLong = Sample.shared.isWhole && environment["DOCENT_FUZZ_ROUNDS"] == nil
    private static let seed =
        environment["DOCENT_FUZZ_SEED"].flatMap { UInt64($0) } ?? (isLong ? .random(in: .min ... .max) : 5)

    @Test("T4: the message decoder refuses invalid messages, and its hot codecs agree with Foundation")
    func messages() throws { try Self.run(MessageTarget()) }

    @Test("T1: a stream in pieces of any size is split into the same messages")
    func framing() throws { try Self.run(FramingTarget()) }

    @Test("A8: the manifest reader reads any input or explains what is wrong with it")
    func manifests() throws {
        try Self.withFolder { try Self.run(ManifestTarget(folder: $0), rounds: Self.rounds / 2) }
    }

    @Test("G5: the bookmark reader opens only tokens that were sealed for this client")
    func bookmarks() throws {
        let target = try #require(BookmarkTarget())
        try Self.run(target, corpus: [Array(target.sealed.utf8)])
    }

    @Test("E2, F3: the placeholder reader does not trust a provider's file")
    func placeholders() throws {
        try Self.withFolder { try Self.run(try PlaceholderTarget(folder: $0), rounds: Self.rounds / 2) }
    }

    @Test("R7: what a drive's store returns is read as it was written, or is refused")
    func drive() throws {
        let target = try #require(DriveTarget())
        try Self.run(target, corpus: target.samples)
    }

    private static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "docent-fuzz-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private static func run(_ target: some FuzzTarget, corpus more: [[UInt8]] = [], rounds: Int = rounds) throws {
        let corpus = try corpus(target) + more
        #expect(!corpus.isEmpty, "there is no corpus of \(target.name)")
        for bytes in corpus { try run(target, bytes) }
        var mutator = FuzzMutator(seed: seed, words: target.words)
        let end = ContinuousClock.now + .seconds(isLong ? 60 : 0)
        var round = 0
        while round < rounds || ContinuousClock.now < end {
            try run(target, mutator.mutate(corpus))
            round += 1
        }
    }

    private static func run(_ target: some FuzzTarget, _ bytes: [UInt8]) throws {
        do {
            try target.run(bytes)
        } catch let finding as FuzzFinding {
            let shown = Data(bytes).base64EncodedString()
            Issue.record("\(target.name), seed \(seed): \(finding); the input in base 64: \(shown)")
            throw finding
        }
    }

    private static func corpus(_ target: some FuzzTarget) throws -> [[UInt8]] {
        let folder = Repository.root + "/Tests/Check/FuzzTests/Corpus/" + target.name
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            try? Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        }
    }
}
