import DocentTestSupport
import Foundation
import Testing

/// Every fault at every request of a download and of a listing.
@Suite(.needs(.daemon, .server)) struct ReadFaultTests {
    @Test("N9: despite the fault a reader gets the document, or an error at once and the document the next time")
    func fetching() async throws {
        try await Self.run(.apache, Sample.shared.of(FaultField.cells(FaultStage.fetching, Fault.allCases)))
    }

    @Test("N9: the same of other servers", arguments: Sample.shared.of([WebDAVServer.Kind.rclone, .seaweedfs]))
    func others(_ kind: WebDAVServer.Kind) async throws {
        try await Self.run(kind, FaultField.cells(FaultStage.fetching, Fault.telling))
    }

    private static func run(_ kind: WebDAVServer.Kind, _ cells: [FaultField.Cell]) async throws {
        try await FaultField.with(kind, cells) { field in
            let remote = field.remote
            // One after another: cuts in quick succession mean that the domain is offline.
            try await field.each(width: 1) { cell in
                let read = try await remote.docent("cat", remote.location(cell.path))
                switch cell.expected {
                case .told(let status):
                    #expect(read.status == status, "\(cell.folder): \(read.errors)")
                    #expect(read.text.isEmpty, "\(cell.folder)")
                default:
                    #expect(read.text == cell.old, "\(cell.folder): \(read.errors)")
                }
            }
            #expect(try await field.missed().isEmpty)
            try await field.proxy.reset()
            try await field.each { cell in
                let read = try await remote.read(cell.path)
                #expect(read == cell.old, "\(cell.folder) afterwards")
                #expect(try await remote.server.list(cell.folder) == [cell.name])
            }
            let parts = try FileManager.default.contentsOfDirectory(atPath: remote.installation.data + "/Downloads")
            #expect(parts.isEmpty, "parts that are not needed any more")
        }
    }

    @Test("HAZARDS 3: a failed listing removes nothing")
    func listing() async throws {
        let faults = Sample.shared.of(Fault.allCases)
        try await RemoteInstallation.with(.apache) { server in
            for fault in faults {
                try await server.makeFolder(fault.rawValue)
                try await server.put("content", fault.rawValue + "/a.txt")
            }
        } _: { remote in
            let proxy = try #require(remote.proxy)
            for fault in faults {
                let folder = remote.location(fault.rawValue)
                try await remote.docent("ls", folder).succeeded()
                try await proxy.add(fault.rule.on("PROPFIND", "/\(fault.rawValue)/").named(fault.rawValue))
                let during = try await remote.docent("ls", folder)
                #expect(
                    during.text == "a.txt\n" || (during.text.isEmpty && during.status != 0),
                    "\(fault): \(during.errors)")
                try await proxy.clearRules()
                try await remote.docent("refresh", folder).succeeded()
                #expect(try await remote.docent("ls", folder).succeeded().text == "a.txt\n", "\(fault) afterwards")
            }
            let applied = Set(try await proxy.requests().flatMap(\.rules))
            for fault in faults { #expect(applied.contains(fault.rawValue), "\(fault) never happened") }
        }
    }
}
