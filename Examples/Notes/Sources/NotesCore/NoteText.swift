/// The lines of a note as the user sees them and as they are stored; the difference is not saved yet. A value without
/// input or output.
public struct NoteText: Sendable, Equatable {
    /// What the user sees.
    public private(set) var lines: [String]
    /// What is stored, as far as this program knows.
    public private(set) var stored: [String]

    /// Creates a note with stored lines.
    public init(stored: [String] = []) {
        lines = stored
        self.stored = stored
    }

    /// Whether there are unsaved changes.
    public var hasUnsavedChanges: Bool { lines != stored }

    // MARK: Editing

    /// Adds a line at the end.
    public mutating func append(_ line: String) { lines.append(line) }

    /// Replaces a line.
    ///
    /// - Parameter number: counted from 1.
    /// - Throws: ``NoteProblem/noSuchLine(_:of:)``.
    public mutating func edit(_ number: Int, _ line: String) throws(NoteProblem) {
        lines[try index(number)] = line
    }

    /// Deletes a line.
    ///
    /// - Parameter number: counted from 1.
    /// - Throws: ``NoteProblem/noSuchLine(_:of:)``.
    public mutating func delete(_ number: Int) throws(NoteProblem) { lines.remove(at: try index(number)) }

    private func index(_ number: Int) throws(NoteProblem) -> Int {
        guard number >= 1, number <= lines.count else { throw .noSuchLine(number, of: lines.count) }
        return number - 1
    }

    // MARK: What others do

    /// Merges unsaved changes into lines that somebody else has saved.
    ///
    /// - Returns: whether that changed what the user sees.
    @discardableResult
    public mutating func absorb(stored theirs: [String]) -> Bool {
        let merged = LineMerge.merge(base: stored, mine: lines, theirs: theirs)
        defer { (lines, stored) = (merged, theirs) }
        return merged != lines
    }

    /// Records that these lines were saved by this program. Lines written since are still unsaved.
    public mutating func didStore(_ saved: [String]) { stored = saved }

    // MARK: Bytes

    /// Reads the content of a file: UTF-8, with a line feed after each line.
    ///
    /// - Throws: ``NoteProblem/noText``.
    public static func lines(of bytes: some Collection<UInt8>) throws(NoteProblem) -> [String] {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .noText }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The content of a file with these lines.
    public static func bytes(of lines: [String]) -> [UInt8] { lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }
}
