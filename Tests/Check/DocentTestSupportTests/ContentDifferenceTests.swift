import DocentTestSupport
import Foundation
import Testing

@Suite struct ContentDifferenceTests {
    @Test("equal contents have no difference", arguments: [[UInt8](), [1], [1, 2, 3]])
    func equal(_ bytes: [UInt8]) {
        #expect(difference(bytes, from: Data(bytes)) == nil)
    }

    @Test(
        "the first different byte is named, and both sizes",
        arguments: [
            ([UInt8](), [UInt8]([1]), "0 bytes instead of 1, different from byte 0 on"),
            ([1, 2], [1], "2 bytes instead of 1, different from byte 1 on"),
            ([1, 2, 3], [1, 9, 3], "3 bytes instead of 3, different from byte 1 on"),
        ])
    func different(_ found: [UInt8], _ expected: [UInt8], _ text: String) {
        #expect(difference(found, from: expected) == text)
    }
}
