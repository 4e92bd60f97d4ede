import CommandConsole
import Dispatch
import DocentInterfaces
import Documents
import Glibc
import Synchronization
import Varlink

/// Asks on the terminal of `docent run` when a program in the sandbox requests a document.
final class PickPrompt: Sendable {
    private let client: String
    private let administrator: DocumentsClient
    private let terminal: CInt
    private let pump: TerminalPump?
    private let screen: QuestionTerminal
    private let waiting = Mutex<[Wire.PickRequest]>([])
    private let listens = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let queue = DispatchQueue(label: "org.docent.picks")

    /// nil if there is no terminal, or if it belongs to another job.
    init?(client: String, administrator: DocumentsClient, pump: TerminalPump?, kind: QuestionScreen.Kind) {
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
        // A program without a terminal has changed nothing on the user's.
        screen = QuestionTerminal(terminal, kind: pump == nil ? .plain : kind)
    }

    deinit { close(terminal) }

    /// Returns when the daemon knows that someone can be asked, or cannot be reached. Call it once.
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
                    // While an answer is checked, the request is not in the list. It comes back if the answer was
                    // wrong.
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

    // The list of an earlier moment may arrive after the answer to a call, and lacks the request whose answer was being
    // checked. Only the daemon knows.
    private func isStillWaiting(_ request: Wire.PickRequest) async -> Bool {
        if isWaiting(request) { return true }
        let parameters = AdministrationInterface.PickRequests.Parameters(client: client, clientKind: "run")
        let now = try? await administrator.call(AdministrationInterface.PickRequests.self, parameters).value.requests
        return now?.contains { $0.identifier == request.identifier } ?? false
    }

    // MARK: One question

    /// - Returns: whether the request was answered; if not, it is no longer in the list.
    private func ask(_ request: Wire.PickRequest) async -> Bool {
        pump?.rest()
        let tracker = pump?.tracker ?? TerminalTracker()
        let question = PickConversation.question(request, in: TerminalText.current(terminal))
        await blocking { self.screen.open(question, tracker, self.pump?.original) { self.isWaiting(request) } }
        defer {
            screen.close(tracker)
            pump?.goOn()
        }
        while await isStillWaiting(request), !Task.isCancelled {
            say(PickConversation.prompt(request))
            switch await typed(request) {
            case .noneWanted:
                say("\nThe program no longer waits.\n")
                return false
            case .end:
                await refuse(request)
                return true
            case .tooLong: say("That is too long.\n")
            case .line(let line):
                switch PickConversation.answer(line) {
                case .refuse:
                    await refuse(request)
                    return true
                case .list(let location):
                    await list(location)
                    // The list may have pushed it off the screen.
                    show(PickConversation.identity(request, in: TerminalText.current(terminal)))
                case .unclear(let message): tell(message)
                case .location(let location, let readOnly):
                    do throws(DocumentsError) {
                        try await grant(request, location, readOnly: readOnly)
                        return true
                    } catch { tell(ErrorReport.text(error, isVerbose: false)) }
                }
            }
        }
        return false
    }

    private func typed(_ request: Wire.PickRequest) async -> QuestionTerminal.Typed {
        while true {
            let typed = await blocking { self.screen.line { self.isWaiting(request) } }
            guard typed == .noneWanted, !Task.isCancelled, await isStillWaiting(request) else { return typed }
            // The present list will arrive.
            try? await Task.sleep(for: .milliseconds(50))
        }
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
        let size = TerminalText.current(terminal)
        do throws(DocumentsError) {
            guard let location else {
                let domains = try await administrator.call(
                    AdministrationInterface.ListDomains.self, .init(provider: nil)
                ).value.domains
                for provider in try await administrator.providers() {
                    let own = domains.filter { $0.provider == provider.identifier }
                    for account in PickConversation.accounts(of: provider.identifier, own) {
                        show([size.line("  ", account, ":/")])
                    }
                }
                return
            }
            var count = 0
            for try await item in picker.items(in: location) {
                count += 1
                guard count <= 200 else { return say("  …\n") }
                show([size.line("  ", item.name, item.isFolder ? "/" : "")])
            }
        } catch { tell(ErrorReport.text(error, isVerbose: false)) }
    }

    private func say(_ text: String) { screen.write(text) }

    private func show(_ lines: [String]) { say(lines.map { $0 + "\n" }.joined()) }

    /// Shows a text that may quote others.
    private func tell(_ text: String) {
        show(TerminalText.current(terminal).lines(text.hasSuffix("\n") ? String(text.dropLast()) : text))
    }

    /// Waits on a separate thread.
    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) } }
    }
}
