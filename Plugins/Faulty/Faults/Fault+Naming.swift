extension Fault {
    /// Faults in names.
    static let naming: [Fault] = [
        Fault("names.composed", "Names are always stored in Unicode's composed form."),
        Fault("names.trimmed", "Spaces at the end of a name are dropped."),
        Fault("names.lowercased", "Names are stored in lower case."),
        Fault("names.shortened", "Names are cut after 64 bytes."),
        Fault("child.ignoresCase", "Names are found in any case, but the folder does not say so."),
    ]
}
