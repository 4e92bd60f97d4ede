import DocentInterfaces
import Testing
import Varlink

@testable import Documents

/// Values of many items at once (K8), on a daemon that the test plays.
@Suite struct PromisedItemTests {
    private typealias Values = DocumentsInterface.Values

    private static func item(_ identifier: String, isFolder: Bool = false) -> Wire.Item {
        Wire.Item(
            reference: .init(provider: "p", domain: "", identifier: identifier), name: identifier,
            contentType: "public.data", size: isFolder ? nil : 5, modificationDate: 2, isFolder: isFolder,
            isDownloaded: false, isUploaded: true)
    }

    @Test("K8: every key has a value of its kind, or none if it is not known")
    func keys() {
        let file = DocumentItem(Self.item("a.txt"))
        let values = PromisedItemKey.allCases.map { file.value(for: $0) }
        #expect(
            values == [
                .text("a.txt"), .text("public.data"), .number(5), .date(2), nil, .flag(false), nil,
                .downloadingStatus(.notDownloaded), .uploadState(.uploaded), .flag(false), .number(0),
            ])
        let folder = DocumentItem(Self.item("f", isFolder: true))
        #expect(folder.value(for: .size) == nil && folder.value(for: .downloadingStatus) == nil)
    }

    @Test("K8: any number is asked for in parts, in order, and each failure is in its place")
    func parts() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.call(Values.shortName, Values.Parameters.self) { [unowned daemon] parameters, _ in
                daemon.note("\(parameters.references.count)")
                return Reply(
                    Values.Reply(
                        values: parameters.references.map { reference in
                            switch reference.identifier {
                            case "7": .init(failure: "NotPermitted", message: "There is no right to it.")
                            case "8": .init()
                            default: .init(item: Self.item(reference.identifier))
                            }
                        }))
            }
        }
        let references = (0..<1001).map { DocumentReference(provider: "p", identifier: "\($0)") }
        let values = try await daemon.client().values(for: [.name, .size, .creationDate], of: references)
        #expect(daemon.log == ["500", "500", "1"])
        #expect(values.map(\.reference) == references)
        #expect(values[1000][.name] == .text("1000") && values[1000][.size] == .number(5))
        #expect(values[0].values.count == 2 && values[0][.contentType] == nil && values[0].failure == nil)
        #expect(values[7].failure?.code == .notPermitted && values[7].values.isEmpty)
        #expect(values[8].failure?.code == .failed)
        #expect(try await daemon.client().values(for: [.name], of: []).isEmpty)
    }

    @Test("K8: an answer that does not fit the question is a failure, and no value is taken for another's")
    func misfit() async throws {
        let daemon = try FakeDaemon { table, _ in
            table.call(Values.shortName, Values.Parameters.self) { _, _ in Reply(Values.Reply(values: [])) }
        }
        let client = daemon.client()
        let error = await #expect(throws: DocumentsError.self) {
            _ = try await client.values(for: [.name], of: [DocumentReference(provider: "p", identifier: "1")])
        }
        #expect(error?.code == .failed)
    }
}
