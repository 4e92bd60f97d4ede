import Foundation
import Testing

@testable import CommandConsole

@Suite struct TimestampTests {
    @Test("Times agree with Foundation's formatter on every day of eight centuries")
    func sameAsFoundation() {
        let seconds =
            stride(from: -12_219_000_000.0, through: 13_000_000_000, by: 86_399).map { $0 + 0.75 }
            + [253_402_300_799, -1, -0.001, 0, 951_782_399, 951_782_400, 4_107_542_399, 4_107_542_400]
        let different = seconds.filter {
            Timestamp.text($0) != Date(timeIntervalSince1970: $0.rounded(.down)).formatted(.iso8601)
        }
        #expect(different.isEmpty, "\(different.prefix(5))")
    }

    @Test("Times before 1582 use the Gregorian calendar, as ISO 8601 requires")
    func early() {
        #expect(Timestamp.text(-62_135_596_800) == "0001-01-01T00:00:00Z")
        #expect(Timestamp.text(-12_219_292_801) == "1582-10-14T23:59:59Z")
    }

    @Test(
        "Times without a four-digit year are not shown",
        arguments: [.nan, .infinity, -1e300, 253_402_300_800])
    func outside(_ seconds: Double) { #expect(Timestamp.text(seconds) == nil) }
}
