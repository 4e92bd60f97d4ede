/// The path of one of Docent's own places: no provider can write to it or to a folder above it, so that it can safely
/// be opened by its text.
///
/// Only ``StorageLayout`` creates own paths, and ``Directory`` is opened only with them. The contents of a container
/// are reached through the descriptor of a folder that was opened this way, never by a path: the container's owner may
/// have put a link there.
package struct OwnPath: Hashable, Sendable, CustomStringConvertible {
    /// The absolute path.
    package let text: String

    /// - Parameter text: an absolute path that no provider can redirect.
    init(_ text: String) { self.text = text }

    /// A place inside this one that no provider can write to either.
    func appending(_ name: FileName) -> OwnPath { OwnPath("\(text)/\(name)") }

    package var description: String { text }
}
