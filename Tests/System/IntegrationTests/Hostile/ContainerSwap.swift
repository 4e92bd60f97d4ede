import DocentTestSupport
import Foundation
import Glibc

/// A replacement for a file or folder of a container, as its provider can create it.
struct ContainerSwap: Sendable, CustomStringConvertible {
    enum Kind: String, CaseIterable, Sendable {
        case linkToFolder, linkToHiddenFolder, linkToOtherContainer, linkUpwards, loop, linkToFile, hardLink, fifo
        case emptyFile, folderOfLinks
    }

    /// The absolute path of the replaced item.
    let place: String
    let kind: Kind

    var description: String { "\(kind) in the place of \(place)" }
    private var aside: String { place + ".aside" }

    /// Moves the original aside, if there is one, and creates the replacement.
    ///
    /// - Parameter names: the names that the daemon may look for in the folder.
    func make(_ canaries: CanaryTree, names: [String]) throws {
        _ = rename(place, aside)
        // A provider that is still running may have created its folder again.
        if access(place, F_OK) == 0 { try FileManager.default.removeItem(atPath: place) }
        switch kind {
        case .linkToFolder: try check(symlink(canaries.folders[2], place))
        case .linkToHiddenFolder: try check(symlink(canaries.folders[0], place))
        case .linkToOtherContainer: try check(symlink(canaries.otherContainer, place))
        case .linkUpwards:
            let depth = place.split(separator: "/").count - 1
            let target = String(repeating: "../", count: depth) + canaries.root.dropFirst()
            try check(symlink(target, place))
        case .loop: try check(symlink(place, place))
        case .linkToFile: try check(symlink(canaries.file, place))
        case .hardLink: try check(link(canaries.file, place))
        case .fifo: try check(mkfifo(place, 0o600))
        case .emptyFile: try Data().write(to: URL(fileURLWithPath: place))
        case .folderOfLinks:
            try check(mkdir(place, 0o700))
            for name in names { try check(symlink(canaries.root, "\(place)/\(name)")) }
        }
    }

    /// Restores the original.
    func undo() throws {
        try? FileManager.default.removeItem(atPath: place)
        _ = rename(aside, place)
    }

    private func check(_ result: CInt) throws {
        guard result == 0 else { throw Problem("\(self): \(String(cString: strerror(errno)))") }
    }
}
