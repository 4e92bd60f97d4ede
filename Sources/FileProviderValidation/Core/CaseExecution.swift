import DocentInterfaces
import Foundation
import Synchronization

/// Runs one case in this process, with a time limit.
package struct CaseExecution: Sendable {
    private let options: ValidationOptions
    private let subject: ProviderSubject
    private let transport: any ValidationTransport
    private let service: TestedService?
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - options: the settings of the run.
    ///   - subject: the provider.
    ///   - transport: the transport to it.
    ///   - service: the service behind it; nil if nothing can be done to that.
    ///   - tell: receives every step.
    package init(
        _ options: ValidationOptions, _ subject: ProviderSubject, _ transport: any ValidationTransport,
        service: TestedService? = nil, tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.options = options
        self.subject = subject
        self.transport = transport
        self.service = service
        self.tell = tell
    }

    /// Runs a case. Never throws and never takes much longer than the limit: a provider that hangs or hangs up is a
    /// result.
    package func run(_ testCase: ValidationCase) async -> CaseResult {
        if let reason = options.ignoredReason(testCase.name) { return Self.skipped(testCase, "known: " + reason) }
        if let reason = transport.abilities.reason(lacking: testCase.abilities, transport: transport.name) {
            return Self.skipped(testCase, reason)
        }
        if let remedy = (service?.abilities ?? []).remedy(lacking: testCase.service) {
            return Self.notTried(testCase, remedy)
        }
        let clock = ContinuousClock()
        let begin = clock.now
        var result = await limited(testCase)
        result.seconds = (clock.now - begin) / .seconds(1)
        return result
    }

    private func limited(_ testCase: ValidationCase) async -> CaseResult {
        let last = LastStep()
        let tell = tell
        let run = RunningCase { text in
            last.note(text)
            tell(text)
        }
        let limit = options.caseLimit * Double(testCase.patience)
        let copy = self
        return await withCheckedContinuation { continuation in
            let once = Once(continuation)
            let work = Task { once.resume(await copy.perform(testCase, run)) }
            Task {
                // Not cancelled early: a case that is done has resumed already.
                try? await Task.sleep(for: .seconds(limit))
                // The work is cancelled below; steps that it reports because of that are not its last step.
                guard let continuation = once.take() else { return }
                let lastStep = last.text
                work.cancel()
                await run.abandon()
                var result = CaseResult(testCase, .timedOut)
                result.findings = run.findings
                result.reason = "it did not end within \(CallProblem.seconds(limit))"
                result.lastStep = lastStep
                continuation.resume(returning: result)
            }
        }
    }

    private func perform(_ testCase: ValidationCase, _ run: RunningCase) async -> CaseResult {
        let place: ScratchPlace
        do {
            place = try ScratchPlace()
        } catch {
            var result = CaseResult(testCase, .crashed)
            result.reason = "the validator cannot make a scratch directory: " + PlainText.words(of: error)
            return result
        }
        let result = await perform(testCase, run, in: place)
        try? await Blocking.run { place.remove() }
        return result
    }

    private func perform(_ testCase: ValidationCase, _ run: RunningCase, in place: ScratchPlace) async -> CaseResult {
        let context = CaseContext(
            testCase, options, subject, transport, service: service, scratch: place.scratch, directory: place.provider,
            tell: run.tell)
        run.begin(context)
        let watch = ProviderWatch(context)
        defer { watch.end() }
        var result = CaseResult(testCase, .passed)
        do {
            try await context.start(initializing: !testCase.abilities.contains(.lifeCycle))
            let missing = testCase.needs.subtracting(context.features)
            if !testCase.abilities.contains(.lifeCycle), !missing.isEmpty {
                let reason = "the provider does not declare " + missing.sorted().map(\.rawValue).joined(separator: ", ")
                throw CaseStop.skipped(
                    transport.abilities.contains(.direct) ? reason : reason + ", or clients of a daemon do not see it")
            }
            try await testCase.body(context)
            if let reason = context.unavailable { throw CaseStop.skipped(reason) }
        } catch CaseStop.skipped(let reason) {
            result.outcome = .skipped
            result.reason = reason
        } catch CaseStop.notTried(let remedy) {
            result.outcome = .notTried
            result.reason = remedy
        } catch CaseStop.reported {
            // The finding has been recorded in the context.
        } catch let problem as CallProblem {
            if case .notAvailable(let reason) = problem.kind {
                result.outcome = .skipped
                result.reason = reason
            } else {
                context.report(problem, expected: "an answer without an error, so that the case can continue")
            }
        } catch {
            context.report(
                did: "Running the case", expected: "no error of the validator itself",
                got: PlainText.words(of: error))
        }
        await tidy(context)
        result.findings = context.findings
        result.notes = context.notes
        if !result.findings.isEmpty { result.outcome = .failed }
        return result
    }

    private func tidy(_ context: CaseContext) async {
        if let folder = context.madeWorkFolder {
            do {
                try await remove(folder.identifier, context)
            } catch {
                context.note(
                    "The folder \(PlainText.quoted(folder.name)) could not be removed: " + PlainText.words(of: error))
            }
        }
        context.step("Ending the provider")
        await context.stop()
    }

    /// Removes the folder of a case, with a new process if the case ended the previous one.
    private func remove(_ identifier: String, _ context: CaseContext) async throws {
        do {
            guard context.has(.delete) else { throw CallProblem(did: "Removing the folder", kind: .own("not yet")) }
            try await context.whileBusy { try await context.delete(identifier, recursive: true) }
        } catch {
            await context.stop(kill: true)
            try await context.start()
            guard context.has(.delete) else { return }
            try await removePatiently(identifier, context)
        }
    }

    // The last request of a killed process may still reach the server and change the folder that is being removed.
    private func removePatiently(_ identifier: String, _ context: CaseContext) async throws {
        for pause in [0.5, 1, 2, 4] {
            do {
                return try await context.whileBusy { try await context.delete(identifier, recursive: true) }
            } catch let problem as CallProblem {
                guard let code = problem.failure?.code, [.serverUnreachable, .notPermitted, .failed].contains(code)
                else { throw problem }
                try await Task.sleep(for: .seconds(pause))
            }
        }
        try await context.delete(identifier, recursive: true)
    }

    private static func notTried(_ testCase: ValidationCase, _ remedy: String) -> CaseResult {
        var result = CaseResult(testCase, .notTried)
        result.reason = remedy
        return result
    }

    private static func skipped(_ testCase: ValidationCase, _ reason: String) -> CaseResult {
        var result = CaseResult(testCase, .skipped)
        result.reason = reason
        return result
    }
}

/// The running case, for the code that gives up on it.
private final class RunningCase: Sendable {
    let tell: @Sendable (String) -> Void
    private let context = Mutex<CaseContext?>(nil)

    init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    func begin(_ context: CaseContext) { self.context.withLock { $0 = context } }

    var findings: [Finding] { context.withLock { $0 }?.findings ?? [] }

    /// Ends the provider, so that everything that waits for it fails.
    func abandon() async { _ = await context.withLock { $0 }?.stop(kill: true) }
}

private final class LastStep: Sendable {
    private let state = Mutex<String?>(nil)

    func note(_ text: String) { state.withLock { $0 = text } }

    var text: String? { state.withLock { $0 } }
}

/// Resumes a continuation once; later results are dropped.
private final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<CaseResult, Never>?>

    init(_ continuation: CheckedContinuation<CaseResult, Never>) { self.continuation = Mutex(continuation) }

    func resume(_ result: CaseResult) { take()?.resume(returning: result) }

    /// The continuation, only for the first caller, which must resume it.
    func take() -> CheckedContinuation<CaseResult, Never>? {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
    }
}
