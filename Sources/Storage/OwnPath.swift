/// The path of a place of Docent's own: no provider can write it or a folder above it, so that opening it by its text is safe.
///
/// Only ``StorageLayout`` makes these, and ``Directory`` is opened by nothing else. What lies inside a container is reached
/// beneath the descriptor of a folder that was opened this way, never by its text: the container's owner may have put a link there.
package struct OwnPath: Hashable, Sendable, CustomStringConvertible {
    /// The absolute path.
    package let text: String

    /// - Parameter text: an absolute path that no provider can lead elsewhere.
    init(_ text: String) { self.text = text }

    /// A place in this one that no provider can write either.
    func appending(_ name: FileName) -> OwnPath { OwnPath("\(text)/\(name)") }

    package var description: String { text }
}
