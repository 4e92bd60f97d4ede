import FoundationEssentials
import Testing

@testable import Documents

/// Packages in memory.
@Suite struct FileWrapperTests {
    private func text(_ wrapper: FileWrapper?) -> String? {
        wrapper?.regularFileContents.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("M4: a file has content and no children, a folder children and no content")
    func kinds() throws {
        let file = FileWrapper(regularFileWithContents: Data("hello".utf8))
        #expect(file.isRegularFile && !file.isDirectory && file.fileWrappers == nil)
        #expect(text(file) == "hello" && file.preferredFilename == nil && file.filename == nil)
        let folder = FileWrapper(directoryWithFileWrappers: ["a.txt": file])
        #expect(folder.isDirectory && !folder.isRegularFile && folder.regularFileContents == nil)
        #expect(folder.fileWrappers?["a.txt"] === file && file.preferredFilename == "a.txt")
        let error = #expect(throws: DocumentsError.self) { try folder.contents() }
        #expect(error?.code == .invalidArgument)
    }

    @Test("M4: children with one preferred name get distinct names, as Apple's do; case does not count (M9)")
    func collisions() {
        let folder = FileWrapper(directoryWithFileWrappers: [:])
        let names = ["image.png", "image.png", "IMAGE.png", "other.png"].map {
            folder.addRegularFile(withContents: Data(), preferredFilename: $0)
        }
        #expect(names == ["image.png", "1__#$!@%!#__image.png", "2__#$!@%!#__IMAGE.png", "other.png"])
        #expect(folder.fileWrappers?.count == 4)
    }

    @Test("M4: a child is found by its object, can be removed, and cannot be added twice")
    func children() {
        let folder = FileWrapper(directoryWithFileWrappers: [:])
        let (one, other) = (FileWrapper(regularFileWithContents: Data()), FileWrapper(regularFileWithContents: Data()))
        (one.preferredFilename, other.preferredFilename) = ("a", "a")
        #expect(folder.addFileWrapper(one) == "a" && folder.addFileWrapper(one) == "a")
        let second = folder.addFileWrapper(other)
        #expect(folder.keyForChildFileWrapper(other) == second && folder.keyForChildFileWrapper(one) == "a")
        folder.removeFileWrapper(one)
        #expect(folder.keyForChildFileWrapper(one) == nil && folder.fileWrappers?.count == 1)
        folder.removeFileWrapper(one)
        #expect(folder.fileWrappers?.count == 1)
    }

    @Test("M4: children that many tasks add at once are all added")
    func concurrent() async {
        let folder = FileWrapper(directoryWithFileWrappers: [:])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    folder.addRegularFile(withContents: Data("\(number)".utf8), preferredFilename: "same.txt")
                }
            }
        }
        let contents = Set(folder.fileWrappers?.values.compactMap { text($0) } ?? [])
        #expect(contents == Set((0..<100).map(String.init)))
    }

    @Test("M4: a package is read as a tree, page by page, small files and large ones alike")
    func reading() async throws {
        let large = String(repeating: "x", count: FileWrapper.smallSize + 1)
        let package = try PackageOnFakeDaemon(["a.txt": "A", "b/c.txt": "C", "b/large": large], folders: ["empty"])
        let client = try #require(package.client())
        let root = try await FileWrapper.read(
            from: PackageReader(reference: PackageOnFakeDaemon.reference, client: client))
        #expect(root.fileWrappers?.keys.sorted() == ["a.txt", "b", "empty"])
        let folder = try #require(root.fileWrappers?["b"])
        #expect(text(folder.fileWrappers?["c.txt"]) == "C" && root.fileWrappers?["a.txt"]?.filename == "a.txt")
        // The large file is read later, and still has its old content.
        package.change("b/large", "changed")
        #expect(text(folder.fileWrappers?["large"]) == large)
        #expect(text(folder.fileWrappers?["large"]) == large)
        #expect(root.fileWrappers?["empty"]?.fileWrappers?.isEmpty == true)
    }

    @Test("M4: a package with a symbolic link is refused, with its path")
    func link() async throws {
        let package = try PackageOnFakeDaemon(["a/shortcut": ""], link: "a/shortcut")
        let client = try #require(package.client())
        let error = await #expect(throws: DocumentsError.self) {
            try await FileWrapper.read(from: PackageReader(reference: PackageOnFakeDaemon.reference, client: client))
        }
        #expect(error?.code == .notSupported)
        #expect(error?.message.contains("a/shortcut") == true && error?.suggestion != nil)
    }

    @Test(
        "M4: invalid names are refused before anything is staged",
        arguments: ["", ".", "..", "a/b", "a\0b"])
    func names(name: String) async throws {
        let package = try PackageOnFakeDaemon([:])
        let client = try #require(package.client())
        let session = try await PackageWriteSession.begin(
            PackageOnFakeDaemon.reference, replacing: false, client: client)
        let root = FileWrapper(directoryWithFileWrappers: [
            "good": FileWrapper(regularFileWithContents: Data()), name: FileWrapper(regularFileWithContents: Data()),
        ])
        let error = await #expect(throws: DocumentsError.self) { try await root.write(to: session) }
        #expect(error?.code == .invalidArgument && package.log.isEmpty)
    }

    @Test("M4: a folder that contains itself is refused instead of followed for ever")
    func cycle() async throws {
        let package = try PackageOnFakeDaemon([:])
        let client = try #require(package.client())
        let session = try await PackageWriteSession.begin(
            PackageOnFakeDaemon.reference, replacing: true, client: client)
        let root = FileWrapper(directoryWithFileWrappers: [:])
        root.preferredFilename = "loop"
        root.addFileWrapper(root)
        let error = await #expect(throws: DocumentsError.self) { try await root.write(to: session) }
        #expect(error?.code == .invalidArgument)
        root.removeFileWrapper(root)
    }
}
