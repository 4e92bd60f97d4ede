import CommandConsole
import DocentInterfaces
import Documents
import FoundationEssentials
import TerminalPicker
import Varlink

/// Answers the request of a program with the picker on the terminal.
struct PickAnswering: Sendable {
    /// How long a request may be missing in the list: while its answer is checked, the daemon does not list it.
    private static let grace: Duration = .milliseconds(300)

    private let request: Wire.PickRequest
    private let administrator: DocumentsClient
    private let watch: PickWatch
    private let terms: PickerTerms
    private let name: String?

    /// - Parameters:
    ///   - terms: what is granted unless the person changes it.
    ///   - name: the proposed name for export and move; nil for the program's.
    init(
        _ request: Wire.PickRequest, administrator: DocumentsClient, watch: PickWatch, terms: PickerTerms, name: String?
    ) {
        self.request = request
        self.administrator = administrator
        self.watch = watch
        self.terms = terms
        self.name = name
    }

    /// Asks, and answers the request.
    ///
    /// - Returns: how many other requests wait.
    func run() async throws -> Int {
        let environment = ProcessInfo.processInfo.environment
        let source = DaemonPickerSource(
            client: .administrator(leavesNoTrace: true), mode: request.mode, types: isIntoFolder ? nil : request.types,
            memory: PickerMemory(environment: environment), chooser: "\(request.clientKind):\(request.client)",
            actions: .init(signIn: TerminalChoice.signIn, commit: commit))
        let session = PickerSession(terminal: try TerminalDevice(environment: environment), source: source)
        let following = Task { await follow(session) }
        defer { following.cancel() }
        switch try await session.run(task) {
        case .items, .destination: break
        case .refused:
            _ = try await administrator.call(
                AdministrationInterface.AnswerPick.self, .init(identifier: request.identifier), attempts: 1)
        case .cancelled: throw SilentExit(status: .cancelled)
        case .withdrawn: throw DocumentsError(.cancelled, "The program no longer waits.")
        }
        let left = try? await administrator.call(AdministrationInterface.PickRequests.self, .init()).value.requests
        return left?.count { $0.identifier != request.identifier } ?? 0
    }

    private var isIntoFolder: Bool { request.mode == "export" || request.mode == "move" }

    /// What the person is asked.
    var task: PickerTask {
        let title =
            switch request.mode {
            case "import": "A program asks for a copy of a document"
            case "export": "A program asks where to put a copy of a document"
            case "move": "A program asks where to move a document"
            default: "A program asks for a document"
            }
        var task = PickerTask(title: title, verb: request.mode)
        task.asker = PickerAsker(request)
        task.terms = terms
        task.commits = true
        if isIntoFolder {
            task.destination = PickerTask.Destination(name: name ?? request.name ?? "", size: request.size)
        } else {
            task.types = request.types
            task.choosesFolders = request.types.map { !PickCommand.folderTypes.isDisjoint(with: $0) } ?? false
        }
        return task
    }

    /// The call that answers with a choice; nil if the choice is no answer.
    func answer(_ outcome: PickerOutcome) -> AdministrationInterface.AnswerPick.Parameters? {
        switch outcome {
        case .items(let items, let terms):
            guard let item = items.first else { return nil }
            let isOpened = request.mode == "open"
            return .init(
                identifier: request.identifier, location: item.location.wire,
                access: isOpened && terms.isReadOnly ? AccessMode.read.rawValue : nil, name: nil,
                persist: isOpened && terms.lifetime == .program ? false : nil,
                expires: isOpened ? terms.lifetime.seconds : nil,
                companions: isOpened && terms.hasCompanions ? request.companions : nil)
        case .destination(let folder, let name, _):
            return .init(identifier: request.identifier, location: folder.wire, name: name)
        case .cancelled, .refused, .withdrawn: return nil
        }
    }

    @Sendable
    private func commit(_ outcome: PickerOutcome) async throws(DocumentsError) {
        guard let answer = answer(outcome) else { return }
        _ = try await administrator.call(AdministrationInterface.AnswerPick.self, answer, attempts: 1)
    }

    /// Reports to the picker whether the request still waits, and how many others do.
    private func follow(_ session: PickerSession) async {
        for await requests in watch.lists {
            var isWaiting = requests.contains { $0.identifier == request.identifier }
            if !isWaiting {
                try? await Task.sleep(for: Self.grace)
                let now = try? await administrator.call(AdministrationInterface.PickRequests.self, .init()).value
                isWaiting = now?.requests.contains { $0.identifier == request.identifier } ?? true
            }
            let others = requests.count { $0.identifier != request.identifier }
            session.post(.requests(isWaiting: isWaiting, others: others))
        }
    }
}
