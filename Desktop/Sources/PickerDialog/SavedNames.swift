/// Names for several files that are saved in one folder.
package enum SavedNames {
    /// The name with a number before its extension: the first one that is free.
    ///
    /// - Parameter isTaken: whether something has the name.
    package static func free<Failure: Error>(
        _ name: String, isTaken: (String) async throws(Failure) -> Bool
    ) async throws(Failure) -> String {
        var candidate = name
        var number = 1
        // A hidden file has no extension because of its first dot.
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        while try await isTaken(candidate) {
            candidate = "\(name[..<dot]) (\(number))\(name[dot...])"
            number += 1
        }
        return candidate
    }
}
