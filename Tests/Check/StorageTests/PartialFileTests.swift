import CLinux
import Foundation
import Testing

@testable import Storage

@Suite struct PartialFileTests {
    func downloads(_ scratch: Scratch) throws -> Directory { try Directory(path: scratch.layout.downloadsDirectory) }

    @Test("N10: a partial download resumes at the recorded bytes, and not one byte later")
    func resume() throws {
        let scratch = try Scratch()
        let (directory, name) = (try downloads(scratch), try FileName("one"))
        let partial = try PartialFile.create(name, in: directory)
        try write([1, 2, 3, 4, 5], to: partial.makeDestination())
        try partial.synchronize()
        expectCode(.exists) { _ = try PartialFile.create(name, in: directory) }
        let again = try #require(try PartialFile.open(name, in: directory, completed: 3))
        #expect(try again.size == 3)
        #expect(try PartialFile.open(name, in: directory, completed: 4) == nil)
        #expect(try PartialFile.open(FileName("none"), in: directory, completed: 0) == nil)
        let destination = try again.makeDestination()
        #expect(try FileStatus(of: destination.number).mode == 0o600)
    }

    @Test("N10: a sealed download stays read-only, even if a writer was left", arguments: [false, true])
    func seal(writerLeft: Bool) throws {
        let scratch = try Scratch()
        let partial = try PartialFile.create(FileName("one"), in: downloads(scratch))
        try partial.reserve(1 << 20)
        let destination = try partial.makeDestination()
        try write([1, 2, 3], to: destination)
        if !writerLeft { destination.take().map { _ = clinux_close($0) } }
        let sealed = try partial.seal()
        #expect(sealed.status.size == 3 && sealed.status.mode == 0o400)
        if writerLeft { #expect(clinux_pwrite(destination.number, [9] as [UInt8], 1, 0) == 1) }
        #expect(try bytes(of: sealed.file) == [1, 2, 3])
        #expect(try partial.directory.names() == [partial.name])
        expectCode(.unsupported) { _ = try partial.seal() }
        #expect(throws: FileSystemError.self) { try partial.makeDestination() }
    }

    @Test("N10: an interrupted seal can be repeated, and a sealed file is published over the old content")
    func published() throws {
        let scratch = try Scratch()
        let (directory, name) = (try downloads(scratch), try FileName("one"))
        let store = try scratch.store(domain: "d")
        let place = store.place(for: "item", name: Array("a.txt".utf8))
        var base: FileStamp?
        for round in 1...3 as ClosedRange<UInt8> {
            let partial = try PartialFile.create(name, in: directory)
            try write([round], to: partial.makeDestination())
            _ = try partial.seal()
            let again = try #require(try PartialFile.open(name, in: directory, completed: 1))
            let sealed = try again.seal()
            let conflict = try store.publish(
                name, in: directory, for: "item", at: place, replacing: base, item: "item", operation: "o\(round)",
                versions: VersionStore(layout: scratch.layout))
            #expect(conflict == nil)
            #expect(try bytes(of: #require(try store.open(place))) == [round])
            base = sealed.status.stamp
        }
        #expect(try directory.names().isEmpty)
    }

    @Test("hazard 22: content that would use the reserved space is refused before anything is written")
    func room() throws {
        let scratch = try Scratch()
        let directory = try downloads(scratch)
        let free = try Space.available(on: directory.descriptor)
        try Space.requireAvailable(1, on: directory.descriptor, keeping: free / 4)
        expectCode(.noSpace) { try Space.requireAvailable(free, on: directory.descriptor, keeping: free) }
        expectCode(.noSpace) { try Space.requireAvailable(.max, on: directory.descriptor, keeping: 1) }
        let partial = try PartialFile.create(FileName("one"), in: directory)
        expectCode(.tooLarge) { try partial.reserve(.max) }
        expectCode(.tooLarge) { try partial.truncate(to: .max) }
        try partial.remove()
        try partial.remove()
    }

    @Test("F3: a link or folder under the name of a download is not used as one")
    func planted() throws {
        let scratch = try Scratch()
        let directory = try downloads(scratch)
        try checked(clinux_symlinkat("/etc/passwd", directory.descriptor, "link"), "link")
        try checked(clinux_mkdirat(directory.descriptor, "folder", 0o700), "make")
        for name in ["link", "folder"] {
            #expect(try PartialFile.open(FileName(name), in: directory, completed: 0) == nil)
        }
    }
}
