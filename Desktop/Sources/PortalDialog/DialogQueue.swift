/// Which of the requests have a window. A second one of the same program waits for the first, so that it does not take
/// the focus, and a flood is a line in one window. Pure.
package struct DialogQueue: Sendable {
    package enum Step: Equatable, Sendable {
        case show(Int)
        /// The window of this request says how many others wait.
        case report(Int, others: Int)
        /// There are too many.
        case refuse(Int)
    }

    /// The most windows at the same time.
    package static let mostWindows = 8
    /// The most requests that wait, and those of one program: none can take the places of all others.
    package static let mostWaiting = 64
    package static let mostWaitingEach = 8

    private var shown: [(request: Int, caller: String)] = []
    private var waiting: [(request: Int, caller: String)] = []

    package init() {}

    package mutating func add(_ request: Int, caller: String) -> [Step] {
        guard waiting.count < Self.mostWaiting, waiting.count(where: { $0.caller == caller }) < Self.mostWaitingEach
        else { return [.refuse(request)] }
        waiting.append((request, caller))
        return next() + reports(caller)
    }

    /// The request has ended, whether it was shown or not.
    package mutating func remove(_ request: Int) -> [Step] {
        let callers = (shown + waiting).filter { $0.request == request }.map(\.caller)
        shown.removeAll { $0.request == request }
        waiting.removeAll { $0.request == request }
        return next() + callers.flatMap { reports($0) }
    }

    private mutating func next() -> [Step] {
        var steps: [Step] = []
        while shown.count < Self.mostWindows,
            let first = waiting.firstIndex(where: { one in !shown.contains { $0.caller == one.caller } })
        {
            let one = waiting.remove(at: first)
            shown.append(one)
            steps.append(.show(one.request))
        }
        return steps
    }

    private func reports(_ caller: String) -> [Step] {
        let others = waiting.count { $0.caller == caller }
        return shown.filter { $0.caller == caller }.map { .report($0.request, others: others) }
    }
}
