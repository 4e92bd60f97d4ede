import Glibc

/// Texts as the kernel reads arguments and variables: C strings, and a null pointer after the last.
final class CTexts {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    /// - Throws: ``LaunchFailure`` with `EINVAL` if one contains a null byte.
    init(_ texts: [String]) throws(LaunchFailure) {
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { throw LaunchFailure(code: EINVAL) }
        count = texts.count
        pointers = .allocate(capacity: count + 1)
        for (index, text) in texts.enumerated() { (pointers + index).initialize(to: strdup(text)) }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
