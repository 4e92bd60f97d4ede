import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc

@testable import Documents

/// A client's package in a test: its reference, and saves with the SDK.
struct TestPackage: Sendable {
    let client: DocumentsClient
    let reference: DocumentReference

    /// Grants the package at a location to the client.
    static func open(_ location: DocumentLocation, client: DocumentsClient) async throws -> TestPackage {
        let document = try await DocumentPicker(client: client).openDocument(at: location)
        return TestPackage(client: client, reference: document.reference)
    }

    func begin(replacing: Bool = false) async throws -> PackageWriteSession {
        try await PackageWriteSession.begin(reference, replacing: replacing, claim: nil, client: client)
    }

    /// Stages changes: new content, or nil to remove an element.
    static func stage(_ changes: [String: String?], _ session: PackageWriteSession) async throws {
        for (path, text) in changes.sorted(by: { $0.key < $1.key }) {
            if let text {
                try await session.write(Data(text.utf8), at: path)
            } else {
                try await session.remove(at: path)
            }
        }
    }

    @discardableResult
    func save(_ changes: [String: String?], replacing: Bool = false) async throws -> DocumentItem {
        let session = try await begin(replacing: replacing)
        try await Self.stage(changes, session)
        return try await session.commit()
    }

    /// The texts of all elements, read by a client that has a right only to the package.
    func read() async throws -> [String: String] {
        let reader = PackageReader(reference: reference, client: client)
        var texts: [String: String] = [:]
        for element in try await reader.elements() where !element.isFolder {
            let file = FileHandle(fileDescriptor: try await reader.openForReading(element), closeOnDealloc: true)
            texts[element.path] = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
        return texts
    }
}

extension Installation {
    /// Creates a package in the folder of LocalFolder.
    func makePackage(_ name: String, _ elements: [String: String]) throws {
        for (path, text) in elements {
            let file = URL(fileURLWithPath: "\(documents)/\(name)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    /// The texts of a package's files on the disk.
    func package(_ name: String) -> [String: String] { Self.files(below: "\(documents)/\(name)") }

    static func files(below folder: String) -> [String: String] {
        var texts: [String: String] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
            if let text = try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8) { texts[path] = text }
        }
        return texts
    }

    /// The kept versions, as `docent versions` lists them.
    func keptVersions() async throws -> [RemoteBehaviour.Version] {
        try await docent("versions", "list", "--json").succeeded().json([RemoteBehaviour.Version].self)
    }

    /// The names and texts of the files in a kept version that is a zip archive.
    func zipped(_ version: String) async throws -> String {
        let archive = home + "/\(version).zip"
        let content = try await docent("versions", "show", version).succeeded().output
        try content.write(to: URL(fileURLWithPath: archive))
        return try await zipped(at: archive)
    }

    func zipped(at archive: String) async throws -> String {
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            print(sorted((n, z.read(n).decode()) for n in z.namelist() if not n.endswith('/')))
            """
        let listed = try await run("/usr/bin/env", ["python3", "-c", script, archive]).succeeded()
        return listed.text.trimmingCharacters(in: .newlines)
    }

    func openPackage(_ name: String, client: DocumentsClient) async throws -> TestPackage {
        try await TestPackage.open(
            DocumentLocation(provider: "org.docent.LocalFolder", path: "/" + name), client: client)
    }
}

/// The error of a call that must fail.
func failure(_ body: () async throws -> Void) async throws -> DocumentsError {
    do {
        try await body()
    } catch let error as DocumentsError {
        return error
    }
    throw Problem("it did not fail")
}
