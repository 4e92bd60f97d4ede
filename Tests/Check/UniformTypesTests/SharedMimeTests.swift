import Foundation
import Glibc
import Testing
import UniformTypes

/// A directory of MIME database files that is deleted with the test.
private final class MimeDirectory {
    let path: String

    init(_ files: [String: String]) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mime-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: name)) }
        path = directory.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

struct SharedMimeTests {
    private static let files = [
        "globs2": """
        # comment
        80:application/x-heavy:*.txt
        60:application/x-heavy:*.hvy
        50:application/pdf:*.pdf
        50:application/x-blender:*.blend
        50:application/x-b:*.both
        50:application/x-a:*.both
        50:text/plain:*.both3
        50:application/x-a:*.both3
        40:application/x-light:*.light
        50:text/x-makefile:makefile
        50:text/x-c++src:*.CPLUS:cs
        50:application/vnd.openxmlformats-officedocument.wordprocessingml.document:*.docx
        50:application/vnd.example.book:*.book
        50:image/svg+xml-compressed:*.svgz
        50:application/x-weird_type+xml:*.weird
        50:application/x-compressed-thing:*.thing.gz
        50:application/x-glob:*.[1-9]
        50:application/octet-stream:*.bin
        50:application/x-java-class:*.class
        50:x-content/audio-cdda:*.cdda
        broken line
        x:y
        """,
        "subclasses": """
        application/vnd.example.book application/zip
        image/svg+xml-compressed application/gzip
        application/x-compressed-thing application/gzip
        application/x-weird_type+xml application/xml
        application/x-loop-one application/x-loop-two
        application/x-loop-two application/x-loop-one
        application/x-self application/x-self
        """,
        "aliases": "application/acrobat application/pdf\napplication/blend application/x-blender\n",
        "generic-icons": """
        application/vnd.example.book:x-office-document
        application/x-compressed-thing:package-x-generic
        application/x-blender:image-x-generic
        application/x-sheet:x-office-spreadsheet
        application/x-runme:text-x-script
        """,
    ]

    private let directory: MimeDirectory
    private let registry: UniformTypeRegistry

    init() throws {
        directory = try MimeDirectory(Self.files)
        registry = UniformTypeRegistry(mimeDirectories: ["/nonexistent", directory.path])
    }

    @Test("7.4.1: a built-in type gets the names of its MIME type")
    func extraTags() throws {
        #expect(registry.type(mimeType: "application/acrobat") == .pdf)
        #expect(registry.type(filenameExtension: "both3") == .plainText, "7.4.4: then by the spine")
        let tags = try #require(registry.declaration(of: .plainText)?.tags[.filenameExtension])
        #expect(tags.first == "txt" && tags.contains("both3"))
        #expect(registry.type(filenameExtension: "bin").isDynamic, "public.data is the type of no extension")
    }

    @Test("7.4.2: other MIME types get an identifier that is the same everywhere")
    func identifiers() throws {
        let type = registry.type(filenameExtension: "blend")
        #expect(type.identifier == "org.freedesktop.mime.application.x-blender")
        #expect(type == registry.type(mimeType: "application/blend"))
        #expect(registry.preferredMIMEType(of: type) == "application/x-blender")
        #expect(registry.preferredFilenameExtension(of: type) == "blend")
        #expect(registry.declaration(of: type)?.origin == .sharedMimeInfo)
        let weird = registry.type(filenameExtension: "weird")
        #expect(weird.identifier == "org.freedesktop.mime.application.x-weird-x5f-type-x2b-xml")
        #expect(registry.conforms(weird, to: .xml))
        #expect(registry.all.allSatisfy { UniformType.isValidIdentifier($0.identifier) })
    }

    @Test("7.4.2: low weights, patterns and case-sensitive rules give no extension")
    func unusableGlobs() {
        for name in ["light", "1", "cplus", "cdda"] {
            #expect(registry.type(filenameExtension: name).isDynamic, "\(name)")
        }
        #expect(registry.type(fileName: "Makefile") == registry.type(mimeType: "text/x-makefile"))
        #expect(registry.type(fileName: "Makefile", isDirectory: true) == .folder)
    }

    @Test("7.4.3: a document based on ZIP is no archive, an archive inside gzip is")
    func archives() {
        let book = registry.type(filenameExtension: "book")
        #expect(!registry.conforms(book, to: .archive) && !registry.conforms(book, to: .zip))
        #expect(registry.conforms(book, to: .compositeContent) && registry.conforms(book, to: .data))
        #expect(!registry.conforms(registry.type(filenameExtension: "docx"), to: .archive))
        #expect(registry.conforms(registry.type(fileName: "a.thing.gz"), to: .archive))
        let picture = registry.type(filenameExtension: "svgz")
        #expect(registry.conforms(picture, to: .image) && !registry.conforms(picture, to: .archive))
        #expect(registry.conforms(registry.type(mimeType: "application/x-sheet"), to: .spreadsheet))
        #expect(registry.conforms(registry.type(mimeType: "application/x-runme"), to: .script))
    }

    @Test("7.4.4: a heavier rule takes precedence, then the built-in table, then the name")
    func conflicts() {
        #expect(registry.type(filenameExtension: "txt").identifier == "org.freedesktop.mime.application.x-heavy")
        #expect(registry.type(filenameExtension: "both").identifier == "org.freedesktop.mime.application.x-a")
    }

    @Test("7.4.4: every derived type conforms to public.data, even through loops")
    func everythingIsData() {
        for type in registry.all where type.identifier.hasPrefix("org.freedesktop.mime.") {
            #expect(registry.conforms(type, to: .data), "\(type)")
        }
    }

    @Test("7.2: a declaration that owns an extension or a MIME type takes precedence over a derived type")
    func declaredBeforeDerived() {
        let byExtension = UniformTypeDeclaration(
            identifier: "org.example.scene", conformsTo: ["public.data"], tags: [.filenameExtension: ["blend"]])
        #expect(registry.adding(exported: [byExtension]).type(fileName: "a.blend").identifier == "org.example.scene")
        let byMIMEType = UniformTypeDeclaration(
            identifier: "org.example.scene", conformsTo: ["public.data"], tags: [.mimeType: ["application/blend"]])
        let registry = registry.adding(imported: [byMIMEType])
        #expect(registry.type(fileName: "a.blend").identifier == "org.example.scene")
        #expect(registry.type(mimeType: "application/x-blender").identifier == "org.example.scene")
    }

    @Test("7.4: a user's directory comes first and can remove a type's rules")
    func directories() throws {
        let user = try MimeDirectory([
            "globs2": "50:application/x-blender:__NOGLOBS__\n50:application/x-blender:*.scene\n",
            "aliases": "application/acrobat application/x-blender\n",
        ])
        let registry = UniformTypeRegistry(mimeDirectories: [user.path, directory.path])
        #expect(registry.type(filenameExtension: "blend").isDynamic)
        #expect(registry.type(filenameExtension: "scene").identifier == "org.freedesktop.mime.application.x-blender")
        #expect(registry.type(mimeType: "application/acrobat").identifier.hasSuffix("x-blender"))
    }

    @Test("7.4.6: without a database, or with an invalid one, the built-in table works")
    func withoutDatabase() throws {
        let rubbish = try MimeDirectory(["globs2": "\u{0}\u{1}:::\n::\n:", "subclasses": "a\n b\n", "aliases": " \n"])
        try FileManager.default.createDirectory(
            atPath: rubbish.path + "/generic-icons", withIntermediateDirectories: true)
        let pipe = try MimeDirectory([:])
        try #require(mkfifo("\(pipe.path)/globs2", 0o600) == 0)
        for registry in [
            UniformTypeRegistry(mimeDirectories: [rubbish.path]),
            UniformTypeRegistry(mimeDirectories: [pipe.path]),
            UniformTypeRegistry.system(environment: ["XDG_DATA_DIRS": "/nonexistent:relative", "HOME": "/nonexistent"]),
            UniformTypeRegistry.system(environment: ["XDG_DATA_DIRS": "/nonexistent"]),
        ] {
            #expect(registry.type(fileName: "a.pdf") == .pdf)
            #expect(registry.type(fileName: "a.blend").isDynamic)
            #expect(registry.all.count == UniformTypeRegistry.spine.count)
        }
    }

    @Test("7.4: XDG_DATA_HOME and XDG_DATA_DIRS determine where the database is")
    func environment() throws {
        let data = URL(filePath: directory.path).deletingLastPathComponent()
            .appending(path: "data-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: data) }
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: directory.path, toPath: data.path + "/mime")
        for environment in [
            ["XDG_DATA_HOME": data.path, "XDG_DATA_DIRS": "/nonexistent"], ["XDG_DATA_DIRS": "/x:\(data.path)"],
        ] {
            let registry = UniformTypeRegistry.system(environment: environment)
            #expect(registry.type(filenameExtension: "blend").identifier.hasSuffix("x-blender"))
        }
    }

    @Test(
        "7.4: the database of this machine gives documents the types that a picker expects",
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/share/mime/globs2"), "shared-mime-info is not installed"))
    func thisMachine() {
        let registry = UniformTypeRegistry.system(environment: ["XDG_DATA_DIRS": "/usr/share"])
        #expect(registry.all.count > UniformTypeRegistry.spine.count + 300)
        for name in ["a.docx", "a.odt", "a.ods", "a.epub", "a.odp", "a.sxw", "a.cbz", "a.3mf", "a.oxps"] {
            #expect(!registry.conforms(registry.type(fileName: name), to: .archive), "\(name)")
        }
        for name in ["a.zip", "a.tar.gz", "a.tar.lz4", "a.7z", "a.lha", "a.tar.zst"] {
            #expect(registry.conforms(registry.type(fileName: name), to: .archive), "\(name)")
        }
        for type in registry.all where type.identifier.hasPrefix("org.freedesktop.mime.") {
            let isInode = type.identifier.hasPrefix("org.freedesktop.mime.inode.")
            #expect(isInode || registry.conforms(type, to: .data), "\(type)")
        }
        #expect(registry.type(fileName: "a.py").identifier == "public.python-script")
        #expect(registry.conforms(registry.type(fileName: "a.rs"), to: .text))
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            _ = UniformTypeRegistry.system(environment: ["XDG_DATA_DIRS": "/usr/share"]).type(fileName: "a.blend")
        }
        print("shared-mime-info read in \(elapsed)")
    }
}
