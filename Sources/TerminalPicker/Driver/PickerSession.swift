import CommandConsole
import Dispatch
import Documents

/// One picker on the terminal, from the first frame to the choice.
///
/// This is the only part that touches the terminal. What a key means is decided by ``PickerState``, and what is shown
/// by ``PickerDrawing`` and ``LineText``.
package final class PickerSession: Sendable {
    private let terminal: TerminalDevice
    private let input: TerminalInput
    private let source: any PickerSource
    private let mailbox = PickerMailbox()
    private let jobs: PickerJobs
    /// Whatever blocks: the terminal may be slow.
    private let queue = DispatchQueue(label: "org.docent.picker")

    package init(terminal: TerminalDevice, source: any PickerSource) {
        self.terminal = terminal
        self.source = source
        input = TerminalInput(terminal)
        jobs = PickerJobs(source: source) { [mailbox] in mailbox.post($0) }
    }

    /// Reports something from outside to the picker.
    package func post(_ event: PickerEvent) { mailbox.post(event) }

    /// Shows the picker until a choice is made. Cancelling the task ends it. The terminal is left as it was.
    package func run(_ task: PickerTask) async throws -> PickerOutcome {
        let isDrawn = terminal.kind == .drawing
        var task = task
        if task.start == nil { task.start = await blocking { [source] in source.start() } }
        var state = PickerState(task: task, size: terminal.size, showsPreview: isDrawn)
        var canvas = Canvas()
        await take()
        mailbox.post(.began)
        let outcome = await withTaskCancellationHandler {
            await loop(&state, &canvas)
        } onCancel: {
            mailbox.finish()
        }
        jobs.cancelAll()
        await input.stop()
        await blocking { [terminal] in
            TerminalSignals.remove()
            terminal.leave()
        }
        guard let outcome else { throw CancellationError() }
        return outcome
    }

    /// What is shown now.
    private struct Canvas: Sendable {
        var frame = FrameText()
        /// The last thing that was written line by line.
        var lines: String?
    }

    /// - Returns: nil if the task was cancelled.
    private func loop(_ state: inout PickerState, _ canvas: inout Canvas) async -> PickerOutcome? {
        for await _ in mailbox.arrivals {
            for event in mailbox.take() {
                if case .line = event { canvas.lines = nil }
                for effect in state.handle(event) {
                    if case .finish(let outcome) = effect { return outcome }
                    await perform(effect, &canvas)
                }
            }
            await draw(state, &canvas)
        }
        return nil
    }

    private func perform(_ effect: PickerEffect, _ canvas: inout Canvas) async {
        switch effect {
        case .redraw: canvas.frame.forget()
        case .suspend: await suspend(&canvas)
        case .signIn(let provider, let domain): await signIn(provider, domain, &canvas)
        case .remember(let folder): await blocking { [source] in source.remember(folder) }
        default: jobs.perform(effect)
        }
    }

    private func draw(_ state: PickerState, _ canvas: inout Canvas) async {
        let text: String
        switch terminal.kind {
        case .drawing: text = canvas.frame.text(PickerDrawing(state).frame(), columns: state.size.columns)
        case .lines:
            let lines = LineText(state)
            if lines.isWaiting {
                guard case .work(let work) = state.panel else { return }
                text = SafeText.escaped(work.text) + "…\n"
            } else {
                text = lines.text
            }
            // Pages that arrive later do not repeat the list.
            let key = lines.isWaiting ? text : "\(state.listing.serial) \(state.panel)"
            guard canvas.lines != key else { return }
            canvas.lines = key
        }
        await blocking { [terminal] in terminal.write(text) }
    }

    // MARK: The terminal

    private func take() async {
        await blocking { [terminal] in
            terminal.enter()
            TerminalSignals.install()
        }
        input.start { [mailbox, terminal] received in
            switch received {
            case .key(let key): mailbox.post(.key(key))
            case .line(let line): mailbox.post(.line(line))
            case .resized: mailbox.post(.resized(terminal.size))
            case .stopped: mailbox.post(.key(.control("z")))
            case .continued:
                // Another program may have changed the terminal meanwhile.
                terminal.enter()
                mailbox.post(.resized(terminal.size))
            case .ended: mailbox.post(.ended)
            }
        }
    }

    private func suspend(_ canvas: inout Canvas) async {
        await input.stop()
        await blocking { [terminal] in
            terminal.leave()
            TerminalSignals.suspend()
        }
        await take()
        canvas = Canvas()
        mailbox.post(.resized(terminal.size))
    }

    /// Signs in with the terminal as it was before.
    private func signIn(_ provider: String, _ domain: String, _ canvas: inout Canvas) async {
        await input.stop()
        await blocking { [terminal] in
            TerminalSignals.remove()
            terminal.leave()
        }
        var failure: DocumentsError?
        do {
            try await source.signIn(provider: provider, domain: domain)
        } catch {
            failure = error as? DocumentsError ?? DocumentsError(.cancelled, "You did not sign in.")
        }
        canvas = Canvas()
        await take()
        mailbox.post(.resized(terminal.size))
        mailbox.post(.signedIn(failure))
    }

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) } }
    }
}
