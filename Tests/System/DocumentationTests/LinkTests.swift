import DocentTestSupport
import Foundation
import Testing

/// All links within the tree resolve.
@Suite(.needs(.programs)) struct LinkTests {
    /// The anchor of a heading, as the usual Markdown renderers generate it.
    private static func anchor(_ heading: Substring) -> String {
        let text = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(
            text.unicodeScalars.compactMap { scalar -> Character? in
                if scalar == " " { return "-" }
                let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                return isWord || scalar == "-" || scalar == "_" ? Character(scalar) : nil
            })
    }

    private static func anchors(of text: String) -> Set<String> {
        Set(text.split(separator: "\n").filter { $0.hasPrefix("#") }.map(anchor))
    }

    @Test("every link between documents leads to an existing file and heading")
    func links() throws {
        let files = FileManager.default
        var found = 0
        for document in try DocumentationTree.documents() {
            let text = try DocumentationTree.text(document)
            let folder = DocumentationTree.root.appending(path: document).deletingLastPathComponent()
            for match in text.matches(of: /\]\(([^)\s]+)\)/) {
                let target = String(match.1)
                if target.contains("://") || target.hasPrefix("mailto:") { continue }
                found += 1
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let place = parts[0].isEmpty ? document : folder.appending(path: String(parts[0])).path
                let path = parts[0].isEmpty ? DocumentationTree.root.appending(path: document).path : place
                guard files.fileExists(atPath: path) else {
                    Issue.record("\(document) links to \(target), which is not there")
                    continue
                }
                guard parts.count == 2 else { continue }
                let anchors = Self.anchors(of: try String(contentsOfFile: path, encoding: .utf8))
                #expect(anchors.contains(String(parts[1])), "\(document) links to \(target); there is no such heading")
            }
        }
        #expect(found > 50)
    }

    @Test("every page named by an article, a help text, a script or a template exists")
    func named() throws {
        let sources = try ["Sources", "Plugins", "Templates", "Scripts"].flatMap { folder in
            try [".swift", ".sh", ".md", ".varlink"].flatMap {
                try DocumentationTree.files(below: folder, ending: $0)
            }
        }
        var found = 0
        for document in try Set(DocumentationTree.documents() + sources).sorted() {
            for match in try DocumentationTree.text(document).matches(of: /docs\/[A-Za-z0-9\/_-]+\.(?:md|[1-8])/) {
                found += 1
                let isThere = FileManager.default.fileExists(
                    atPath: DocumentationTree.root.appending(path: String(match.output)).path)
                #expect(isThere, "\(document) names \(match.output), which is not there")
            }
        }
        #expect(found > 50)
    }

    @Test("Every test that a document cites exists")
    func proofs() throws {
        let files = try DocumentationTree.files(below: "Tests", ending: ".swift")
        let texts = try files.map(DocumentationTree.text)
        // Tests/TIER/TARGET/…
        let targets = Set(files.compactMap { $0.split(separator: "/").dropFirst(2).first.map(String.init) })
        var declaring: [String: [String]] = [:]
        func sources(of suite: String) -> [String] {
            if let known = declaring[suite] { return known }
            let found = texts.filter { source in
                ["struct", "class", "extension"].contains { DocumentationTree.has(source, "\($0) \(suite) {") }
            }
            declaring[suite] = found
            return found
        }
        var found = 0
        for document in try DocumentationTree.documents() {
            let text = try DocumentationTree.text(document)
            for match in text.matches(of: /`([A-Z][A-Za-z]*Tests)(?:\.([A-Za-z]+))?`/) {
                found += 1
                let (suite, test) = (String(match.1), match.2.map(String.init))
                if test == nil, targets.contains(suite) { continue }
                let isThere = sources(of: suite).contains { source in
                    guard let test else { return true }
                    return ["func \(test)(", "struct \(test) "].contains { DocumentationTree.has(source, $0) }
                }
                #expect(isThere, "\(document) names \(match.output.0), which is not there")
            }
        }
        #expect(found > 30)
    }

    @Test("README.md links to every page of docs/", .needs(.programs, within: .seconds(60)))
    func reachable() throws {
        let text = try DocumentationTree.text("README.md")
        let files = try DocumentationTree.files(below: "docs", ending: ".md").filter { !$0.contains("/man/") }
        #expect(files.count > 15)
        for file in files {
            let isLinked = text.contains("(\(file))")
            #expect(isLinked, "README.md does not link to \(file)")
        }
    }

    @Test("every file that docs/contributing/changes.md names exists")
    func changedFiles() throws {
        var found = 0
        let rows = try DocumentationTree.text("docs/contributing/changes.md").split(separator: "\n")
        for row in rows where row.hasPrefix("| ") {
            // The first column is the subject; a code span in it need not be a path.
            for cell in row.split(separator: "|").dropFirst() {
                for match in cell.matches(of: /`([A-Za-z][^` ]*)`/) {
                    found += 1
                    let name = String(match.1)
                    let isThere = ["", "Sources/", "Tests/"].contains { folder in
                        FileManager.default.fileExists(
                            atPath: DocumentationTree.root.appending(path: folder + name).path)
                    }
                    #expect(isThere, "docs/contributing/changes.md names \(name), which is not there")
                }
            }
        }
        #expect(found > 100)
    }

    @Test("docs/contributing/modules.md describes every module")
    func modules() throws {
        let text = try DocumentationTree.text("docs/contributing/modules.md")
        for folder in ["Sources", "Plugins"] {
            let place = DocumentationTree.root.appending(path: folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) where !name.hasPrefix(".") {
                let isThere = text.contains("**\(name)**")
                #expect(isThere, "docs/contributing/modules.md does not describe \(folder)/\(name)")
            }
        }
    }
}
