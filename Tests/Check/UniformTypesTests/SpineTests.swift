import Testing
import UniformTypes

struct SpineTests {
    private let registry = UniformTypeRegistry()

    @Test("7.3: every row has a valid, unique identifier and parents that the table contains")
    func wellFormed() throws {
        var identifiers: Set<UniformType> = []
        for declaration in UniformTypeRegistry.spine {
            let type = try #require(UniformType(declaration.identifier))
            #expect(identifiers.insert(type).inserted, "\(type) is listed twice")
        }
        for declaration in UniformTypeRegistry.spine {
            for parent in declaration.conformsTo {
                let type = try #require(UniformType(parent))
                #expect(identifiers.contains(type), "\(declaration.identifier) → \(parent)")
            }
        }
    }

    @Test("7.3: no two file types of the table claim the same tag")
    func unambiguousTags() {
        var owners: [String: String] = [:]
        for declaration in UniformTypeRegistry.spine {
            guard let type = UniformType(declaration.identifier) else { continue }
            let kind = registry.conforms(type, to: .directory) ? "directory" : "file"
            for (tagClass, tags) in declaration.tags {
                for tag in tags {
                    let other = owners.updateValue(type.identifier, forKey: "\(kind) \(tagClass.rawValue) \(tag)")
                    #expect(other == nil, "\(tag): \(type) and \(other ?? "")")
                }
            }
        }
    }

    @Test("7.2: a type with a tag for files reaches public.data or public.directory")
    func physicalHierarchy() throws {
        for declaration in UniformTypeRegistry.spine where declaration.tags[.filenameExtension] != nil {
            let type = try #require(UniformType(declaration.identifier))
            #expect(registry.conforms(type, to: .data) || registry.conforms(type, to: .directory), "\(type)")
        }
    }

    @Test(
        "7.3: conformance",
        arguments: [
            ("public.jpeg", "public.image", true), ("public.jpeg", "public.content", true),
            ("public.jpeg", "public.item", true), ("public.image", "public.jpeg", false),
            ("com.adobe.pdf", "public.composite-content", true), ("com.adobe.pdf", "public.text", false),
            ("com.apple.rtfd", "com.apple.package", true), ("com.apple.rtfd", "public.data", false),
            ("public.folder", "public.directory", true), ("public.folder", "public.content", false),
            ("public.video", "public.movie", true), ("public.mp3", "public.audiovisual-content", true),
            ("public.swift-source", "public.plain-text", true), ("public.html", "public.plain-text", false),
            ("public.zip-archive", "com.pkware.zip-archive", true), ("com.pkware.zip-archive", "public.archive", true),
            ("org.openxmlformats.wordprocessingml.document", "public.archive", false),
            ("org.openxmlformats.spreadsheetml.sheet", "public.spreadsheet", true),
            ("org.oasis-open.opendocument.text", "public.archive", false),
            ("org.oasis-open.opendocument.text", "public.content", true),
            ("public.symlink", "com.apple.resolvable", true), ("public.file-url", "public.url", true),
            ("org.example.unknown", "org.example.unknown", true), ("org.example.unknown", "public.item", false),
            ("public.item", "org.example.unknown", false),
        ])
    func conformance(type: String, other: String, conforms: Bool) throws {
        let type = try #require(UniformType(type))
        #expect(registry.conforms(type, to: try #require(UniformType(other))) == conforms)
    }

    @Test(
        "7.3: tags both ways",
        arguments: [
            ("pdf", "application/pdf", UniformType.pdf), ("jpeg", "image/jpeg", .jpeg), ("png", "image/png", .png),
            ("txt", "text/plain", .plainText), ("html", "text/html", .html), ("json", "application/json", .json),
            ("zip", "application/zip", .zip), ("mp4", "video/mp4", .mpeg4Movie),
            ("epub", "application/epub+zip", .epub),
        ])
    func tags(fileExtension: String, mimeType: String, type: UniformType) {
        #expect(registry.type(filenameExtension: fileExtension) == type)
        #expect(registry.type(filenameExtension: fileExtension.uppercased()) == type)
        #expect(registry.type(mimeType: mimeType) == type)
        #expect(registry.type(mimeType: "\(mimeType.uppercased()) ; charset=utf-8") == type)
        #expect(registry.preferredFilenameExtension(of: type) == fileExtension)
        #expect(registry.preferredMIMEType(of: type) == mimeType)
    }

    @Test(
        "7.2: the longest declared extension of a name is used",
        arguments: [
            ("a.tar.gz", false, "org.gnu.gnu-zip-tar-archive"), ("a.b.c.TAR.GZ", false, "org.gnu.gnu-zip-tar-archive"),
            ("a.tar.gz.gz", false, "org.gnu.gnu-zip-archive"), ("tar.gz", false, "org.gnu.gnu-zip-archive"),
            ("/x.pdf/letter.txt", false, "public.plain-text"), ("notes", false, "public.data"),
            (".pdf", false, "public.data"), (".hidden.pdf", false, "com.adobe.pdf"), ("", false, "public.data"),
            ("trailing.", false, "public.data"), ("Photos", true, "public.folder"), ("Photos/", true, "public.folder"),
            ("Report.rtfd", true, "com.apple.rtfd"), ("Editor.app", true, "com.apple.application-bundle"),
            ("Slides.key", true, "com.apple.iwork.keynote.key"),
            ("Slides.key", false, "com.apple.iwork.keynote.sffkey"),
        ])
    func fileNames(name: String, isDirectory: Bool, identifier: String) {
        #expect(registry.type(fileName: name, isDirectory: isDirectory).identifier == identifier)
    }

    @Test("7.2: a directory never gets a file's type, nor a file a directory's")
    func directories() {
        let folder = registry.type(filenameExtension: "pdf", isDirectory: true)
        #expect(folder.isDynamic && registry.conforms(folder, to: .folder) && !registry.conforms(folder, to: .data))
        let file = registry.type(filenameExtension: "rtfd")
        #expect(file.isDynamic && registry.conforms(file, to: .data) && !registry.conforms(file, to: .directory))
    }
}
