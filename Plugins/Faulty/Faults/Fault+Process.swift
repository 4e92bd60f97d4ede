extension Fault {
    /// Faults of the process and its environment.
    static let process: [Fault] = [
        Fault("memory.leak", "Every call leaks memory.", needsProcess: true, value: "bytes, 16384"),
        Fault("descriptors.leak", "Every call leaks a descriptor.", needsProcess: true),
        Fault("threads.leak", "Every call leaks a thread.", needsProcess: true),
        Fault("wire.garbage", "Garbage is sent before the answer.", needsProcess: true),
        Fault("wire.secondReply", "A wrong answer is sent before the right one.", needsProcess: true),
        Fault("wire.wrongType", "In the answer, texts are numbers.", needsProcess: true),
        Fault("wire.close", "The connection is closed.", needsProcess: true),
        Fault("wire.flood", "An endless message is sent.", needsProcess: true, value: "bytes, 67108864"),
        Fault("sandbox.writeOutside", "A file is written outside.", needsProcess: true, value: "path, in the home"),
        Fault("sandbox.connect", "A network connection is made.", needsProcess: true, value: "port, 9"),
        Fault("sandbox.run", "A program is started.", needsProcess: true),
    ]
}
