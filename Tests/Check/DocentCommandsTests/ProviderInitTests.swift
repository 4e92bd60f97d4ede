import DocentTestSupport
import Documents
import Foundation
import Testing

@testable import DocentCommands

@Suite struct ProviderInitTests {
    private let folder = TemporaryFolder()

    @Test("a valid type name and an identifier in reverse DNS are accepted unchanged")
    func good() throws {
        let names = try ProviderNames(name: "Postbox2", identifier: nil)
        #expect(names.name == "Postbox2" && names.identifier == "org.example.Postbox2")
        #expect(try ProviderNames(name: "A", identifier: "com.example.a-b.C_1").identifier == "com.example.a-b.C_1")
    }

    @Test(
        "a bad name is refused with a valid suggestion",
        arguments: [
            ("postbox", "Write Postbox."), ("post box", "Write PostBox."), ("my-post.box", "Write MyPostBox."),
            ("9lives", "Write Lives."), ("", "Write a name like Postbox."), ("../evil", "Write Evil."),
            ("Größe", "Write GrE."), ("FileProvider", "Choose another, for example MyFileProvider."),
            ("Self", "Choose another, for example MySelf."), (String(repeating: "A", count: 41), nil),
        ] as [(String, String?)])
    func badName(name: String, suggestion: String?) throws {
        let error = #expect(throws: DocumentsError.self) { try ProviderNames(name: name, identifier: nil) }
        #expect(error?.code == .invalidArgument)
        if let suggestion { #expect(error?.suggestion == suggestion) }
    }

    @Test(
        "a bad identifier is refused",
        arguments: ["", "a", "a.b", "a..b", ".a.b.c", "a.b.c.", "a.b.c/d", "a.b.ö", "org.docent.Mine", "Org.Docent.X"])
    func badIdentifier(identifier: String) {
        let error = #expect(throws: DocumentsError.self) { try ProviderNames(name: "Postbox", identifier: identifier) }
        #expect(error?.code == .invalidArgument && error?.suggestion != nil)
    }

    @Test(
        "templates are found by DOCENT_TEMPLATES, in the prefix of the program, and in the source tree around a build"
    )
    func places() throws {
        try folder.make("prefix/share/docent/templates/swift/Package.swift", "prefix/share/docent/sdk/Package.swift")
        try folder.make("tree/Templates/swift/Package.swift", "tree/packaging/sdk/Package.swift")
        let (prefix, tree) = (folder.path + "/prefix", folder.path + "/tree")
        let installed = try TemplateLibrary.find(environment: [:], program: prefix + "/bin/docent")
        #expect(
            installed.templates == prefix + "/share/docent/templates" && installed.sdk == prefix + "/share/docent/sdk")
        let built = try TemplateLibrary.find(environment: [:], program: tree + "/.build/x86_64/debug/docent")
        #expect(built.templates == tree + "/Templates" && built.sdk == tree + "/packaging/sdk")
        let named = try TemplateLibrary.find(
            environment: ["DOCENT_TEMPLATES": tree + "/Templates"], program: prefix + "/bin/docent")
        #expect(named == built)
        for environment in [["DOCENT_TEMPLATES": folder.path], [:]] {
            let error = #expect(throws: DocumentsError.self) {
                try TemplateLibrary.find(environment: environment, program: "/nowhere/bin/docent")
            }
            #expect(error?.code == .notFound && error?.suggestion != nil)
        }
    }

    @Test("placeholders are replaced in contents and file names; binary files and executable bits are kept")
    func copied() throws {
        try folder.make("template/Sources/__NAME__/__NAME__Provider.swift", "template/.build/old", "template/run.sh")
        try Data("@NAME@ @IDENTIFIER@ @DISPLAY@ @SDK@ @OTHER@".utf8).write(
            to: folder.url("template/Sources/__NAME__/__NAME__Provider.swift"))
        let bytes = Data([0xFF, 0xFE] + Array("@NAME@".utf8))
        try bytes.write(to: folder.url("template/picture"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/template/run.sh")
        let target = folder.path + "/deep/down/Postbox"
        try copy().write(to: target)
        #expect(
            try String(contentsOfFile: target + "/Sources/Postbox/PostboxProvider.swift", encoding: .utf8)
                == "Postbox org.example.Postbox Postbox /the/sdk @OTHER@")
        #expect(try Data(contentsOf: URL(filePath: target + "/picture")) == bytes)
        #expect(FileManager.default.isExecutableFile(atPath: target + "/run.sh"))
        #expect(!FileManager.default.fileExists(atPath: target + "/.build"))
    }

    @Test("nothing is overwritten, and an unfinished result is removed")
    func untouched() throws {
        try folder.make("template/a", "template/b", "full/b")
        let error = #expect(throws: DocumentsError.self) { try copy().write(to: folder.path + "/full") }
        #expect(error?.code == .conflict)
        #expect(try folder.names("full") == ["b"])
        try FileManager.default.createDirectory(at: folder.url("empty"), withIntermediateDirectories: true)
        try copy().write(to: folder.path + "/empty")
        #expect(try folder.names("empty") == ["a", "b"])
        // The file is larger than the limit.
        try Data(count: 17 << 20).write(to: folder.url("template/c"))
        #expect(throws: DocumentsError.self) { try copy().write(to: folder.path + "/new/Postbox") }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
    }

    @Test("a place where nothing can be created is reported, whatever it is")
    func impossible() throws {
        try folder.make("template/a", "file")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/nowhere")
        for (path, code) in [
            (folder.path + "/file", .conflict), (folder.path + "/file/deeper", .notFound),
            (folder.path + "/link", .conflict), (folder.path + "/link/deeper", .conflict),
            // No directory can be created below this one, although it exists.
            ("/proc/nothing", .notFound), ("/proc/nothing/deeper", .notFound),
        ] as [(String, DocumentsError.Code)] {
            let error = #expect(throws: DocumentsError.self) { try copy().write(to: path) }
            #expect(error?.code == code, "\(path): \(error?.message ?? "")")
        }
        #expect(try folder.names("") == ["file", "link", "template"])
    }

    @Test("every template of the tree has manifests, a README and tests, and no unknown placeholder")
    func templates() throws {
        let library = try TemplateLibrary.find(
            environment: ["DOCENT_TEMPLATES": Repository.root + "/Templates"], program: nil)
        let names = try ProviderNames(name: "Postbox", identifier: nil)
        for language in TemplateLanguage.allCases {
            let target = folder.path + "/" + language.rawValue
            try TemplateCopy(template: try library.template(language), names: names, sdk: library.sdk).write(to: target)
            let files = try FileManager.default.subpathsOfDirectory(atPath: target)
            for file in ["README.md", "manifests/Postbox.FileProvider.plist", "manifests/Postbox.Picker.plist"] {
                #expect(files.contains(file), "\(language.rawValue)")
            }
            #expect(files.contains { $0.lowercased().contains("tests") }, "\(language.rawValue)")
            for file in files {
                guard let text = try? String(contentsOfFile: target + "/" + file, encoding: .utf8) else { continue }
                #expect(text.firstMatch(of: /@[A-Z]{2,}@/) == nil && !text.contains("__NAME__"), "\(file)")
            }
        }
    }

    private func copy() throws -> TemplateCopy {
        TemplateCopy(
            template: folder.path + "/template", names: try ProviderNames(name: "Postbox", identifier: nil),
            sdk: "/the/sdk")
    }
}
