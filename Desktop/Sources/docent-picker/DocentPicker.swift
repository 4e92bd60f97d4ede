import CGTK
import CommandConsole
import Dispatch
import Documents
import FoundationEssentials
import Glibc
import PickerDialog
import TerminalPicker

/// Asks a person for documents, a folder or a place to save, in a window: a request on standard input, an answer on
/// standard output (docs/picker.md).
@main
struct DocentPicker {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let listens = arguments.elementsEqual(["--requests"])
        // For docent-portal: a request is a line, reports follow it, and their end ends the window.
        let isDialog = arguments.elementsEqual(["--dialog"])
        var request = DialogRequest(mode: .open)
        if !listens {
            guard arguments.isEmpty || isDialog else {
                fail(.usage, "usage: docent-picker < REQUEST, or docent-picker --requests")
            }
            do throws(DocumentsError) {
                request =
                    isDialog
                    ? try DialogRequest(json: DialogInput.first(), most: DialogRequest.longestDialog)
                    : try DialogRequest(json: input())
                // Only its end says that nobody waits any more.
                if !isDialog { request.files = nil }
            } catch { fail(.usage, error.message) }
        }
        guard gtk_init_check() != 0 else { fail(.unavailable, "There is no display.") }
        adw_init()
        // MainActor runs on the main queue of Dispatch, whose events GLib waits for here.
        g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { descriptor, _, _ in
                var count: UInt64 = 0
                // Unread, the descriptor stays ready.
                _ = read(descriptor, &count, 8)
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
        MainActor.assumeIsolated { [request] in
            if listens {
                listen()
            } else if isDialog {
                show(request, client)
            } else {
                PickerWindow(WindowModel(request), source: source(request, client)) { end($0) }.show()
            }
        }
        let loop = g_main_loop_new(nil, 0)
        g_main_loop_run(loop)
    }

    /// Answers the requests of programs.
    @MainActor
    private static func listen() {
        let client = client
        let session = RequestSession(client, source: { source($0, client) }) { error in
            fail(ExitStatus(error.code), error.message)
        }
        Task { await session.run() }
    }

    /// Shows a file dialog.
    @MainActor
    private static func show(_ request: DialogRequest, _ client: DocumentsClient) {
        let source = source(request, client)
        var model = WindowModel(request)
        model.home = source.home
        let window = PickerWindow(
            model, source: source,
            commit: { answer, _ throws(DocumentsError) in
                try await ChosenPaths(request, source).paths(answer)
            }
        ) { end($0) }
        window.show()
        DialogInput.follow(
            { window.showOthers($0.others) },
            ended: {
                window.withdraw()
                end(nil)
            })
    }

    private static var client: DocumentsClient { DocumentsClient(.init(clientIdentifier: "org.docent.picker")) }

    private static func source(_ request: DialogRequest, _ client: DocumentsClient) -> WindowSource {
        let environment = ProcessInfo.processInfo.environment
        let daemon = DaemonPickerSource(
            client: client,
            mode: request.providerMode, types: request.choosesName ? nil : request.types,
            memory: PickerMemory(environment: environment),
            chooser: (request.files == nil ? "window:" : "files:") + (request.program ?? ""),
            actions: .init(signIn: { _, _ in throw DocumentsError(.notSupported, "The window signs nobody in.") }))
        return WindowSource(
            daemon, files: request.files == nil ? nil : LocalFiles(home: environment["HOME"] ?? "/"))
    }

    private static func end(_ answer: DialogAnswer?) -> Never {
        // At once: what GTK, threads and the screen reader's bus do at a regular end could let the caller wait.
        guard let answer, let json = try? answer.json() else { _exit(ExitStatus.cancelled.rawValue) }
        do { try StandardOutput.write(String(decoding: json, as: UTF8.self) + "\n") } catch {
            _exit(ExitStatus.failed.rawValue)
        }
        _exit(ExitStatus.done.rawValue)
    }

    /// All of standard input, and one byte more than a request may have at most.
    private static func input() -> Data {
        var data = Data()
        var bytes = [UInt8](repeating: 0, count: 4096)
        while data.count <= DialogRequest.longest {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            data += bytes.prefix(count)
        }
        return data
    }

    private static func fail(_ status: ExitStatus, _ message: String) -> Never {
        StandardError.write("docent-picker: \(SafeText.escaped(message))\n")
        exit(status.rawValue)
    }
}
