extension Fault {
    /// Of the content of documents.
    static let reading: [Fault] = [
        Fault("fetch.wrongBytes", "One byte of the content is another one."),
        Fault("fetch.short", "The last byte is missing."),
        Fault("fetch.long", "A byte follows the content."),
        Fault("fetch.empty", "No content is written at all."),
        Fault("fetch.hole", "The middle of the content is zeros."),
        Fault("fetch.sizeLies", "The item of the answer has another size than the content."),
        Fault("fetch.wrongVersion", "The item of the answer has another version."),
        Fault("fetch.otherItem", "The item of the answer is another one."),
        Fault("fetch.folderSucceeds", "The content of a folder is asked for, and comes: nothing."),
        Fault("fetch.stale", "The content is that from before the last change."),
        Fault("fetch.mixed", "Those who read at the same time get parts of each other's content."),
        Fault("fetch.cut", "It breaks off where half of the content is told of."),
        Fault("fetch.resumesAnyVersion", "Goes on where a download of another version was cut."),
        Fault("fetch.resumeRepeats", "Says that it goes on, and begins anew at that place."),
        Fault("fetch.progressBack", "What it tells of how far it is goes back."),
        Fault("fetch.progressBeyond", "It tells of more bytes than there are."),
        Fault("fetch.stands", "It tells again and again that no byte is there yet.", value: "seconds, 3"),
        Fault("fetch.silent", "It does not say a word for long.", value: "seconds, 3"),
        Fault("fetch.ignoresCancel", "It goes on writing when nobody wants the content.", value: "seconds, 3"),
        Fault("open.writable", "The descriptor is open for writing.", .inPlace),
        Fault("open.otherFile", "The descriptor is of another document.", .inPlace),
        Fault("open.short", "The descriptor is of a copy without the last byte.", .inPlace),
        Fault("open.folder", "The descriptor is of a folder.", .inPlace),
    ]
}
