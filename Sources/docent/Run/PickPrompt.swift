import Dispatch
import DocentInterfaces
import Documents
import Glibc
import Synchronization
import Varlink

/// Asks on the terminal that `docent run` was started on what a program in the sandbox wants to be picked.
final class PickPrompt: Sendable {
    private let client: String
    private let administrator: DocumentsClient
    private let terminal: CInt
    private let pump: TerminalPump?
    private let waiting = Mutex<[Wire.PickRequest]>([])
    private let listens = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let queue = DispatchQueue(label: "org.docent.picks")

    /// nil where there is no terminal, or it is another job's.
    init?(client: String, administrator: DocumentsClient, pump: TerminalPump?) {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        guard tcgetpgrp(terminal) == getpgrp() else {
            close(terminal)
            return nil
        }
        self.client = client
        self.administrator = administrator
        self.terminal = terminal
        self.pump = pump
    }

    deinit { close(terminal) }

    /// Returns when the daemon knows that there is somebody to ask, or cannot be told; once.
    func waitUntilListening() async { for await _ in listens.stream { return } }

    /// Asks until the task is cancelled.
    func run() async {
        let (news, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listening = Task {
            while !Task.isCancelled {
                do {
                    try await administrator.follow(
                        AdministrationInterface.PickRequests.self, .init(client: client, clientKind: "run"), attempts: 1
                    ) { reply in
                        waiting.withLock { $0 = reply.requests }
                        tell.yield()
                        listens.continuation.yield()
                    }
                } catch { waiting.withLock { $0 = [] } }
                listens.continuation.yield()
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
        defer { listening.cancel() }
        var answered: Set<String> = []
        await withTaskCancellationHandler {
            for await _ in news {
                while let request = next(answered), !Task.isCancelled {
                    // While an answer is looked at, the request is not in the list; it comes back after a wrong one.
                    if await ask(request) { answered.insert(request.identifier) }
                }
                let known = waiting.withLock { Set($0.map(\.identifier)) }
                answered.formIntersection(known)
            }
        } onCancel: {
            listening.cancel()
            tell.finish()
        }
    }

    private func next(_ answered: Set<String>) -> Wire.PickRequest? {
        waiting.withLock { $0.first { !answered.contains($0.identifier) } }
    }

    private func isWaiting(_ request: Wire.PickRequest) -> Bool {
        waiting.withLock { $0.contains { $0.identifier == request.identifier } }
    }

    // MARK: One question

    /// - Returns: whether it was answered; else it has gone from the list.
    private func ask(_ request: Wire.PickRequest) async -> Bool {
        pump?.rest()
        defer { pump?.goOn() }
        // What the program left on the screen may hide what is said.
        say("\u{1B}[0m" + PickConversation.question(request))
        // Typed before the question was there, so no answer to it.
        tcflush(terminal, TCIFLUSH)
        while isWaiting(request), !Task.isCancelled {
            say(PickConversation.prompt(request))
            guard let line = await line(request) else {
                say("\nIt does not wait any more.\n")
                return false
            }
            switch PickConversation.answer(line) {
            case .refuse:
                await refuse(request)
                return true
            case .list(let location): await list(location)
            case .unclear(let message): say(SafeText.escaped(message) + "\n")
            case .location(let location, let readOnly):
                do throws(DocumentsError) {
                    try await grant(request, location, readOnly: readOnly)
                    return true
                } catch { say(ErrorReport.text(error, isVerbose: false)) }
            }
        }
        return false
    }

    private func grant(
        _ request: Wire.PickRequest, _ location: DocumentLocation, readOnly: Bool
    ) async throws(DocumentsError) {
        _ = try await administrator.call(
            AdministrationInterface.AnswerPick.self,
            .init(
                identifier: request.identifier, location: location.wire,
                access: readOnly ? AccessMode.read.rawValue : nil))
    }

    private func refuse(_ request: Wire.PickRequest) async {
        _ = try? await administrator.call(
            AdministrationInterface.AnswerPick.self, .init(identifier: request.identifier))
        say("Refused.\n")
    }

    private func list(_ location: DocumentLocation?) async {
        let picker = DocumentPicker(client: administrator)
        do throws(DocumentsError) {
            guard let location else {
                for provider in try await administrator.providers() {
                    say("  \(SafeText.escaped(provider.identifier)):/\n")
                }
                return
            }
            var count = 0
            for try await item in picker.items(in: location) {
                count += 1
                guard count <= 200 else { return say("  …\n") }
                say("  " + ItemText.name(item) + "\n")
            }
        } catch { say(ErrorReport.text(error, isVerbose: false)) }
    }

    private func say(_ text: String) { try? ContentPump.write(Array(text.utf8), to: terminal) }

    /// One line, waited for on a thread of its own; nil when the request has gone.
    private func line(_ request: Wire.PickRequest) async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.readLine(request)) }
        }
    }

    private func readLine(_ request: Wire.PickRequest) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 1 << 14 {
            guard isWaiting(request) else { return nil }
            var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count != 1 { break }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
