package import DocentInterfaces

/// Checks whether a name is free in a folder. Names are compared without case (SEMANTICS 4), because two names that
/// differ only in case cannot coexist for clients that ignore case. Pure.
package enum NameRule {
    /// Refuses a name that is taken.
    ///
    /// - Parameters:
    ///   - taken: the items of the folder, by identifier and name.
    ///   - moving: the item that gets the name; it may change the case of its own name.
    /// - Throws: ``Failure`` `Conflict`.
    package static func requireFree(
        _ name: String, among taken: some Sequence<(identifier: String, name: String)>, moving: String?,
        provider: String
    ) throws(Failure) {
        let folded = name.lowercased()
        for item in taken where item.name.lowercased() == folded {
            if let moving, Array(item.identifier.utf8) == Array(moving.utf8) { continue }
            throw Failure(
                .conflict, "There is already a \"\(item.name)\".", suggestion: "Choose another name.",
                provider: provider)
        }
    }

    /// Whether two names are identical byte by byte.
    package static func isSame(_ left: String, _ right: String) -> Bool { Array(left.utf8) == Array(right.utf8) }
}
