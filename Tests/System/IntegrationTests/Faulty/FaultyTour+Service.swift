import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Glibc

/// Steps during which the service program makes the service unreachable, cuts a transfer, or changes a document for
/// others.
extension FaultyTour {
    private static let notes = "/Reports/Old/Notes.txt"

    /// Runs those that a fault needs; most need none.
    func service(for fault: ProviderFault) async -> [Answer] {
        switch fault.name {
        case "unreachable.noSuchItem", "unreachable.empty": await unreachable()
        case "changes.lostForOthers": await changedByService()
        case "fetch.staleForOthers": await readAfterService()
        case "modify.ignoresOthers": await overwriteAfterService(fault)
        case "fetch.wholeWhenCut":
            [
                await step("read what is cut") {
                    try await cutting(fault) {
                        try await evict(Self.reportPath)
                        _ = try await read(Self.reportPath)
                    }
                }
            ]
        case "create.savedWhenCut":
            [
                await step("make what is cut", settling: true) {
                    try await cutting(fault) { try await make("/", "cut.txt", Self.made) }
                }
            ]
        case "modify.savedWhenCut":
            [
                await step("change what is cut", settling: true) {
                    try await cutting(fault) { try await change(Self.notes, Self.changed) }
                }
            ]
        default: []
        }
    }

    /// Runs the service program, as `docent provider validate --service` does.
    private func tellService(_ arguments: String..., content: String? = nil) async throws {
        let outcome = try await providers.installation.run(
            "/bin/sh", ["\(Repository.root)/Plugins/Faulty/service.sh"] + arguments,
            input: content.map { Data($0.utf8) }, environment: ["DOCENT_SERVICE_STORAGE": storage.path])
        guard outcome.status == 0 else { throw Problem("the service program: \(outcome.errors)") }
    }

    private func unreachable() async -> [Answer] {
        var answers = [
            await step("the service goes away") { try await tellService("pause") },
            await step("list / without the service") { _ = try await names(in: "/") },
            await step("look at the report without the service") { _ = try await item(Self.reportPath) },
            await step("read the notes without the service") { _ = try await read(Self.notes) },
            await step("look for news without the service") {
                _ = try await client.call(AdministrationInterface.Refresh.self, .init(location: wire("/")))
            },
        ]
        answers.append(await step("the service comes back") { try await tellService("resume") })
        return answers
    }

    private func changedByService() async -> [Answer] {
        [
            await step("look for news of the service") {
                _ = try await names(in: "/Reports/Old")
                try await tellService("change", "write", "Reports/Old/Notes.txt", content: "by the service")
                _ = try await client.call(AdministrationInterface.Refresh.self, .init(location: wire("/")))
            }
        ]
    }

    private func readAfterService() async -> [Answer] {
        [
            await step("read what the service has changed") {
                _ = try await read(Self.notes)
                try await tellService("change", "write", "Reports/Old/Notes.txt", content: "by the service")
                try await evict(Self.notes)
                _ = try await read(Self.notes)
            }
        ]
    }

    /// Repeated with another document when the daemon learned of the other change before it sent ours: then it settles
    /// the conflict by itself, and the provider is not asked.
    private func overwriteAfterService(_ fault: ProviderFault) async -> [Answer] {
        var answers: [Answer] = []
        for path in [Self.notes] + (1...5).map({ "/Many/Letter \($0).txt" }) where !storage.fired.contains(fault.name) {
            answers.append(
                await step("change what the service changes meanwhile", settling: true) {
                    let document = try await picker.openDocument(at: providers.location(provider, path))
                    let session = try await document.beginWriting(replacing: true)
                    _ = Self.changed.withUnsafeBytes { pwrite(session.descriptor, $0.baseAddress, $0.count, 0) }
                    try await tellService("change", "write", String(path.dropFirst()), content: "by the service")
                    try await session.commit()
                })
        }
        return answers
    }

    /// Cuts all transfers from and to the service during an action, until the fault has occurred.
    private func cutting(_ fault: ProviderFault, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let work = Task { try await body() }
        // An upload takes its own time, after the action.
        for _ in 0..<200 where !storage.fired.contains(fault.name) {
            try await tellService("cut")
            try await Task.sleep(for: .milliseconds(100))
        }
        try await work.value
    }
}
