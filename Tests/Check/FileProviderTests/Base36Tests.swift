import Testing

@testable import FileProvider

@Suite struct Base36Tests {
    @Test(
        "Numbers are written as the standard library writes them, also the extreme ones",
        arguments: [0, 1, -1, 35, 36, -36, 1_764_283_000_123_456_789, .max, .min] as [Int64])
    func number(_ number: Int64) {
        let unsigned = UInt64(bitPattern: number)
        let signed = String(number, radix: 36)
        #expect(Base36.text(.init(number), .init(unsigned)) == signed + "." + String(unsigned, radix: 36))
        #expect(
            Base36.text(.init(number), .init(number), .init(number), .init(number))
                == [signed, signed, signed, signed].joined(separator: "."))
    }
}
