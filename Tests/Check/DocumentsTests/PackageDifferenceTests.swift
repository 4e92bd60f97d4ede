import Testing

@testable import Documents

/// Which elements are sent when a package is saved (N3).
@Suite struct PackageDifferenceTests {
    private typealias Node = PackageDifference.Node

    private func base(_ paths: String...) -> [PackageElement] {
        paths.map { PackageElement(path: $0.hasSuffix("/") ? String($0.dropLast()) : $0, isFolder: $0.hasSuffix("/")) }
    }

    @Test("N3: an unchanged element needs no step")
    func unchanged() {
        let plan = PackageDifference(
            base: base("a", "f/", "f/b"),
            wanted: [Node(path: "a", source: "a"), Node(path: "f", isFolder: true), Node(path: "f/b", source: "f/b")])
        #expect(plan.steps.isEmpty)
    }

    @Test("N3: new, changed, removed and renamed elements take one step each")
    func changes() {
        let plan = PackageDifference(
            base: base("same", "changed", "gone", "old"),
            wanted: [
                Node(path: "same", source: "same"), Node(path: "changed"), Node(path: "new"),
                Node(path: "moved", source: "old"),
            ])
        #expect(
            plan.steps == [
                .remove("gone"), .remove("old"), .keep(from: "old", at: "moved"), .file("changed"), .file("new"),
            ])
    }

    @Test("N3: two elements swap places without being sent")
    func swap() {
        let plan = PackageDifference(
            base: base("a", "b"), wanted: [Node(path: "a", source: "b"), Node(path: "b", source: "a")])
        #expect(plan.steps == [.keep(from: "b", at: "a"), .keep(from: "a", at: "b")])
    }

    @Test("N3: a folder takes one step with all its contents; a name that merely starts like it stays")
    func folder() {
        let plan = PackageDifference(
            base: base("f/", "f/a", "f/g/", "f/g/b", "f!", "fa"),
            wanted: [Node(path: "fa", source: "fa"), Node(path: "f!", source: "f!")])
        #expect(plan.steps == [.remove("f")])
    }

    @Test("N3: a file replaces a folder, and a folder a file")
    func kinds() {
        let plan = PackageDifference(
            base: base("f/", "f/a", "g"),
            wanted: [Node(path: "f"), Node(path: "g", isFolder: true), Node(path: "g/b", source: "f/a")])
        #expect(plan.steps == [.remove("f"), .remove("g"), .keep(from: "f/a", at: "g/b"), .file("f")])
    }

    @Test("N3: only an empty folder is created by itself")
    func emptyFolder() {
        let plan = PackageDifference(
            base: [],
            wanted: [
                Node(path: "e", isFolder: true), Node(path: "f", isFolder: true), Node(path: "f/g", isFolder: true),
                Node(path: "f/g/a"),
            ])
        #expect(plan.steps == [.folder("e"), .file("f/g/a")])
    }

    @Test("N3: an element whose source is no longer in the base is sent")
    func sourceGone() {
        #expect(PackageDifference(base: base("f/"), wanted: [Node(path: "a", source: "f")]).steps.contains(.file("a")))
        #expect(PackageDifference(base: [], wanted: [Node(path: "a", source: "a")]).steps == [.file("a")])
    }

    @Test("N3: the steps turn any package into any other, for random trees", arguments: 0..<200)
    func random(seed: Int) {
        var random = Seeded(UInt64(seed))
        let (from, to) = (Model.random(&random), Model.random(&random))
        let elements = from.contents.map { PackageElement(path: $0.key, isFolder: $0.value == nil) }
        // Content that exists anywhere in the base may come from there.
        let nodes = to.contents.map { path, content in
            Node(
                path: path, isFolder: content == nil,
                source: content.flatMap { content in from.contents.first { $0.value == .some(content) }?.key })
        }
        var model = from
        for step in PackageDifference(base: elements, wanted: nodes).steps { model.apply(step, base: from, wanted: to) }
        #expect(model == to)
    }

    /// The contents of a package, and how the daemon applies steps to it; nil content is a folder.
    private struct Model: Equatable {
        var contents: [String: Int?] = [:]

        static func random(_ random: inout Seeded) -> Model {
            var model = Model()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let depth = Int.random(in: 1...3, using: &random)
                let path = (0..<depth).map { _ in ["a", "b", "a!"].randomElement(using: &random) ?? "a" }
                    .joined(separator: "/")
                if model.contents[path] == nil, model.makeFolders(on: path) {
                    model.contents[path] =
                        Bool.random(using: &random) ? .some(Int.random(in: 0..<6, using: &random)) : .some(nil)
                }
            }
            return model
        }

        mutating func makeFolders(on path: String) -> Bool {
            for index in path.indices where path[index] == "/" {
                let folder = String(path[..<index])
                if case .some(.some) = contents[folder] { return false }
                contents[folder] = .some(nil)
            }
            return true
        }

        mutating func apply(_ step: PackageDifference.Step, base: Model, wanted: Model) {
            switch step {
            case .remove(let path):
                contents = contents.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
            case .folder(let path):
                _ = makeFolders(on: path)
                contents[path] = .some(nil)
            case .keep(let source, let path):
                _ = makeFolders(on: path)
                contents[path] = base.contents[source]
            case .file(let path):
                _ = makeFolders(on: path)
                contents[path] = wanted.contents[path]
            }
        }
    }

    /// Yields the same numbers for the same seed.
    private struct Seeded: RandomNumberGenerator {
        private var state: UInt64
        init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }
}
