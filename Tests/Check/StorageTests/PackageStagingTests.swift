import CLinux
import DocentTestSupport
import Foundation
import Testing

@testable import Storage

@Suite(.mayBlock) struct PackageStagingTests {
    private func reader(_ scratch: Scratch, _ content: [UInt8]) throws -> OpenDescriptor {
        let file = try scratch.file("source-\(UUID().uuidString)", content)
        return try OpenDescriptor.reopenReadOnly(file.number)
    }

    private func stage(_ scratch: Scratch, _ staging: PackageStaging, _ id: String) throws -> PackageManifest {
        try staging.begin(id, name: "Note.rtfd")
        var plan = try PackagePlan(base: [], replacing: true)
        for (number, path) in ["TXT.rtf", "Assets/1.png"].enumerated() {
            let source = try reader(scratch, Array("content of \(path)".utf8))
            let content = try staging.add(
                source.number, as: "e\(number)", at: PackagePath(path), to: id, cancellation: Cancellation())
            _ = try plan.write(PackagePath(path), content)
        }
        return plan.manifest
    }

    @Test("W2 to W4: frozen content is in Uploads, complete and read-only, as the manifest says")
    func freezes() throws {
        let scratch = try Scratch()
        let staging = PackageStaging(layout: scratch.layout)
        let manifest = try stage(scratch, staging, "op")
        let frozen = try staging.freeze("op", manifest)
        #expect(try staging.manifest("op", digest: frozen.digest) == manifest)
        #expect(frozen.size == manifest.size)
        let file = try staging.open("e1", of: "op")
        #expect(try bytes(of: file) == Array("content of Assets/1.png".utf8))
        #expect(try FileStatus(of: file.number).mode == 0o400)
        expectCode(.corrupt) { _ = try staging.manifest("op", digest: "other") }
        let names = try Directory(path: scratch.layout.stagingDirectory).names()
        #expect(names.isEmpty)
    }

    @Test("W: a commit that failed before its commit point can be repeated, with more content")
    func freezesAgain() throws {
        let scratch = try Scratch()
        let staging = PackageStaging(layout: scratch.layout)
        let manifest = try stage(scratch, staging, "op")
        let first = try staging.freeze("op", manifest)
        let second = try staging.freeze("op", manifest)
        #expect(first.digest == second.digest)
    }

    @Test("W: an abandoned session leaves nothing, at any step")
    func removes() throws {
        let scratch = try Scratch()
        let staging = PackageStaging(layout: scratch.layout)
        for freezing in [false, true] {
            let manifest = try stage(scratch, staging, "op")
            if freezing { _ = try staging.freeze("op", manifest) }
            try staging.remove("op")
            try staging.remove("op")
            for path in [scratch.layout.stagingDirectory, scratch.layout.uploadsDirectory] {
                let names = try Directory(path: path).names()
                #expect(names.isEmpty)
            }
        }
    }

    @Test("W, Recovery: packages without an operation are removed, the others stay")
    func removesOrphans() throws {
        let scratch = try Scratch()
        let staging = PackageStaging(layout: scratch.layout)
        let manifest = try stage(scratch, staging, "kept")
        _ = try staging.freeze("kept", manifest)
        _ = try stage(scratch, staging, "orphan")
        let removed = try StagingArea(layout: scratch.layout).removeOrphans(known: ["kept"])
        #expect(removed == 1)
        #expect(try bytes(of: staging.open("e0", of: "kept")) == Array("content of TXT.rtf".utf8))
    }

    @Test("F1: only a regular file that is open for reading is staged, and a path that leads out is refused")
    func refuses() throws {
        let scratch = try Scratch()
        let staging = PackageStaging(layout: scratch.layout)
        try staging.begin("op", name: "Note.rtfd")
        let writable = try scratch.file("w", [1])
        expectCode(.unacceptable) {
            _ = try staging.add(writable.number, as: "e0", at: PackagePath("a"), to: "op", cancellation: Cancellation())
        }
        let null = OpenDescriptor(owning: try checked(clinux_open("/dev/null", CLINUX_O_RDONLY, 0), "open"))
        expectCode(.unacceptable) {
            _ = try staging.add(null.number, as: "e0", at: PackagePath("a"), to: "op", cancellation: Cancellation())
        }
        let good = try reader(scratch, [1])
        expectCode(.badName) {
            _ = try staging.add(good.number, as: "../e0", at: PackagePath("a"), to: "op", cancellation: Cancellation())
        }
    }

    @Test(
        "W0: staged content is kept once as a version of the item, before and after it was frozen",
        arguments: [false, true])
    func recovers(isFrozen: Bool) throws {
        let scratch = try Scratch()
        let staging = PackageStaging(layout: scratch.layout)
        let manifest = try stage(scratch, staging, "op")
        try staging.drop("e0", of: "op")
        if isFrozen { _ = try staging.freeze("op", manifest) }
        let kept = try #require(try staging.recover("op", item: "p@d/i"))
        #expect(kept.name == "Note.rtfd" && kept.size > 0)
        let again = try #require(try staging.recover("op", item: "p@d/i"))
        #expect(again.place == kept.place && again.size == kept.size)
        let store = VersionStore(layout: scratch.layout)
        #expect(try store.versions(of: "p@d/i").count == 1)
        let archive = try store.open(kept.place)
        let start = try withExtendedLifetime(archive) { try bytes(of: archive).prefix(2) }
        #expect(Array(start) == Array("PK".utf8))
        try staging.remove("op")
        #expect(try staging.recover("op", item: "p@d/i") == nil)
        try staging.begin("empty", name: "Note.rtfd")
        #expect(try staging.recover("empty", item: "p@d/i") == nil)
    }

    @Test("2.2 forUploading: the archive is a zip file that other programs can read")
    func archives() throws {
        let scratch = try Scratch()
        let file = try scratch.file("package.zip")
        let archive = try PackageArchive(writingTo: file)
        try archive.addFolder("Note.rtfd")
        let text = try reader(scratch, Array("hello".utf8))
        try archive.addFile("Note.rtfd/TXT.rtf", from: text.number)
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        let content = try reader(scratch, large)
        try archive.addFile("Note.rtfd/Ä ö.bin", from: content.number)
        try archive.finish()
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            assert z.namelist() == ['Note.rtfd/', 'Note.rtfd/TXT.rtf', 'Note.rtfd/\\u00c4 \\u00f6.bin'], z.namelist()
            assert z.read('Note.rtfd/TXT.rtf') == b'hello'
            assert len(z.read('Note.rtfd/\\u00c4 \\u00f6.bin')) == 3000000
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, scratch.root + "/package.zip"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
