extension Fault {
    /// Faults of the process and its environment.
    static let process: [Fault] = [
        Fault("memory.leak", "Every call keeps memory.", needsProcess: true, value: "bytes, 16384"),
        Fault("descriptors.leak", "Every call keeps a descriptor.", needsProcess: true),
        Fault("threads.leak", "Every call keeps a thread.", needsProcess: true),
        Fault("wire.garbage", "Bytes that are no message come before the answer.", needsProcess: true),
        Fault("wire.secondReply", "A second answer comes before the right one.", needsProcess: true),
        Fault("wire.wrongType", "An answer comes in which texts are numbers.", needsProcess: true),
        Fault("wire.close", "The connection is closed.", needsProcess: true),
        Fault("wire.flood", "A message without an end.", needsProcess: true, value: "bytes, 67108864"),
        Fault("sandbox.writeOutside", "A file is written elsewhere.", needsProcess: true, value: "path, in the home"),
        Fault("sandbox.connect", "A connection into the network is made.", needsProcess: true, value: "port, 9"),
        Fault("sandbox.run", "A program is started.", needsProcess: true),
    ]
}
