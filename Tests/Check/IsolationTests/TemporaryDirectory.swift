import Foundation
import Isolation

/// A directory of one test, removed with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "docent-isolation-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

let writer = Principal(kind: .flatpak, identifier: "org.gnome.TextEditor")
let viewer = Principal(kind: .run, identifier: "viewer")

func document(_ identifier: String) -> ItemKey {
    ItemKey(provider: "org.docent.test", identifier: identifier)
}
