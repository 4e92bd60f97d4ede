import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Testing
import Varlink

/// The conditions after a fault is over.
struct FaultyRecovery: Sendable {
    let tour: FaultyTour
    let plan: FaultyPlan
    /// The answers to the ordinary steps of the tour.
    let answers: [FaultyTour.Answer]

    private var providers: FaultyProviders { tour.providers }
    private var installation: Installation { providers.installation }
    private var fault: ProviderFault { plan.fault }

    /// Everything works again, and content reported as saved exists, or is kept as a version.
    func check() async throws {
        if plan.endsSignedOut { try await eventually("signing in works again") { try await signIn() } }
        try await eventually("the provider works again") {
            try await tour.names(in: "/").contains("Reports")
        }
        try await eventually("the report can be read") {
            try? await tour.evict(FaultyTour.reportPath)
            let bytes = try await tour.read(FaultyTour.reportPath)
            #expect(difference(bytes, from: FaultyTour.report) == nil, "\(fault): the report, afterwards")
            return true
        }
        guard plan.isForAllSteps else { return }
        try await tour.make("/Reports", "after.txt", FaultyTour.made)
        _ = try await providers.client.call(
            AdministrationInterface.RetryTransfers.self, .init(provider: tour.provider))
        do {
            try await eventually("nothing is queued") { try await tour.pending() == 0 }
        } catch {
            let transfers = try await providers.client.call(
                AdministrationInterface.Transfers.self, .init(provider: tour.provider))
            throw Problem("\(error); transfers: \(transfers.value)")
        }
        try await expectSaved(at: "/Reports/after.txt", FaultyTour.made)
        if plan.deceivesWriters == nil {
            if succeeded("make a document") { try await expectSaved(at: "/made.txt", FaultyTour.made) }
            if succeeded("change the welcome") {
                try await expectSaved(at: "/Welcome.txt", FaultyTour.changed)
            }
        }
    }

    private func signIn() async throws -> Bool {
        try await tour.login(FaultyTour.secret)
        return true
    }

    private func succeeded(_ step: String) -> Bool {
        answers.contains { $0.step == step && $0.error == nil }
    }

    private func expectSaved(at path: String, _ content: Data) async throws {
        var found: Data?
        try await eventually("\(path) is the saved content") {
            try? await tour.evict(path)
            found = try? await tour.read(path)
            if found == content { return true }
            return try await isKept(content)
        }
    }

    // Content that the provider refused permanently is kept, and listed, as a version.
    private func isKept(_ content: Data) async throws -> Bool {
        let versions = try await providers.client.call(AdministrationInterface.Versions.self, .init())
            .value.versions
        for version in versions
        where version.reference.provider == tour.provider && version.size == content.count {
            let reply = try await providers.client.call(
                AdministrationInterface.OpenVersion.self, .init(identifier: version.identifier))
            let source = try reply.descriptors.take(reply.value.file)
            let file = FileHandle(fileDescriptor: source.raw, closeOnDealloc: false)
            if try file.readToEnd() == content { return true }
        }
        return false
    }

    private func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
        var last = "nothing"
        do {
            try await installation.eventually(what, within: 240) {
                do {
                    return try await condition()
                } catch let error as DocumentsError {
                    last = "\(error)"
                    return false
                }
            }
        } catch {
            throw Problem("\(error); last: \(last)")
        }
    }
}
