import DesktopNotices
import DocentInterfaces
import Documents

/// Shows what the user has to decide about, and carries out what they choose.
struct Notifier {
    /// How often the daemon is asked, which costs it two small queries. It does not know of this program.
    static let interval = Duration.seconds(3)
    /// The longest time between two attempts while it does not answer.
    static let longestInterval = Duration.seconds(60)
    /// How often it is asked anew where the documents are, which may have been moved.
    static let placesInterval = Duration.seconds(60)

    /// Why it ends.
    enum End: Sendable, Hashable {
        /// The session has ended, or the user has turned notifications off.
        case done
        /// The daemon answers no questions of this program.
        case refused(String)
    }

    private enum Event: Sendable {
        /// What there is; nil if the daemon does not answer. turn: that of the look.
        case saw(Attention?, turn: Int)
        case refused(String)
        case bus(SessionBus.News)
        case finished(NoticeKey, failure: String?)
        case stop
    }

    private let source: AttentionSource
    private let programs: ActionPrograms
    private let isOff: @Sendable () -> Bool
    private let events: AsyncStream<Event>
    private let sender: AsyncStream<Event>.Continuation
    private let start = ContinuousClock.now

    /// - Parameter isOff: whether the user has turned notifications off.
    init(source: AttentionSource, programs: ActionPrograms, isOff: @escaping @Sendable () -> Bool) {
        self.source = source
        self.programs = programs
        self.isOff = isOff
        (events, sender) = AsyncStream.makeStream(of: Event.self)
    }

    /// Ends it soon, from any thread. What is shown is taken away.
    func stop() { sender.yield(.stop) }

    /// Runs until the session ends.
    ///
    /// - Throws: ``SessionBus/Refusal``.
    func run(as name: String) async throws -> End {
        let bus = SessionBus { [sender] in sender.yield(.bus($0)) }
        try await bus.start(as: name)
        var plan = NoticePlan()
        // A look of an earlier turn may have begun before the last change, and is out of date.
        var turn = 0
        var pause = Self.interval
        // What was seen last, and when the places in it were asked for.
        var conflicts: [ConflictedDocument]?
        var asked = Duration.zero
        look(turn, after: .zero, known: nil)
        for await event in events {
            var effects: [NoticePlan.Effect] = []
            switch event {
            case .saw(let attention, let looked):
                guard !isOff() else { return await end(&plan, bus) }
                guard looked == turn else { continue }
                if let attention {
                    pause = Self.interval
                    effects = plan.saw(attention, at: now)
                    if conflicts == nil { asked = now }
                    conflicts = now - asked < Self.placesInterval ? attention.conflicts : nil
                } else {
                    // What is shown stays: nobody has settled it.
                    pause = min(pause * 2, Self.longestInterval)
                }
                look(turn, after: pause, known: conflicts)
            case .refused(let reason):
                _ = await end(&plan, bus)
                return .refused(reason)
            case .bus(.action(let number, let action)):
                if let chosen = plan.chose(action, in: number, at: now) { carryOut(chosen.command, chosen.key) }
            case .bus(.closed(let number)): plan.closed(number, at: now)
            case .bus(.serverEnded): plan.serverEnded()
            case .bus(.serverBegan): plan.serverBegan()
            case .bus(.ended): return .done
            case .finished(let key, let failure):
                plan.finished(key, failure: failure)
                turn += 1
                conflicts = nil
                look(turn, after: .zero, known: nil)
            case .stop: return await end(&plan, bus)
            }
            for effect in effects {
                switch effect {
                case .show(let key, let notice, let number):
                    plan.shown(key, as: await bus.show(notice, replacing: number), at: now)
                case .close(let number): await bus.close([number])
                }
            }
        }
        return .done
    }

    private var now: Duration { ContinuousClock.now - start }

    private func end(_ plan: inout NoticePlan, _ bus: SessionBus) async -> End {
        let numbers = plan.end().compactMap { effect in
            if case .close(let number) = effect { number } else { nil }
        }
        await bus.close(numbers)
        return .done
    }

    /// Asks the daemon, once.
    private func look(_ turn: Int, after pause: Duration, known: [ConflictedDocument]?) {
        Task { [source, sender] in
            try? await Task.sleep(for: pause)
            do throws(DocumentsError) {
                sender.yield(.saw(try await source.look(known: known), turn: turn))
            } catch {
                sender.yield(error.code == .notPermitted ? .refused(error.message) : .saw(nil, turn: turn))
            }
        }
    }

    private func carryOut(_ command: NoticeCommand, _ key: NoticeKey) {
        Task { [sender, programs, source] in
            var failure: String?
            switch command {
            case .settle(let location, let choice):
                failure = await programs.run(["resolve", "--keep", choice, "--", location.description])
            case .compare(let location, let version):
                failure = programs.show(["diff", "--", location.description, version])
            case .showConflicts: failure = programs.show(["conflicts"])
            case .showHeld: failure = programs.show(["held", "list"])
            case .allow(let kind, let client):
                do throws(DocumentsError) {
                    try await source.allow(kind: kind, client: client)
                } catch { failure = error.message }
            }
            sender.yield(.finished(key, failure: failure))
        }
    }
}
