import CommandConsole

/// An array of records that is written as they arrive, one per line.
struct JSONLines {
    private var isEmpty = true

    /// Writes some records to standard output.
    mutating func write(_ records: [JSONValue]) throws {
        for record in records {
            try StandardOutput.write((isEmpty ? "[\n" : ",\n") + record.compact)
            isEmpty = false
        }
    }

    /// Closes the array.
    func end() throws { try StandardOutput.write(isEmpty ? "[]\n" : "\n]\n") }
}
