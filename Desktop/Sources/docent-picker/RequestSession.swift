import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import PickerDialog
import TerminalPicker

/// Shows the requests of programs, one after the other. Programs can ask as long as it runs.
@MainActor
final class RequestSession {
    /// How long a request may be missing in the list: while its answer is checked, the daemon does not list it.
    private static let grace: Duration = .milliseconds(300)

    private let client: DocumentsClient
    /// Where the lists of a window come from.
    private let source: @MainActor (DialogRequest) -> WindowSource
    private let failed: @MainActor (DocumentsError) -> Never
    private var window: PickerWindow?
    private var current: Wire.PickRequest?
    private var waiting: [Wire.PickRequest] = []

    init(
        _ client: DocumentsClient, source: @escaping @MainActor (DialogRequest) -> WindowSource,
        failed: @escaping @MainActor (DocumentsError) -> Never
    ) {
        self.client = client
        self.source = source
        self.failed = failed
    }

    /// Listens until the daemon ends.
    func run() async {
        do {
            _ = try await client.follow(AdministrationInterface.PickRequests.self, .init(), attempts: 1) { reply in
                let requests = reply.requests
                Task { @MainActor in await self.update(requests) }
            }
            failed(DocumentsError(.unavailable, "The daemon reports no more requests."))
        } catch { failed((error as? DocumentsError) ?? DocumentsError(.unavailable, "The daemon has gone.")) }
    }

    private func update(_ requests: [Wire.PickRequest]) async {
        waiting = requests
        guard let current else { return showNext() }
        window?.showOthers(requests.count { $0.identifier != current.identifier })
        guard !requests.contains(where: { $0.identifier == current.identifier }) else { return }
        try? await Task.sleep(for: Self.grace)
        // Meanwhile it may be listed again, or its answer is being passed on.
        guard self.current?.identifier == current.identifier, window?.model.work?.kind != .committing,
            !waiting.contains(where: { $0.identifier == current.identifier })
        else { return }
        window?.withdraw()
    }

    private func showNext() {
        guard current == nil else { return }
        let oldest = waiting.filter { DialogRequest($0) != nil }.min { $0.since < $1.since }
        guard let oldest, let request = DialogRequest(oldest) else { return }
        current = oldest
        var model = WindowModel(request, asker: PickerAsker(oldest))
        model.others = waiting.count - 1
        let window = PickerWindow(
            model, source: source(request),
            commit: { [client] answer, terms throws(DocumentsError) in
                guard let parameters = request.answer(answer, to: oldest, terms) else { return [] }
                _ = try await client.call(AdministrationInterface.AnswerPick.self, parameters, attempts: 1)
                return []
            },
            finished: { [weak self] answer in self?.finished(oldest, isAnswered: answer != nil) })
        self.window = window
        window.show()
    }

    private func finished(_ request: Wire.PickRequest, isAnswered: Bool) {
        let isWaiting = waiting.contains { $0.identifier == request.identifier }
        waiting.removeAll { $0.identifier == request.identifier }
        Task {
            if !isAnswered, isWaiting {
                // The person refuses. If that fails, the program no longer waits.
                _ = try? await client.call(
                    AdministrationInterface.AnswerPick.self, .init(identifier: request.identifier), attempts: 1)
            }
            window = nil
            current = nil
            showNext()
        }
    }
}
