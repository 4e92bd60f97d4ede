import FoundationEssentials

/// What rclone puts into the name of a document for one of its earlier versions: the moment at which it was stored,
/// before the extension. `report-v2026-11-29-162022-000.txt` is a version of `report.txt`. Pure.
struct ObjectVersionName: Hashable, Sendable {
    /// `2026-11-29-162022-000`
    private static let pattern = Array("dddd-dd-dd-dddddd-ddd".utf8)
    private static let mark = Array("-v".utf8)
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// The moment, as rclone writes it.
    let moment: String
    /// How many bytes of the document's name come after it.
    let rest: Int

    /// Finds it in a name.
    ///
    /// - Returns: nil if the name is not that of a version of the document.
    init?(in name: some Sequence<UInt8>, of document: some Sequence<UInt8>) {
        let (name, document) = (Array(name), Array(document))
        let length = Self.mark.count + Self.pattern.count
        guard name.count == document.count + length else { return nil }
        for start in 0...document.count {
            let moment = name[(start + Self.mark.count)..<(start + length)]
            guard name[start...].starts(with: Self.mark), Self.isMoment(moment),
                name[..<start].elementsEqual(document[..<start]),
                name[(start + length)...].elementsEqual(document[start...])
            else { continue }
            self.moment = String(decoding: moment, as: UTF8.self)
            rest = document.count - start
            return
        }
        return nil
    }

    /// Reads ``identifier``; nil for anything else.
    init?(identifier: String) {
        let parts = identifier.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isMoment(parts[0]), (1...4).contains(parts[1].count),
            parts[1].allSatisfy(Self.digits.contains), let rest = Int(Substring(parts[1])),
            String(rest).utf8.count == parts[1].count
        else { return nil }
        moment = String(Substring(parts[0]))
        self.rest = rest
    }

    private static func isMoment(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == pattern.count
            && zip(bytes, pattern).allSatisfy { $1 == UInt8(ascii: "d") ? digits.contains($0) : $0 == $1 }
    }

    /// Names the version among those of its document.
    var identifier: String { "\(moment).\(rest)" }

    /// The name under which rclone shows it; nil if the document's name is too short for it.
    func name(of document: [UInt8]) -> [UInt8]? {
        guard rest <= document.count else { return nil }
        let end = document.count - rest
        return Array(document[..<end]) + Self.mark + Array(moment.utf8) + Array(document[end...])
    }

    /// When it was stored, in seconds since 1970.
    var date: Double? {
        let digits = moment.utf8.filter(Self.digits.contains)
        func text(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let iso =
            "\(text(0..<4))-\(text(4..<6))-\(text(6..<8))T\(text(8..<10)):\(text(10..<12)):\(text(12..<14))Z"
        guard let whole = try? Date(iso, strategy: .iso8601) else { return nil }
        return whole.timeIntervalSince1970 + (Double(text(14..<17)) ?? 0) / 1000
    }
}
