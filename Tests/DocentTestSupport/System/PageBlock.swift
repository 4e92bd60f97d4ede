import Foundation

/// A block of a page that is set off as code, between two fences.
package struct PageBlock: Sendable {
    /// By its path in the tree.
    package let page: String
    /// Where its first line stands in the page.
    package let line: Int
    /// What the fence says of it; empty for nothing.
    package let language: String
    package let lines: [String]

    package var text: String { lines.joined(separator: "\n") }

    /// One command of it, with what the page says that comes of it.
    package struct Command: Sendable {
        package let line: Int
        package let text: String
        /// As a comment says it (`exit code N`), else 0.
        package let status: Int
        /// The lines that the page shows below it.
        package var shown: [String]
    }

    /// The blocks of a page, in their order.
    ///
    /// - Parameter root: where the page is read; the source tree, or an installed documentation.
    package static func all(of page: String, in root: String = Repository.root) throws -> [PageBlock] {
        var blocks: [PageBlock] = []
        var open: (line: Int, language: String, lines: [String])?
        let text = try String(contentsOfFile: "\(root)/\(page)", encoding: .utf8)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                if line == "```" {
                    blocks.append(
                        PageBlock(page: page, line: block.line, language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if line.hasPrefix("```") {
                open = (index + 2, String(line.dropFirst(3)), [])
            }
        }
        if let open { throw Problem("\(page):\(open.line): a block without an end") }
        return blocks
    }

    /// Lines of a page that are indented as code is, outside of fences, where no list can hold them.
    package static func indented(in page: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(Repository.root)/\(page)", encoding: .utf8)
        var (isFenced, before) = (false, Substring("x"))
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isFenced.toggle() }
            defer { before = line }
            return !isFenced && before.isEmpty && line.hasPrefix("    ")
        }.map(String.init)
    }

    /// The commands of a block: in `sh` every line, in `console` those after a `$`. A line that ends in a backslash
    /// goes on in the next.
    package var commands: [Command] {
        var commands: [Command] = []
        var begun: (line: Int, text: String)?
        for (index, line) in lines.enumerated() {
            let isCommand = language == "sh" || line.hasPrefix("$ ")
            guard begun != nil || isCommand else {
                commands.indices.last.map { commands[$0].shown.append(line) }
                continue
            }
            let text = language == "console" && begun == nil ? String(line.dropFirst(2)) : line
            let whole = begun.map { $0.text + "\n" + text } ?? text
            let start = begun?.line ?? self.line + index
            if text.hasSuffix("\\") {
                begun = (start, whole)
                continue
            }
            begun = nil
            let words = whole.trimmingCharacters(in: .whitespaces)
            if words.isEmpty || words.hasPrefix("#") { continue }
            let status = whole.firstMatch(of: /#.*exit code (\d+)/).flatMap { Int($0.1) } ?? 0
            commands.append(Command(line: start, text: whole, status: status, shown: []))
        }
        return commands
    }
}
