import CLinux
import Foundation
import Glibc
import Synchronization

/// Exchanges the folders and files of the provider's own container with other things, until the process ends. While the
/// container has the file `swapping`, the provider's next processes continue.
struct SwapWork: Sendable {
    /// What takes the place of a folder or file. The same as `ContainerSwap.Kind` of the tests.
    private enum Kind: String {
        case linkToFolder, linkToHiddenFolder, linkToOtherContainer, linkUpwards, loop, linkToFile, hardLink, fifo
        case emptyFile, folderOfLinks
    }

    /// A name that is exchanged.
    private struct Place: Sendable {
        /// An open descriptor, so that this exchange does not depend on those of the folders above.
        let folder: CInt
        let path: String
        let name: String

        init(_ folder: CInt, _ path: String) {
            self.folder = folder
            self.path = path
            name = String(path.split(separator: "/").last ?? "")
        }

        /// The name of what it is exchanged with.
        var other: String { name + ".other" }
    }

    /// A system call failed.
    private struct Refusal: Error {
        let error: CInt
    }

    private static let hasBegun = Mutex(false)

    private let places: [Place]
    private let counter: CInt

    /// Starts, on a thread of its own.
    ///
    /// - Parameters:
    ///   - kind: what takes the places.
    ///   - canaries: the folder outside the container to which links lead.
    ///   - storage: the document storage of a domain.
    /// - Returns: `[swaps N]` for N places, or `[refused ERRNO]`. The file `exchanges` of the container has the number
    ///   of exchanges so far.
    static func begin(_ kind: String, canaries: String, storage: String) -> String {
        let file = clinux_open(marker(storage), CLINUX_O_WRONLY | CLINUX_O_CREAT | CLINUX_O_TRUNC, 0o600)
        guard file >= 0 else { return "[refused \(-file)]" }
        let text = Array("\(kind)\n\(canaries)\n".utf8)
        clinux_write(file, text, text.count)
        clinux_close(file)
        return start(kind, canaries, storage)
    }

    /// Continues what an earlier process began, if it did.
    static func resume(storage: String) {
        guard let text = try? String(contentsOfFile: marker(storage), encoding: .utf8) else { return }
        let lines = text.split(separator: "\n").map(String.init)
        if lines.count == 2 { _ = start(lines[0], lines[1], storage) }
    }

    /// Creates a file, unless the name is taken.
    static func create(_ path: String, _ text: String) {
        let file = clinux_open(path, CLINUX_O_WRONLY | CLINUX_O_CREAT | CLINUX_O_EXCL, 0o600)
        guard file >= 0 else { return }
        let bytes = Array(text.utf8)
        clinux_write(file, bytes, bytes.count)
        clinux_close(file)
    }

    // CONTAINER/File Provider Storage/DOMAIN
    private static func container(_ storage: String) -> String {
        "/" + storage.split(separator: "/").dropLast(2).joined(separator: "/")
    }

    private static func marker(_ storage: String) -> String { container(storage) + "/swapping" }

    private static func start(_ kind: String, _ canaries: String, _ storage: String) -> String {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return "[swaps already]" }
        do {
            guard let kind = Kind(rawValue: kind) else { throw Refusal(error: EINVAL) }
            let work = try SwapWork(kind, canaries, storage)
            Thread.detachNewThread { work.run() }
            return "[swaps \(work.places.count)]"
        } catch {
            return "[refused \((error as? Refusal)?.error ?? 0)]"
        }
    }

    private init(_ kind: Kind, _ canaries: String, _ storage: String) throws {
        let container = Self.container(storage)
        let documentFolder = container + "/File Provider Storage"
        let flags = CLINUX_O_RDONLY | CLINUX_O_DIRECTORY
        let outer = try Self.check(clinux_open(container, flags, 0))
        let middle = try Self.check(clinux_open(documentFolder, flags, 0))
        let inner = try Self.check(clinux_open(storage, flags, 0))
        // Where earlier releases kept local copies.
        let copies = storage + "/.docent-items"
        mkdir(copies, 0o700)
        mkdir(copies + "/item", 0o700)
        Self.create(container + "/own", "own")
        for path in ["/a.txt", "/b.txt", "/.docent-items/item/a.txt"] { Self.create(storage + path, "own") }
        places = [
            Place(outer, documentFolder), Place(middle, storage), Place(inner, copies),
            Place(inner, storage + "/a.txt"), Place(inner, storage + "/b.txt"),
        ]
        for place in places {
            let result = Self.plant(kind, at: place, canaries, own: outer)
            // An earlier process has done it.
            if result != -EEXIST { try Self.check(result) }
        }
        counter = try Self.check(clinux_open(container + "/exchanges", CLINUX_O_WRONLY | CLINUX_O_CREAT, 0o600))
    }

    @discardableResult
    private static func check(_ result: CInt) throws -> CInt {
        guard result >= 0 else { throw Refusal(error: -result) }
        return result
    }

    // Creates what a place is exchanged with. A hard link is possible only to a file of its own.
    private static func plant(_ kind: Kind, at place: Place, _ canaries: String, own folder: CInt) -> CInt {
        func link(to target: String) -> CInt { clinux_symlinkat(target, place.folder, place.other) }
        switch kind {
        case .linkToFolder: return link(to: canaries + "/Documents")
        case .linkToHiddenFolder: return link(to: canaries + "/.config/autostart")
        case .linkToOtherContainer:
            // As `CanaryTree` plants it.
            let groups = place.path.components(separatedBy: "/Groups/")[0] + "/Groups"
            return link(to: groups + "/group.org.example.Other/File Provider Storage")
        case .linkUpwards:
            let depth = place.path.split(separator: "/").count - 1
            let upwards = String(repeating: "../", count: depth)
            return link(to: upwards + String(canaries.dropFirst()))
        case .loop: return link(to: place.path)
        case .linkToFile: return link(to: canaries + "/.ssh/id_ed25519")
        case .hardLink: return clinux_linkat(folder, "own", place.folder, place.other)
        case .fifo: return clinux_mkfifoat(place.folder, place.other, 0o600)
        case .emptyFile:
            let file = clinux_openat(
                place.folder, place.other, CLINUX_O_WRONLY | CLINUX_O_CREAT | CLINUX_O_EXCL, 0o600)
            return file >= 0 ? clinux_close(file) : file
        case .folderOfLinks:
            let made = clinux_mkdirat(place.folder, place.other, 0o700)
            let present = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            for name in Set(present + ["_default", ".docent-items", "item", "a.txt", "b.txt"]) {
                clinux_symlinkat(canaries, place.folder, "\(place.other)/\(name)")
            }
            return made
        }
    }

    private func run() {
        var count = 0
        while true {
            for place in places {
                for _ in 0..<20 {
                    // Twice, so that the original is in its place in between.
                    for _ in 0..<2 {
                        if exchange(place.name, with: place.other, place) == 0 { count += 1 }
                        Self.pause()
                    }
                }
                hide(place)
            }
            let text = Array("\(count)".utf8)
            clinux_pwrite(counter, text, text.count, 0)
        }
    }

    // For a moment there is nothing, so that the host may create it again.
    private func hide(_ place: Place) {
        let away = place.name + ".away"
        guard rename(place.name, to: away, place) == 0 else { return }
        Self.pause()
        guard rename(away, to: place.name, place) != 0 else { return }
        _ = exchange(away, with: place.name, place)
        _ = rename(away, to: "\(place.name).made-\(UInt32.random(in: .min ... .max))", place)
    }

    private func exchange(_ one: String, with other: String, _ place: Place) -> CInt {
        clinux_renameat2(place.folder, one, place.folder, other, CLINUX_RENAME_EXCHANGE)
    }

    private func rename(_ name: String, to other: String, _ place: Place) -> CInt {
        clinux_renameat2(place.folder, name, place.folder, other, CLINUX_RENAME_NOREPLACE)
    }

    private static func pause() { usleep(.random(in: 0...200)) }
}
