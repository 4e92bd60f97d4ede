import Testing

@testable import DocentTestSupport

@Suite struct SampleTests {
    @Test(
        "twenty consecutive seeds select everything", arguments: [1, 2, 3, 7, 19, 20, 21, 55, 199, 400],
        [0, 13, 1_000_003])
    func covers(count: Int, first: Int) {
        let all = Array(0..<count)
        var taken: Set<Int> = []
        for seed in first..<(first + Sample.parts) {
            let part = Sample("\(seed)").of(all)
            #expect(!part.isEmpty && part.count <= (count + Sample.parts - 1) / Sample.parts)
            taken.formUnion(part)
        }
        #expect(taken == Set(all))
    }

    @Test("the same seed selects the same, and without a seed everything is selected")
    func same() {
        let all = Array(0..<100)
        #expect(Sample("7").of(all) == Sample("7").of(all))
        #expect(Sample("7").of(all) == Sample("27").of(all))
        #expect(Sample("all").of(all) == all)
        #expect(Sample("3").of([Int]()).isEmpty)
    }

    @Test("any number is a seed", arguments: ["-1", "-20", "9223372036854775807", "-9223372036854775808", "words"])
    func anyNumber(seed: String) { #expect(Sample(seed).of([1, 2, 3]).count == 1) }
}
