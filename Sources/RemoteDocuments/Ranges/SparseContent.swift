import DocentInterfaces
import HostCore
package import Records
package import Storage
import Synchronization

/// The content of one version of a document, of which parts are here: its file, what is in it, and what is being
/// fetched. Nothing is fetched twice. Thread-safe.
package final class SparseContent: Sendable {
    /// Fetches a range into the file of a content.
    package typealias Fetching =
        @Sendable (
            _ content: SparseContent, _ range: Range<Int64>, _ arrival: RangeArrival
        ) async throws -> Void

    /// The document, as it was described when this was opened.
    package let item: RemoteItem
    /// The size of the whole content in bytes; also the length of the file.
    package let size: Int64
    /// The file, to be published once it is complete.
    package let file: PartialFile
    /// The file, for reading. Stays valid when the file is published or removed.
    package let reader: OpenDescriptor

    private struct Flight {
        let range: Range<Int64>
        var task: Task<Void, Never>?
        var position: Int64
        // Bytes count as here only once the provider has said which version they are of.
        var isConfirmed = false
    }

    private struct Waiter {
        let range: Range<Int64>
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var here: ByteRanges
        var ahead: ReadingAhead
        var flights: [Int: Flight] = [:]
        var waiters: [Int: Waiter] = [:]
        var last = 0
        var end: Failure?
        var isRecorded = true
        var causes: Set<String> = []
    }

    private let state: Mutex<State>
    private let fetching: Fetching
    /// The most that a single request fetches before it looks again.
    private static let step = ReadingAhead.largest

    /// - Parameters:
    ///   - here: what is in the file.
    ///   - fetching: fetches a range.
    package init(
        _ item: RemoteItem, size: Int64, file: PartialFile, here: ByteRanges, fetching: @escaping Fetching
    ) throws {
        self.item = item
        self.size = size
        self.file = file
        self.fetching = fetching
        reader = try file.makeReader()
        state = Mutex(State(here: here, ahead: ReadingAhead(size: size)))
    }

    /// How many bytes of a range are here.
    package func count(in range: Range<Int64>) -> Int64 {
        let range = range.clamped(to: 0..<size)
        return state.withLock { state in
            Int64(range.count) - state.here.missing(in: range).reduce(0) { $0 + Int64($1.count) }
        }
    }

    /// How many bytes are here from a position on, without a gap.
    package func count(from position: Int64) -> Int64 {
        state.withLock { state in
            let missing = state.here.missing(in: min(max(0, position), size)..<size)
            return max(0, (missing.first?.lowerBound ?? size) - position)
        }
    }

    /// Whether all of it is here.
    package var isComplete: Bool { state.withLock { $0.here.contains(0..<size) } }

    /// What is here and not yet recorded; nil when there is nothing to record. The caller makes the file durable and
    /// then records it.
    func takeUnrecorded() -> ByteRanges? {
        state.withLock { state in
            guard !state.isRecorded else { return nil }
            state.isRecorded = true
            return state.here
        }
    }

    /// Whether this cause of fetching is new, so that it is to be noted.
    func isNew(_ cause: String) -> Bool { state.withLock { $0.causes.insert(cause).inserted } }

    // MARK: Fetching

    /// Waits until a range is in the file, and fetches what is missing. What is behind the end is left out.
    ///
    /// - Throws: ``Failure``: `Conflict` when the document has another version by now; why it cannot be fetched.
    package func require(_ range: Range<Int64>) async throws {
        var rest = range.clamped(to: 0..<size)
        while !rest.isEmpty {
            let part = rest.lowerBound..<min(rest.upperBound, rest.lowerBound + Self.step)
            try await requirePart(part)
            rest = part.upperBound..<rest.upperBound
        }
    }

    private func requirePart(_ range: Range<Int64>) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if let end = state.end { return .failure(end) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    start(state.ahead.read(range), &state)
                    if state.here.contains(range) { return .success(()) }
                    state.waiters[number] = Waiter(range: range, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation
                .resume(throwing: CancellationError())
        }
    }

    private func start(_ range: Range<Int64>, _ state: inout State) {
        var coming = state.here
        for flight in state.flights.values { coming.insert(flight.range) }
        for missing in coming.missing(in: range) {
            state.last += 1
            let number = state.last
            state.flights[number] = Flight(range: missing, position: missing.lowerBound)
            state.flights[number]?.task = Task { [fetching] in
                let arrival = RangeArrival(
                    confirmed: { self.confirmed(number) }, arrived: { self.arrived(number, $0) })
                do {
                    try await fetching(self, missing, arrival)
                    self.ended(number, nil)
                } catch {
                    self.ended(number, error)
                }
            }
        }
    }

    private func confirmed(_ number: Int) {
        change { state in
            guard var flight = state.flights[number] else { return }
            flight.isConfirmed = true
            state.flights[number] = flight
            Self.take(flight, &state)
        }
    }

    private func arrived(_ number: Int, _ position: Int64) {
        change { state in
            guard var flight = state.flights[number] else { return }
            flight.position = min(position, flight.range.upperBound)
            state.flights[number] = flight
            if flight.isConfirmed { Self.take(flight, &state) }
        }
    }

    private func ended(_ number: Int, _ error: (any Error)?) {
        let failed = state.withLock { state -> [Waiter] in
            guard let flight = state.flights.removeValue(forKey: number) else { return [] }
            guard error != nil else {
                state.here.insert(flight.range)
                state.isRecorded = false
                return []
            }
            // Nothing is kept of what turned out to be something else.
            if (error as? Failure)?.code == .providerFailed {
                state.here.remove(flight.range)
                state.isRecorded = false
            }
            let told = state.waiters.filter {
                $0.value.range.overlaps(flight.range) && !state.here.contains($0.value.range)
            }
            for number in told.keys { state.waiters[number] = nil }
            return Array(told.values)
        }
        if let error { for waiter in failed { waiter.continuation.resume(throwing: error) } }
        change { _ in }
    }

    private static func take(_ flight: Flight, _ state: inout State) {
        guard flight.position > flight.range.lowerBound else { return }
        state.here.insert(flight.range.lowerBound..<flight.position)
        state.isRecorded = false
    }

    // Changes the state, and resumes those whose range is here.
    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state -> [Waiter] in
            body(&state)
            let ready = state.waiters.filter { state.here.contains($0.value.range) }
            for number in ready.keys { state.waiters[number] = nil }
            return Array(ready.values)
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Ends it: nothing more is fetched.
    ///
    /// - Parameter failure: what those that wait get, and those that ask later.
    func end(_ failure: Failure) {
        let (waiters, tasks) = state.withLock { state in
            if state.end == nil { state.end = failure }
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), state.flights.values.compactMap(\.task))
        }
        for waiter in waiters { waiter.continuation.resume(throwing: failure) }
        for task in tasks { task.cancel() }
    }

    /// Whether ``end(_:)`` was called.
    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Waits until nothing is being fetched any more, after ``end(_:)``.
    func waitForFlights() async {
        for task in state.withLock({ $0.flights.values.compactMap(\.task) }) { await task.value }
    }
}
