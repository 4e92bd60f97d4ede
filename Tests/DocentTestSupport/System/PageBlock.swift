import Foundation

/// A fenced code block of a page.
package struct PageBlock: Sendable {
    /// The page's path in the tree.
    package let page: String
    /// The line number of its first line in the page.
    package let line: Int
    /// The language of the fence; empty if there is none.
    package let language: String
    package let lines: [String]

    package var text: String { lines.joined(separator: "\n") }

    /// A command of the block, with the result that the page shows.
    package struct Command: Sendable {
        package let line: Int
        package let text: String
        /// From a comment (`exit code N`), otherwise 0.
        package let status: Int
        /// The lines that the page shows below the command.
        package var shown: [String]
    }

    /// The blocks of a page, in order.
    ///
    /// - Parameter root: the source tree, or the folder of an installed documentation.
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

    /// The lines of a page outside fences that are indented like code and cannot belong to a list.
    package static func indented(in page: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(Repository.root)/\(page)", encoding: .utf8)
        var (isFenced, before) = (false, Substring("x"))
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isFenced.toggle() }
            defer { before = line }
            return !isFenced && before.isEmpty && line.hasPrefix("    ")
        }.map(String.init)
    }

    /// The commands of a block: in `sh` every line, in `console` the lines after a `$`. A line that ends in a backslash
    /// continues on the next.
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
