package import DocentInterfaces
import Synchronization

/// The tools of a case: the provider, seeded random choices, a scratch directory, and the findings that it reports.
///
/// Thread-safe: a case may use it from several tasks at once.
package final class CaseContext: Sendable {
    private struct State {
        var session: ProviderSession?
        var random: CaseRandom
        var findings: [Finding] = []
        var steps = 0
        var workFolder: Wire.ProviderItem?
        var notes: [String] = []
        var starts = 0
        var unavailable: String?
        var places = PathIdentifiers()
        var foreignFolder: String?
    }

    /// The case.
    package let testCase: ValidationCase
    /// The settings of the run.
    package let options: ValidationOptions
    /// The provider.
    package let subject: ProviderSubject
    /// The transport to the provider.
    package let transport: any ValidationTransport
    /// A directory for the validator, empty at first, which the provider does not see.
    package let scratch: String
    /// The provider's directory, kept across its restarts.
    package let directory: String
    /// The service behind the provider; nil if nothing can be done to it.
    package let service: TestedService?

    /// ``directory``, opened before the provider starts; nil if that is impossible.
    let folder: ProviderFolder?

    private let tell: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameter tell: receives every step before it starts, so that a failed case shows how far it got.
    init(
        _ testCase: ValidationCase, _ options: ValidationOptions, _ subject: ProviderSubject,
        _ transport: any ValidationTransport, service: TestedService?, scratch: String, directory: String,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.testCase = testCase
        self.options = options
        self.subject = subject
        self.transport = transport
        self.scratch = scratch
        self.directory = directory
        folder = ProviderFolder(path: directory)
        self.service = service
        self.tell = tell
        state = Mutex(State(random: CaseRandom(seed: options.seed, name: testCase.name)))
    }

    /// The domain that cases use.
    package var domain: String { "" }

    /// How long the provider may take to answer or to report progress.
    package var deadline: Duration { .milliseconds(Int(options.callDeadline * 1_000)) }

    // MARK: The provider

    /// The running provider.
    ///
    /// - Throws: ``CaseStop`` when it is not running: a case that stops it must start it again.
    package var session: ProviderSession {
        get throws {
            guard let session = state.withLock({ $0.session }) else {
                throw CallProblem(
                    did: "Using the provider", kind: .own("the case stopped it and did not start it again"))
            }
            return session
        }
    }

    /// The process of the provider, if it has one of its own that can be measured; nil while it is not running.
    var watched: Int32? {
        guard transport.abilities.contains(.measure) else { return nil }
        return state.withLock { $0.session }?.instance.process
    }

    /// What the provider declared.
    package var features: Set<ProviderFeature> { state.withLock { $0.session }?.features ?? [] }

    /// Whether it declared a feature.
    package func has(_ feature: ProviderFeature) -> Bool { features.contains(feature) }

    /// Starts the provider, initializes it with its domain, and signs in if there is a credential.
    ///
    /// - Parameter initializing: false: only starts it.
    /// - Throws: ``CallProblem``.
    package func start(initializing: Bool = true) async throws {
        let session = try await open()
        state.withLock { $0.session = session }
        guard initializing else { return }
        try await session.initialize(introduction())
        try await signIn(session)
    }

    /// Starts another instance in a separate process, without `Initialize`. The caller stops it with
    /// `session.instance.stop`.
    ///
    /// - Parameter directory: its directory; by default that of the case.
    package func open(in directory: String? = nil) async throws -> ProviderSession {
        let count = state.withLock { state in
            state.starts += 1
            return state.starts
        }
        step(count == 1 ? "Starting the provider" : "Starting the provider again (\(count))")
        do {
            let instance = try await transport.start(subject, in: directory ?? self.directory)
            if directory == nil { service?.tell(serviceVariables(instance)) }
            return try ProviderSession(instance, deadline: deadline)
        } catch let problem as CallProblem {
            throw problem
        } catch {
            throw CallProblem(
                did: "Starting the provider", kind: .ended("it could not be started: " + PlainText.words(of: error)))
        }
    }

    /// The parameters of `Initialize` for some domains; by default that of the case.
    package func introduction(
        domains: [String] = [""], session: ProviderSession? = nil
    ) throws -> FileProviderInterface.Initialize.Parameters {
        let session = try session ?? self.session
        // The host creates the storage of a domain before it announces the domain.
        for domain in domains where !domain.isEmpty {
            guard try storage(of: session).makeFolder(domain) else {
                throw CallProblem(
                    did: "Creating the storage of the domain \(PlainText.quoted(domain))",
                    kind: .brokenProtocol("something else has taken its place in the storage"))
            }
        }
        let settings = subject.settings(inHome: directory + "/home")
        return .init(
            version: 1, provider: subject.identifier, point: "com.apple.fileprovider-nonui",
            principalClass: subject.principalClass, displayName: subject.displayName,
            domains: domains.map {
                Wire.ProviderDomain(
                    identifier: $0, displayName: subject.displayName, folder: subject.folder,
                    storage: $0.isEmpty ? session.instance.storage : session.instance.storage + "/" + $0,
                    settings: settings.isEmpty ? nil : settings)
            })
    }

    /// Signs in with the credential of the run, if there is one.
    package func signIn(_ session: ProviderSession) async throws {
        // A daemon has it already: its user entered it with the domain.
        guard let credential = subject.credential, transport.abilities.contains(.direct) else { return }
        _ = try await session.call(
            FileProviderInterface.SignIn.self,
            .init(domain: domain, kind: credential.kind, username: credential.username, secret: credential.secret),
            did: "SignIn with the credential of the run")
    }

    /// Ends the provider.
    ///
    /// - Returns: how its process ended; nil when it had to be killed.
    @discardableResult
    package func stop(kill: Bool = false) async -> String? {
        let session = state.withLock { state in
            defer { state.session = nil }
            return state.session
        }
        guard let session else { return "was not running" }
        if !kill { session.close() }
        let end = await session.instance.stop(kill: kill)
        session.close()
        return end
    }

    /// Ends the provider and starts a new instance on the same storage.
    ///
    /// - Throws: ``CaseStop/skipped(_:)`` if the transport cannot do this.
    package func restart(kill: Bool = false) async throws {
        let needed: TransportAbilities = kill ? .kill : .restart
        if let reason = transport.abilities.reason(lacking: needed, transport: transport.name) {
            throw CaseStop.skipped(reason)
        }
        step(kill ? "Killing the provider" : "Ending the provider")
        if await stop(kill: kill) == nil {
            report(
                did: "Closing the connection, on which the provider must end",
                expected: "the end of its process within some seconds", got: "a process that continued",
                requirement: .deadlines)
        }
        try await start()
    }

    // MARK: Identifiers

    /// The provider's identifier for the name that the case uses.
    package func real(_ name: String) -> String {
        options.identifiersArePaths ? state.withLock { $0.places.identifier(of: name) } : name
    }

    /// An item with the identifiers that the case uses for it and its folder.
    func told(_ item: Wire.ProviderItem) -> Wire.ProviderItem {
        guard options.identifiersArePaths else { return item }
        var result = item
        state.withLock { state in
            result.identifier = state.places.name(of: item.identifier)
            result.parent = state.places.name(of: item.parent)
        }
        return result
    }

    /// Records that a move gave an item another identifier.
    func noteMove(_ name: String, from old: String, to new: String) {
        guard options.identifiersArePaths else { return }
        state.withLock { $0.places.move(name, from: old, to: new) }
    }

    // MARK: Choices

    /// Uses the random numbers of the case.
    package func random<Result: Sendable>(_ body: (inout CaseRandom) -> Result) -> Result {
        state.withLock { body(&$0.random) }
    }

    /// `count` random bytes.
    package func randomBytes(_ count: Int) -> [UInt8] { random { $0.bytes(count) } }

    /// A unique name.
    package func freshName(_ prefix: String = "item") -> String { prefix + "-" + random { $0.word(10) } }

    // MARK: What happens

    /// Reports the next step.
    package func step(_ text: String) { tell(PlainText.escaped(text, limit: 400)) }

    /// Adds a remark to the report that is not a finding.
    package func note(_ text: String) {
        state.withLock { if $0.notes.count < 20 { $0.notes.append(PlainText.escaped(text, limit: 1_000)) } }
    }

    /// The remarks.
    var notes: [String] { state.withLock { $0.notes } }

    /// The findings.
    package var findings: [Finding] { state.withLock { $0.findings } }

    /// Reports a misbehaviour. The case continues.
    ///
    /// - Parameter requirement: by default the requirements of the case.
    package func report(did: String, expected: String, got: String, requirement: ProviderRequirement? = nil) {
        let requirements = requirement.map { [$0] } ?? testCase.mainRequirements
        let finding = Finding(
            did: did, expected: expected, got: got, requirement: ProviderRequirement.text(of: requirements))
        state.withLock { if $0.findings.count < Self.maximumFindings { $0.findings.append(finding.bounded) } }
    }

    /// Reports a misbehaviour unless the condition is true.
    ///
    /// - Returns: whether it is.
    @discardableResult
    package func expect(
        _ condition: Bool, did: String, expected: String, got: @autoclosure () -> String,
        requirement: ProviderRequirement? = nil
    ) -> Bool {
        if !condition { report(did: did, expected: expected, got: got(), requirement: requirement) }
        return condition
    }

    /// Reports a misbehaviour unless the condition is true, and ends the case in that event.
    package func require(
        _ condition: Bool, did: String, expected: String, got: @autoclosure () -> String,
        requirement: ProviderRequirement? = nil
    ) throws {
        guard expect(condition, did: did, expected: expected, got: got(), requirement: requirement) else {
            throw CaseStop.reported
        }
    }

    /// Reports a failed call and continues. A call that the transport cannot carry is not a finding: the case counts as
    /// skipped.
    package func report(_ problem: CallProblem, expected: String, requirement: ProviderRequirement? = nil) {
        if case .notAvailable(let reason) = problem.kind {
            return state.withLock { $0.unavailable = $0.unavailable ?? reason }
        }
        report(did: problem.did, expected: expected, got: problem.got, requirement: requirement)
    }

    /// Why something could not be tried with this transport; nil if everything could.
    var unavailable: String? { state.withLock { $0.unavailable } }

    /// Ends the case because it does not apply.
    package func skip(_ reason: String) throws -> Never { throw CaseStop.skipped(reason) }

    /// Expects a call to be refused with one of these codes. Anything else is reported.
    ///
    /// - Returns: the error; nil when something was reported.
    /// - Throws: ``CallProblem`` when the transport cannot carry the call, or the validator itself has a problem.
    @discardableResult
    package func expectRefusal<Value>(
        _ codes: [FailureCode], did: String, requirement: ProviderRequirement? = nil, _ call: () async throws -> Value
    ) async throws -> Failure? {
        let expected =
            codes == FailureCode.ofProviders
            ? "an error of the interface" : "the error " + codes.map(\.rawValue).joined(separator: " or ")
        do {
            let value = try await call()
            report(did: did, expected: expected, got: "success: " + Self.text(of: value), requirement: requirement)
            return nil
        } catch let problem as CallProblem {
            switch problem.kind {
            case .notAvailable, .own, .cancelled: throw problem
            default: break
            }
            if let failure = problem.failure, codes.contains(failure.code) { return failure }
            report(did: did, expected: expected, got: problem.got, requirement: requirement)
            return nil
        }
    }

    /// The folder of the case, created in the work folder of the run on first use and removed at the end.
    ///
    /// - Throws: ``CallProblem`` when it cannot be created.
    package func workFolder() async throws -> Wire.ProviderItem {
        if let folder = state.withLock({ $0.workFolder }) { return folder }
        let name = WorkFolderName.make(random { $0.word(8) })
        let folder = try await makeFolder(name, in: options.workFolder ?? Self.root)
        state.withLock { $0.workFolder = folder }
        return folder
    }

    /// The folder of the case, if it was created.
    var madeWorkFolder: Wire.ProviderItem? { state.withLock { $0.workFolder } }

    /// The name of the folder that others create for the case if the provider cannot create one.
    func foreignFolderName() -> String {
        let name = WorkFolderName.make(random { $0.word(8) })
        state.withLock { $0.foreignFolder = name }
        return name
    }

    /// The name of the case's folder in the top folder.
    var ownFolderName: String? { state.withLock { $0.workFolder?.name ?? $0.foreignFolder } }

    /// The identifier of the top folder.
    package static let root = ".root"

    private static let maximumFindings = 100

    private static func text<Value>(of value: Value) -> String {
        switch value {
        case let item as Wire.ProviderItem: PlainText.item(item)
        case let item as Wire.ProviderItem?: item.map(PlainText.item) ?? "without an item"
        case let bytes as [UInt8]: "\(bytes.count) bytes"
        case let count as Int: "\(count) items"
        case let fetched as (bytes: [UInt8], reply: FileProviderInterface.Fetch.Reply): "\(fetched.bytes.count) bytes"
        case let reply as FileProviderInterface.Fetch.Reply: "\(reply.completedBytes) bytes"
        case let page as FileProviderInterface.Children.Reply: "a page with " + PlainText.names(page.items.map(\.name))
        case let news as FileProviderInterface.Changes.Reply:
            "\(news.changed.count) changed, \(news.deleted.count) deleted, the anchor "
                + PlainText.quoted(news.anchor, limit: 60)
        case let changed as (item: Wire.ProviderItem, conflict: String?):
            PlainText.item(changed.item) + (changed.conflict.map { ", conflict " + PlainText.quoted($0) } ?? "")
        case let text as String: PlainText.quoted(text)
        default: "an answer without an error"
        }
    }
}
