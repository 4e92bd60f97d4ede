/// Says where two contents differ; nil when they are the same.
///
/// For contents of more than a few kilobytes. `#expect(found == expected)` computes the difference of two collections
/// when they are not equal, in the square of their sizes: for megabytes this takes hours and blocks a thread.
package func difference(_ found: some Collection<UInt8>, from expected: some Collection<UInt8>) -> String? {
    var offset = 0
    var (left, right) = (found.makeIterator(), expected.makeIterator())
    while true {
        switch (left.next(), right.next()) {
        case (nil, nil): return nil
        case (let byte?, let other?) where byte == other: offset += 1
        default: return "\(found.count) bytes instead of \(expected.count), different from byte \(offset) on"
        }
    }
}
