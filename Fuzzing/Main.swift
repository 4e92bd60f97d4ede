import Foundation
import Glibc
import Synchronization

/// A target under libFuzzer: the first argument names it, the others are libFuzzer's own.
private enum Chosen {
    /// A folder for a target's files; in memory, and gone after a restart of the machine.
    private static func folder() throws -> String {
        let folder = "/dev/shm/docent-fuzz-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    static func target(_ name: String) throws -> (any FuzzTarget)? {
        switch name {
        case "bookmarks": BookmarkTarget()
        case "drive": DriveTarget()
        case "framing": FramingTarget()
        case "manifests": ManifestTarget(folder: try folder())
        case "messages": MessageTarget()
        case "placeholders": try PlaceholderTarget(folder: try folder())
        default: nil
        }
    }
}

private let target = Mutex<(any FuzzTarget)?>(nil)

private func feed(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = data.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
    do {
        try target.withLock { try $0?.run(bytes) }
    } catch {
        FileHandle.standardError.write(Data("A promise was broken: \(error)\n".utf8))
        abort()
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput") package func fuzzerTestOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    feed(data, count)
}

private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

// SwiftPM gives main this name; libFuzzer's own would need it, too.
@_cdecl("Fuzz_main") package func fuzzMain(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    do {
        guard let chosen = try Chosen.target(name) else {
            FileHandle.standardError.write(
                Data("Name a target: bookmarks, drive, framing, manifests, messages or placeholders.\n".utf8))
            return 64
        }
        target.withLock { $0 = chosen }
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        return 69
    }
    // The driver must not see the name.
    arguments[1] = arguments[0]
    var rest = count - 1
    var arguments = arguments + 1
    return runDriver(&rest, &arguments) { feed($0, $1) }
}
