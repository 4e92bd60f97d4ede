/// The lines of a note, and those that are stored; what lies between is not saved yet. A value, without any input or
/// output.
public struct NoteText: Sendable, Equatable {
    /// What the user sees.
    public private(set) var lines: [String]
    /// What is stored, as far as this side knows.
    public private(set) var stored: [String]

    /// A note as it is stored.
    public init(stored: [String] = []) {
        lines = stored
        self.stored = stored
    }

    /// Whether there is something to save.
    public var hasUnsavedChanges: Bool { lines != stored }

    // MARK: Editing

    /// Writes a line at the end.
    public mutating func append(_ line: String) { lines.append(line) }

    /// Replaces a line.
    ///
    /// - Parameter number: counted from 1.
    /// - Throws: ``NoteProblem/noSuchLine(_:of:)``.
    public mutating func edit(_ number: Int, _ line: String) throws(NoteProblem) {
        lines[try index(number)] = line
    }

    /// Takes a line away.
    ///
    /// - Parameter number: counted from 1.
    /// - Throws: ``NoteProblem/noSuchLine(_:of:)``.
    public mutating func delete(_ number: Int) throws(NoteProblem) { lines.remove(at: try index(number)) }

    private func index(_ number: Int) throws(NoteProblem) -> Int {
        guard number >= 1, number <= lines.count else { throw .noSuchLine(number, of: lines.count) }
        return number - 1
    }

    // MARK: What others do

    /// Somebody else stored this meanwhile: what is not saved here is merged into it.
    ///
    /// - Returns: whether that changed what the user sees.
    @discardableResult
    public mutating func absorb(stored theirs: [String]) -> Bool {
        let merged = LineMerge.merge(base: stored, mine: lines, theirs: theirs)
        defer { (lines, stored) = (merged, theirs) }
        return merged != lines
    }

    /// These lines are stored now by ourselves; what was written since is still to be saved.
    public mutating func didStore(_ saved: [String]) { stored = saved }

    // MARK: As bytes

    /// Reads what a file holds: UTF-8, a line feed behind each line.
    ///
    /// - Throws: ``NoteProblem/noText``.
    public static func lines(of bytes: some Collection<UInt8>) throws(NoteProblem) -> [String] {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .noText }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// What a file with these lines holds.
    public static func bytes(of lines: [String]) -> [UInt8] { lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }
}
