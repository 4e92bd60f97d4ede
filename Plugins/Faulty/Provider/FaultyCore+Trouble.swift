import FileProvider
import Glibc

extension FaultyCore {
    /// Applies the faults that any call can have, before it does anything.
    ///
    /// - Parameters:
    ///   - method: One of ``Fault/methods``.
    ///   - identifier: The item that the call is about.
    ///   - name: The name that the call is about.
    func trouble(_ method: String, _ identifier: ItemIdentifier? = nil, name: String? = nil) async throws {
        if method != "signIn" { try account.check() }
        bury(try others.act(before: method, on: tree))
        try heedService(before: method)
        try await befall(method, identifier.map(known), name ?? identifier.flatMap { shown($0) })
        process()
        if script.strikes("errors.storm"), nextCall() % 2 == 0 { throw Trouble.storm(nextCall()) }
    }

    // Looked up only if a rule may name it.
    private func shown(_ identifier: ItemIdentifier) -> String? {
        try? tree.read { try $0.entry(known(identifier)).name }
    }

    private func befall(_ method: String, _ identifier: String?, _ name: String?) async throws {
        func strikes(_ fault: String) -> Bool { script.strikes("\(method).\(fault)", identifier, name) }
        if let seconds = script.number("\(method).delay", identifier, name, otherwise: 1) {
            try await Task.sleep(for: .seconds(seconds))
        }
        if strikes("crash") { Calamity.crash() }
        if strikes("exit") { exit(0) }
        if strikes("block") { Calamity.block() }
        if strikes("hang") { while true { try await Task.sleep(for: .seconds(3_600)) } }
        if let error = script.text("\(method).error", identifier, name, otherwise: "Failed") {
            throw Trouble.error(named: error)
        }
    }

    private func process() {
        if let count = script.number("memory.leak", otherwise: 16_384) { Calamity.keepMemory(Int(count)) }
        if script.strikes("descriptors.leak") { Calamity.keepDescriptor() }
        if script.strikes("threads.leak") { Calamity.keepThread() }
        if script.strikes("wire.garbage") { Calamity.write(Array("\u{1}{{{ no message \"".utf8) + [0]) }
        if script.strikes("wire.secondReply") { Calamity.write(Array("{\"parameters\":{}}".utf8) + [0]) }
        if script.strikes("wire.wrongType") {
            Calamity.write(Array("{\"parameters\":{\"item\":{\"identifier\":7},\"items\":3,\"anchor\":[]}}".utf8) + [0])
        }
        if script.strikes("wire.close") { Calamity.hangUp() }
        if let count = script.number("wire.flood", otherwise: 67_108_864) { Calamity.flood(Int(count)) }
        if let path = script.text("sandbox.writeOutside", otherwise: Calamity.fileOutside) {
            Calamity.writeFile(path)
        }
        if let port = script.number("sandbox.connect", otherwise: 9) {
            Calamity.connect(port: UInt16(clamping: Int(port)))
        }
        if script.strikes("sandbox.run") { Calamity.run() }
        if let count = script.number("events.storm", otherwise: 3_000) {
            host.signalChanged((0..<Int(count)).map { ItemIdentifier("none-\($0)") })
        }
    }
}
