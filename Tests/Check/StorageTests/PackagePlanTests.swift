import Storage
import Testing

/// The pure parts of packages: paths, plans, manifests (M4).
@Suite struct PackagePlanTests {
    @Test(
        "M4: a path that leads out of a package, or to our own files, is refused",
        arguments: [
            "", "/", "/etc/passwd", "a/", "a//b", ".", "..", "a/../b", "../a", "a/./b", "a\0b", ".docent-save-x",
            "a/.docent-stage-0", ".docent-moved-1/b", String(repeating: "x", count: 256),
            Array(repeating: "d", count: 34).joined(separator: "/"),
        ])
    func refusesPath(text: String) {
        expectCode(.badName) { _ = try PackagePath(text) }
    }

    @Test("M4: ordinary paths are accepted unchanged", arguments: ["TXT.rtf", "a/b/c", ".hidden", "..a", "ä/é", "a b"])
    func takesPath(text: String) throws {
        #expect(try PackagePath(text).text == text)
    }

    @Test("M4: two names that only look the same are two elements")
    func keepsForms() throws {
        #expect(try PackagePath("e\u{301}") != PackagePath("\u{e9}"))
    }

    private func base(_ path: String, folder: Bool = false) throws -> PackageManifest.Base {
        .init(
            path: try PackagePath(path), isFolder: folder, size: folder ? nil : 1, version: folder ? nil : "v",
            identifier: "id of \(path)")
    }

    @Test("The bytes of staged files follow every change")
    func stagedBytes() throws {
        var plan = try plan()
        #expect(plan.stagedBytes == 0)
        _ = try plan.write(PackagePath("b.txt"), content("e1"))
        _ = try plan.write(PackagePath("Assets/1.png"), content("e2"))
        #expect(plan.stagedBytes == 6)
        _ = try plan.write(PackagePath("b.txt"), content("e3"))
        #expect(plan.stagedBytes == 6)
        _ = try plan.keep(PackagePath("Assets/1.png"))
        #expect(plan.stagedBytes == 3)
        _ = try plan.move(PackagePath("a.txt"), to: PackagePath("b.txt"))
        #expect(plan.stagedBytes == 0)
        _ = try plan.write(PackagePath("Assets/New/3.png"), content("e4"))
        #expect(plan.remove(try PackagePath("Assets")) == ["e4"])
        #expect(plan.stagedBytes == 0)
    }

    private func content(_ file: String) -> PackageManifest.Content { .init(file: file, size: 3, digest: "d") }

    private func plan(replacing: Bool = false) throws -> PackagePlan {
        try PackagePlan(
            base: [
                base("a.txt"), base("Assets", folder: true), base("Assets/1.png"), base("Assets/2.png"),
            ], replacing: replacing)
    }

    @Test("Elements that are removed or get other content are counted; folders, new and moved ones are not")
    func countsReplaced() throws {
        var plan = try plan()
        #expect(plan.manifest.replacedElements == 0)
        _ = try plan.write(PackagePath("new.txt"), content("e1"))
        _ = try plan.move(PackagePath("a.txt"), to: PackagePath("moved.txt"))
        #expect(plan.manifest.replacedElements == 0)
        _ = try plan.write(PackagePath("Assets/1.png"), content("e2"))
        #expect(plan.manifest.replacedElements == 1)
        // What was there is lost, although what comes was there too.
        _ = try plan.move(PackagePath("a.txt"), to: PackagePath("Assets/2.png"))
        #expect(plan.manifest.replacedElements == 2)
        _ = plan.remove(try PackagePath("Assets"))
        #expect(plan.manifest.replacedElements == 2)
        var replacing = try self.plan(replacing: true)
        #expect(replacing.manifest.replacedElements == 3)
        _ = try replacing.keep(PackagePath("Assets/1.png"))
        #expect(replacing.manifest.replacedElements == 2)
    }

    @Test("N3: only staged elements are new; the others stay")
    func stagesOne() throws {
        var plan = try plan()
        let unused = try plan.write(PackagePath("a.txt"), content("e1"))
        #expect(unused == nil)
        let manifest = plan.manifest
        #expect(manifest.elements.filter { $0.content != nil }.map(\.path.text) == ["a.txt"])
        #expect(manifest.elements.count == 4)
        #expect(manifest.elements.allSatisfy { $0.base != nil })
        #expect(manifest.removed.isEmpty)
        #expect(manifest.size == 3)
    }

    @Test("2.2 forReplacing: the new content begins empty, and elements that are not staged are removed")
    func replaces() throws {
        var plan = try plan(replacing: true)
        _ = try plan.write(PackagePath("new/b.txt"), content("e1"))
        _ = try plan.keep(PackagePath("Assets/1.png"))
        let manifest = plan.manifest
        #expect(manifest.elements.map(\.path.text) == ["Assets", "Assets/1.png", "new", "new/b.txt"])
        #expect(manifest.removed.map(\.path.text) == ["Assets/2.png", "a.txt"])
    }

    @Test("M4: removing a folder removes its contents, and returns their staged files")
    func removes() throws {
        var plan = try plan()
        _ = try plan.write(PackagePath("Assets/3.png"), content("e1"))
        let unused = try plan.remove(PackagePath("Assets"))
        #expect(unused == ["e1"])
        #expect(plan.manifest.elements.map(\.path.text) == ["a.txt"])
        #expect(plan.manifest.removed.map(\.path.text) == ["Assets", "Assets/1.png", "Assets/2.png"])
    }

    @Test("M4: content that is staged again replaces the earlier content")
    func stagesAgain() throws {
        var plan = try plan()
        _ = try plan.write(PackagePath("a.txt"), content("e1"))
        let first = try plan.write(PackagePath("a.txt"), content("e2"))
        let second = try plan.keep(PackagePath("a.txt"))
        #expect([first, second] == ["e1", "e2"])
        #expect(plan.manifest.size == 0)
    }

    @Test("M4: a file and a folder never have the same path")
    func refusesBoth() throws {
        var plan = try plan()
        for path in ["Assets", "a.txt/b"] {
            var other = plan
            expectCode(.exists) { _ = try other.write(PackagePath(path), content("e1")) }
        }
        var other = plan
        expectCode(.exists) { try other.makeFolder(PackagePath("a.txt")) }
        _ = try plan.remove(PackagePath("a.txt"))
        try plan.makeFolder(PackagePath("a.txt"))
        let element = plan.manifest.elements.first { $0.path.text == "a.txt" }
        #expect(element?.isFolder == true)
        #expect(element?.base == nil)
        #expect(plan.manifest.removed.map(\.path.text) == ["a.txt"])
    }

    @Test("M4: an element that never existed cannot be kept")
    func refusesUnknown() throws {
        var plan = try plan()
        expectCode(.notFound) { _ = try plan.keep(PackagePath("b.txt")) }
    }

    @Test("M4: more than 10,000 elements are refused with a clear error")
    func refusesTooMany() throws {
        let many = try (0..<PackagePath.maximumCount).map { try base("f\($0)") }
        var plan = try PackagePlan(base: many, replacing: false)
        expectCode(.tooLarge) { _ = try plan.write(PackagePath("one more"), content("e1")) }
        expectCode(.tooLarge) { _ = try PackagePlan(base: many + [base("x")], replacing: false) }
    }

    @Test("W5: a manifest always has the same bytes, and is read back unchanged")
    func roundTrip() throws {
        var plan = try plan()
        _ = try plan.write(PackagePath("a/b/c"), content("e1"))
        _ = try plan.remove(PackagePath("Assets/1.png"))
        let bytes = try plan.manifest.encoded()
        #expect(try plan.manifest.encoded() == bytes)
        #expect(try PackageManifest(decoding: bytes) == plan.manifest)
        #expect(throws: FileSystemError.self) { try PackageManifest(decoding: Array(bytes.dropLast())) }
        let evil = String(decoding: bytes, as: UTF8.self).replacing("a/b/c", with: "../b/c")
        #expect(throws: FileSystemError.self) { try PackageManifest(decoding: Array(evil.utf8)) }
    }
}
