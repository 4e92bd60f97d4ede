/// A line that bubblewrap writes to its status descriptor. Pure.
package enum SandboxStatus: Hashable, Sendable {
    /// The sandbox is ready. The number is that of its process 1, which is not the program.
    case started(process: Int32)
    /// The program ended. Not reported if it could not be started.
    case exited(code: Int32)

    /// Parses one line of JSON; nil for anything else, which a later version may report.
    package init?(_ line: some StringProtocol) {
        if let code = Self.number(after: "\"exit-code\":", in: line) {
            self = .exited(code: code)
        } else if let process = Self.number(after: "\"child-pid\":", in: line) {
            self = .started(process: process)
        } else {
            return nil
        }
    }

    private static func number(after key: String, in line: some StringProtocol) -> Int32? {
        let text = Array(line.utf8)
        let wanted = Array(key.utf8)
        guard text.count >= wanted.count else { return nil }
        for start in 0...(text.count - wanted.count) where text[start..<start + wanted.count].elementsEqual(wanted) {
            let digits = text[(start + wanted.count)...].drop { $0 == UInt8(ascii: " ") }
                .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return Int32(String(decoding: digits, as: UTF8.self))
        }
        return nil
    }
}
