extension Fault {
    /// Faults in parts of documents.
    static let ranges: [Fault] = [
        Fault("range.wrongOffset", "The bytes are those of another offset."),
        Fault("range.short", "The last byte is missing, though it is reported as written."),
        Fault("range.long", "A byte follows the part that was asked for."),
        Fault("range.countLies", "One byte less is reported than was written."),
        Fault("range.totalLies", "The reported size of the whole content is wrong."),
        Fault("range.otherVersion", "The bytes are those of the current version, whichever was asked for."),
        Fault("range.wrongVersion", "The answer has another version."),
        Fault("range.beyondEnd", "A part that begins after the content has zeros."),
        Fault("range.mixed", "Concurrent readers get each other's bytes."),
        Fault("range.folderSucceeds", "A part of a folder can be read, and is empty."),
        Fault("range.stalls", "It stops in the middle for a long time.", value: "seconds, 3"),
        Fault("range.dies", "The process ends in the middle.", needsProcess: true),
        Fault("range.diesWhenClosed", "The process ends when the reader closes the pipe.", needsProcess: true),
        Fault("range.ignoresClosed", "It continues after the reader has closed the pipe.", value: "seconds, 3"),
    ]
}
