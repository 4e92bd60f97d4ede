import Coordination
import DocentInterfaces
import HostTesting
import Rights
import Testing
import UniformTypes

@testable import Access
@testable import ExtensionHosting
@testable import HostCore

/// The limits on a principal's claims and presenters (T4).
@Suite struct CoordinationLimitTests {
    private static let principal = Principal(kind: .run, identifier: "org.example.Boxed")
    private static let other = Principal(kind: .run, identifier: "org.example.Other")

    private static func table() -> CoordinationTable {
        let hierarchy = ItemHierarchy(
            types: TypeCatalogue(system: .system(environment: [:])), source: TestItems())
        return CoordinationTable(deadline: 20, words: CoordinationWords(hierarchy: hierarchy))
    }

    private static func party(_ owner: UInt64) -> CoordinationParty {
        CoordinationParty(
            owner: .init(rawValue: owner), kind: "run", client: "org.example.Boxed", process: nil, executable: nil,
            isConfined: true)
    }

    private static func location(_ number: UInt64) -> ItemLocation {
        ItemLocation(item: CoordinatedItem(provider: "p", identifier: "\(number)"))
    }

    private static func add(_ number: UInt64, of principal: Principal, to table: inout CoordinationTable) throws {
        let accesses = [ItemAccess(location: location(number), intent: .reading([]))]
        let claim = Claim(
            id: .init(rawValue: number), owner: .init(rawValue: 1), purpose: "\(number)", accesses: accesses)
        let entry = ClaimEntry(
            party: party(1), principal: principal, operation: "claim \(number)", purpose: nil, presenter: nil,
            accesses: accesses, isImplicit: false, wait: nil, isHeld: true)
        try table.add(claim, entry)
    }

    private static func present(_ number: UInt64, of principal: Principal, in table: inout CoordinationTable) throws {
        let location = location(number)
        let presenter = Presenter(id: .init(rawValue: number), owner: .init(rawValue: 1), location: location)
        _ = try table.add(
            presenter,
            PresenterEntry(
                party: party(1), principal: principal, name: "\(number)", purpose: "\(number)",
                mailbox: PresenterMailbox(), observed: location.item, item: location.item))
    }

    @Test("T4: the 1,025th claim of a principal is refused with a message, another principal's is granted")
    func claims() throws {
        var table = Self.table()
        for number in 1...1024 { try Self.add(UInt64(number), of: Self.principal, to: &table) }
        let failure = #expect(throws: Failure.self) { try Self.add(1025, of: Self.principal, to: &table) }
        #expect(failure?.code == .unavailable)
        #expect(failure?.message.contains("1024 claims") == true)
        #expect(failure?.suggestion != nil)
        try Self.add(1026, of: Self.other, to: &table)
        #expect(table.claims.count == 1025)
    }

    @Test("T4: the 1,025th presenter is refused, until one is removed")
    func presenters() throws {
        var table = Self.table()
        for number in 1...1024 { try Self.present(UInt64(number), of: Self.principal, in: &table) }
        let failure = #expect(throws: Failure.self) { try Self.present(1025, of: Self.principal, in: &table) }
        #expect(failure?.code == .unavailable)
        #expect(failure?.message.contains("1024 presenters") == true)
        try Self.present(1026, of: Self.other, in: &table)
        _ = table.remove(.init(rawValue: 1))
        try Self.present(1027, of: Self.principal, in: &table)
    }
}
