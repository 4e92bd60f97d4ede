package import DriveStore

/// One page of a listing, read from the XML that S3 answers with. Only the few elements that are needed are looked for;
/// our names contain nothing that XML has to escape, and others' names are dropped.
package struct S3Listing: Hashable, Sendable {
    package var objects: [ListedObject] = []
    /// Where the next page begins; nil on the last.
    package var next: String?

    /// Reads a page.
    ///
    /// - Parameter prefix: What is dropped at the beginning of each name.
    /// - Throws: ``DriveError/unreachable(_:)`` for something that is no listing.
    package init(_ xml: [UInt8], prefix: String) throws(DriveError) {
        let text = String(decoding: xml, as: UTF8.self)
        guard text.contains("<ListBucketResult") else { throw .unreachable("The store's answer is not a listing.") }
        for part in Self.elements("Contents", in: text[...]) {
            guard let key = Self.elements("Key", in: part).first.map({ Self.unescape($0) }), key.hasPrefix(prefix)
            else {
                continue
            }
            let tag = Self.elements("ETag", in: part).first.map { Self.unescape($0) }
            let size = Self.elements("Size", in: part).first.flatMap { Int($0) } ?? 0
            let time = Self.elements("LastModified", in: part).first.flatMap { Self.milliseconds(Self.unescape($0)) }
            objects.append(
                ListedObject(
                    name: String(key.dropFirst(prefix.count)), tag: tag.map(S3Store.quoted), size: size,
                    modified: time))
        }
        if Self.elements("IsTruncated", in: text[...]).first == "true" {
            guard let token = Self.elements("NextContinuationToken", in: text[...]).first else {
                throw .unreachable("The store's listing is cut off without a way to go on.")
            }
            next = Self.unescape(token)
        }
    }

    private static func elements(_ name: String, in text: Substring) -> [Substring] {
        var found: [Substring] = []
        var rest = text
        while let start = rest.firstRange(of: "<\(name)>"),
            let end = rest[start.upperBound...].firstRange(of: "</\(name)>")
        {
            found.append(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// Reads a time such as `2026-11-29T12:00:00.000Z`; nil for anything else. Fractions are dropped.
    package static func milliseconds(_ text: String) -> Int64? {
        let numbers = text.split(whereSeparator: { !$0.isNumber }).compactMap { Int64($0) }
        guard text.hasSuffix("Z"), numbers.count >= 6, (1970...9999).contains(numbers[0]),
            (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2]), numbers[3] < 24, numbers[4] < 60, numbers[5] <= 60
        else { return nil }
        // Days since 1970, with years that begin in March.
        let year = numbers[1] > 2 ? numbers[0] : numbers[0] - 1
        let month = (numbers[1] + 9) % 12
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + numbers[2] - 719_469
        return (((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]) * 1000
    }

    private static func unescape(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        return [
            ("&quot;", "\""), ("&#34;", "\""), ("&#x22;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"),
            ("&amp;", "&"),
        ].reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
