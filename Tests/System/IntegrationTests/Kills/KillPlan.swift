import DocentTestSupport
import Foundation

/// The actions of one round of kills, drawn from its seed: the same seed gives the same plan.
struct KillPlan: Sendable {
    /// The process that ends during a save.
    enum Victim: String, CaseIterable, Sendable {
        case nobody, daemon, provider, client, server
    }

    /// One save and the process that is killed while it runs.
    struct Step: Sendable {
        var number: Int
        /// The index of the round's document; nil for a new one.
        var document: Int?
        var victim: Victim
        /// Milliseconds after the start of the save; if another client changes the document too, after its end.
        var delay: Int
        /// The number of bytes to save.
        var size: Int
        /// Whether another client changes the document on the server, right after the save and the kill.
        var isContested: Bool
    }

    static let documents = 3
    let server: WebDAVServer.Kind
    let steps: [Step]

    init(seed: Int) {
        // Another multiplier than the generator's: with the same one, one seed's numbers would be the next one's,
        // shifted.
        var random = SplitMix(state: UInt64(seed) &* 0xD134_2543_DE82_EF95 &+ 1)
        let servers: [WebDAVServer.Kind] = [.apache, .rclone, .apache, .seaweedfs]
        server = servers[seed % servers.count]
        var steps = (0..<6).map { number in
            Step(
                number: number, document: random.next() % 5 == 0 ? nil : Int(random.next() % UInt64(Self.documents)),
                victim: Victim.allCases[Int(random.next() % UInt64(Victim.allCases.count))],
                delay: Int(random.next() % 160), size: random.next() % 4 == 0 ? 1 << 20 : 200, isContested: false)
        }
        // In every second round, in half of its saves. Between a save's end and its upload there are only milliseconds.
        for index in steps.indices where seed / servers.count % 2 == 1 && random.next() % 2 == 0 {
            guard steps[index].document != nil else { continue }
            steps[index].isContested = true
            steps[index].delay %= 20
            if steps[index].victim == .client { steps[index].victim = .daemon }
        }
        self.steps = steps
    }
}
