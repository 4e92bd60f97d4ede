import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Synchronization
import Testing
import Varlink

/// Every fault of the provider Faulty, against the real daemon.
///
/// Each fault has its own provider with its own process; some share a daemon, which must serve all others meanwhile.
@Suite(.needs(.daemon, .server, .processor, within: .seconds(1200))) struct FaultySurvivalTests {
    /// Some faults, shown under one daemon at a time.
    struct Batch: Sendable, CustomTestStringConvertible {
        let faults: [ProviderFault]
        var testDescription: String { "\(faults.first?.name ?? "") … \(faults.last?.name ?? "")" }
    }

    // Faults that are adjacent in the table delay the same call; so each batch has some of all.
    private static let batchCount = Sample.parts

    static let batches = Sample.shared.of(
        (0..<batchCount).map { number in
            Batch(faults: ProviderFault.all.enumerated().filter { $0.offset % batchCount == number }.map(\.element))
        })

    /// How long to wait for a fault that occurs only in the daemon's own actions.
    private static let mostSeconds = 240.0

    @Test(
        "law 3: under every fault clients are answered, other clients are served, and everything works afterwards",
        arguments: batches)
    func survives(_ batch: Batch) async throws {
        let copies = Dictionary(
            uniqueKeysWithValues: batch.faults.enumerated().map { ("org.example.Fault\($0)", $1.subject) }
        )
        try await FaultyProviders.with(copies) { providers in
            let daemon = try #require(providers.installation.daemonProcess)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, fault) in batch.faults.enumerated() {
                    group.addTask { try await Self.show(fault, "org.example.Fault\(number)", providers) }
                }
                let end = End()
                let neighbour = Task { try await Self.readBeside(providers, until: end) }
                defer { end.isReached.store(true, ordering: .releasing) }
                try await group.waitForAll()
                end.isReached.store(true, ordering: .releasing)
                #expect(try await neighbour.value > 0)
            }
            #expect(providers.installation.daemonProcess == daemon, "the daemon is still the same")
            let checks = try await providers.client.call(AdministrationInterface.Doctor.self, .init())
                .value.checks
            #expect(!checks.isEmpty)
        }
    }

    /// When all faults were shown.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// Reads a document of another provider repeatedly, and counts the successes.
    private static func readBeside(_ providers: FaultyProviders, until end: End) async throws -> Int {
        var count = 0
        let picker = DocumentPicker(client: providers.client)
        while !end.isReached.load(ordering: .acquiring) {
            let document = try await picker.openDocument(
                at: DocumentLocation(provider: "org.docent.LocalFolder", path: "/well.txt"), access: .read)
            let file = FileHandle(
                fileDescriptor: try await document.openForReading(), closeOnDealloc: true)
            #expect(try file.readToEnd() == Data("well".utf8))
            document.stopAccessing()
            count += 1
            try await Task.sleep(for: .milliseconds(100))
        }
        return count
    }

    private static func show(_ fault: ProviderFault, _ provider: String, _ providers: FaultyProviders)
        async throws
    {
        let plan = FaultyPlan(fault: fault)
        let tour = FaultyTour(providers: providers, provider: provider)
        do {
            try await providers.addDomain(provider, faults: plan.script, settings: plan.settings)
        } catch let error as DocumentsError {
            Issue.record("\(fault): the domain cannot be added: \(error)")
            return
        }
        if let deed = plan.deedAtCut {
            // Its folder is created at the first request.
            _ = try await tour.names(in: "/")
            try tour.storage.others(deed, before: "cut")
        }
        var (answers, report) = await tour.run()
        let ordinary = answers
        if plan.isForAllSteps { answers += await tour.special(for: fault) }
        for answer in answers {
            if let error = answer.error {
                #expect(
                    FailureCode(error.code.rawValue).isKnown && !error.message.isEmpty, "\(fault): \(answer)")
                #expect(
                    error.code != .cancelled && !error.message.hasPrefix(FaultyTour.foreign),
                    "\(fault): \(answer)")
            }
        }
        if let report, !plan.deceivesReaders {
            #expect(
                difference(report, from: FaultyTour.report) == nil,
                "\(fault): what came is not the document")
        }
        var fired = tour.storage.fired.contains(fault.name)
        // Some wait for actions of the daemon, a moment later.
        let end = ContinuousClock.now + .seconds(mostSeconds)
        var round = 0
        while !fired, plan.unseen == nil, .now < end {
            try await Task.sleep(for: .milliseconds(100))
            round += 1
            // Changes count from the daemon's first look, which may have come after everything above.
            if fault.name.hasPrefix("changes."), round % 50 == 0 {
                try tour.storage.others(
                    "change Notes.txt", "delete Letter \(10 + round / 50).txt", "fill Many", before: "changes")
            }
            fired = tour.storage.fired.contains(fault.name)
        }
        #expect(
            fired == (plan.unseen == nil), "\(fault) \(fired ? "struck" : "never struck"): \(answers)")
        do {
            try await providers.mend(provider)
            try await FaultyRecovery(tour: tour, plan: plan, answers: ordinary).check()
        } catch {
            Issue.record("\(fault): after it was over: \(error); before that \(answers)")
        }
    }
}
