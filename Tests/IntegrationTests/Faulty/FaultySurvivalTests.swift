import DocentInterfaces
import Documents
import Faulty
import Foundation
import Synchronization
import Testing
import Varlink

/// Every misbehaviour of the provider Faulty, against the real daemon (issue 7, point 4).
///
/// Each fault has a provider of its own with a process of its own; some share a daemon, which must serve all others meanwhile.
@Suite struct FaultySurvivalTests {
    /// Some faults, shown under one daemon at a time.
    struct Batch: Sendable, CustomTestStringConvertible {
        let faults: [ProviderFault]
        var testDescription: String { "\(faults.first?.name ?? "") … \(faults.last?.name ?? "")" }
    }

    private static let batchSize = 16

    static let batches = stride(from: 0, to: ProviderFault.all.count, by: batchSize).map {
        Batch(faults: Array(ProviderFault.all[$0..<min($0 + batchSize, ProviderFault.all.count)]))
    }

    /// No answer takes longer, whatever a provider with a deadline of two seconds does: some ask it several times.
    private static let mostSeconds = 60.0

    /// Of other content under the very description of the document nobody can tell without a digest of the service's.
    static let untellable: Set<String> = [
        "fetch.wrongBytes", "fetch.hole", "fetch.stale", "fetch.mixed", "open.otherFile", "open.short",
    ]

    @Test(
        "7.4, law 3: with every fault clients are answered, the others are served, and all is well when it is over",
        arguments: batches)
    func survives(_ batch: Batch) async throws {
        let copies = Dictionary(
            uniqueKeysWithValues: batch.faults.enumerated().map { ("org.example.Fault\($0)", $1.subject) })
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
            #expect(providers.installation.daemonProcess == daemon, "the daemon is the one that it was")
            let checks = try await providers.client.call(AdministrationInterface.Doctor.self, .init()).value.checks
            #expect(!checks.isEmpty)
        }
    }

    /// When all faults were shown.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// Reads a document of another provider over and over; how often it was there.
    private static func readBeside(_ providers: FaultyProviders, until end: End) async throws -> Int {
        var count = 0
        let picker = DocumentPicker(client: providers.client)
        while !end.isReached.load(ordering: .acquiring) {
            let start = ContinuousClock.now
            let document = try await picker.openDocument(
                at: DocumentLocation(provider: "org.docent.LocalFolder", path: "/well.txt"), access: .read)
            let file = FileHandle(fileDescriptor: try await document.openForReading(), closeOnDealloc: true)
            #expect(try file.readToEnd() == Data("well".utf8))
            document.stopAccessing()
            #expect(ContinuousClock.now - start < .seconds(mostSeconds))
            count += 1
            try await Task.sleep(for: .milliseconds(100))
        }
        return count
    }

    private static func show(_ fault: ProviderFault, _ provider: String, _ providers: FaultyProviders) async throws {
        let tour = FaultyTour(providers: providers, provider: provider)
        do {
            try await providers.addDomain(provider, faults: fault.name, settings: settings(fault))
        } catch let error as DocumentsError {
            Issue.record("\(fault): the domain cannot be added: \(error)")
            return
        }
        let (answers, report) = await tour.run()
        for answer in answers {
            #expect(answer.seconds < mostSeconds, "\(fault): \(answer)")
            if let error = answer.error {
                #expect(FailureCode(error.code.rawValue).isKnown && !error.message.isEmpty, "\(fault): \(answer)")
                #expect(error.code != .cancelled, "\(fault): \(answer)")
            }
        }
        if let report, !untellable.contains(fault.name) {
            #expect(report == FaultyTour.report, "\(fault): what came is not the document (\(report.count) bytes)")
        }
        do {
            try await providers.mend(provider)
            try await recovered(fault, tour, answers)
        } catch {
            Issue.record("\(fault): when it was over: \(error); before that \(answers)")
        }
    }

    private static func settings(_ fault: ProviderFault) -> [String: String] {
        fault.name.hasPrefix("modify.conflict") ? ["conflicts": "keep"] : [:]
    }

    /// Everything works again, also what was saved while it did not.
    private static func recovered(_ fault: ProviderFault, _ tour: FaultyTour, _ answers: [FaultyTour.Answer])
        async throws
    {
        let providers = tour.providers
        var last = "nothing"
        do {
            try await providers.installation.eventually("\(fault): the provider works again", within: 60) {
                do {
                    return try await tour.names(in: "/").contains("Reports")
                } catch let error as DocumentsError {
                    last = "\(error)"
                    return false
                }
            }
        } catch {
            throw Problem("\(error); last: \(last)")
        }
        // On a machine with much to do an answer may be too late once more.
        try await providers.installation.eventually("\(fault): the report can be read", within: 60) {
            try? await tour.evict(FaultyTour.reportPath)
            guard let report = try? await tour.read(FaultyTour.reportPath) else { return false }
            #expect(report == FaultyTour.report, "\(fault): the report, afterwards")
            return true
        }
        guard fault.subject == .full else { return }
        try await tour.make("/Reports", "after.txt", FaultyTour.made)
        _ = try await providers.client.call(
            AdministrationInterface.RetryTransfers.self, .init(provider: tour.provider))
        try await providers.installation.eventually("\(fault): nothing waits to be sent", within: 60) {
            let domains = try await providers.client.call(
                AdministrationInterface.ListDomains.self, .init(provider: tour.provider)
            ).value.domains
            return domains.allSatisfy { ($0.pendingChanges ?? 0) == 0 }
        }
    }
}
