import Foundation
package import Rights

/// A directory for one test, removed with it.
package final class TemporaryDirectory: Sendable {
    /// Where it is.
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "docent-isolation-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

package let writer = Principal(kind: .flatpak, identifier: "org.gnome.TextEditor")
package let viewer = Principal(kind: .run, identifier: "viewer")

package func document(_ identifier: String) -> ItemKey {
    ItemKey(provider: "org.docent.test", identifier: identifier)
}
