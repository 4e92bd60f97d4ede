import HTTPTransport

/// Passes a reply to one sink and a copy to another.
struct CopyingSink: HTTPSink {
    private let sink: any HTTPSink
    private let copy: MemorySink

    init(_ sink: any HTTPSink, _ copy: MemorySink) {
        self.sink = sink
        self.copy = copy
    }

    func begin(_ reply: HTTPReply) throws {
        try sink.begin(reply)
        copy.begin(reply)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try sink.take(bytes)
        try copy.take(bytes)
    }
}
