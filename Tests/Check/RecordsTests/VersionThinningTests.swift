import Foundation
import Testing

@testable import Records

@Suite struct VersionThinningTests {
    typealias Candidate = VersionThinning.Candidate
    // A Monday at noon, so that hours, days and weeks begin at known places.
    static let now = Date(timeIntervalSince1970: 1_763_380_800)
    static let (minute, hour, day) = (60.0, 3600.0, 86_400.0)

    /// Versions of these ages, oldest first, named after their age.
    static func aged(_ ages: [Double], size: Int64 = 10) -> [Candidate] {
        ages.sorted(by: >).map { Candidate(id: "\(Int($0))", created: now - $0, size: size) }
    }

    static func policy(_ change: (inout VersionPolicy) -> Void = { _ in }) -> VersionPolicy {
        var policy = VersionPolicy()
        policy.versions = 100_000
        change(&policy)
        return policy
    }

    static func left(_ candidates: [Candidate], _ policy: VersionPolicy, ages: Bool = true) -> [Candidate] {
        let gone = Set(VersionThinning.surplus(of: candidates, policy, at: now, ages: ages))
        return candidates.filter { !gone.contains($0.id) }
    }

    static func slots(_ candidates: [Candidate], _ length: Double) -> [Int] {
        candidates.map { Int(($0.created.timeIntervalSince1970 / length).rounded(.down)) }
    }

    @Test("V2: everything of the last hour stays")
    func lastHour() {
        let all = Self.aged((0..<240).map { Double($0) * 15 })
        #expect(Self.left(all, Self.policy()) == all)
    }

    @Test("V2: one version of each hour stays for a day, one of each day for a month, one of each week for a year")
    func schedule() {
        let all = Self.aged((0..<(400 * 48)).map { Double($0) * 30 * Self.minute + 7 })
        let left = Self.left(all, Self.policy())
        let ages = { (candidate: Candidate) in Self.now.timeIntervalSince(candidate.created) }
        let (hours, days) = (
            left.filter { ages($0) > Self.hour && ages($0) <= Self.day },
            left.filter { ages($0) > Self.day && ages($0) <= 30 * Self.day }
        )
        let weeks = left.filter { ages($0) > 30 * Self.day }
        #expect(Set(Self.slots(hours, Self.hour)).count == hours.count && (23...24).contains(hours.count))
        #expect(Set(Self.slots(days, Self.day)).count == days.count && (29...30).contains(days.count))
        #expect(Set(Self.slots(weeks, 7 * Self.day)).count == weeks.count && (47...49).contains(weeks.count))
        #expect(left.allSatisfy { ages($0) <= 365 * Self.day })
    }

    @Test("V2: thinning again removes nothing, and thinning daily leaves the same as thinning once")
    func stable() {
        let moments = (0..<3000).map { Self.now - Double($0) * 71 * Self.minute }.reversed()
        var kept: [Candidate] = []
        var all: [Candidate] = []
        var next = Self.now - 3000 * 71 * Self.minute
        func thin(_ candidates: [Candidate], at now: Date) -> [Candidate] {
            let gone = Set(VersionThinning.surplus(of: candidates, Self.policy(), at: now))
            return candidates.filter { !gone.contains($0.id) }
        }
        for (number, moment) in moments.enumerated() {
            let candidate = Candidate(id: "\(number)", created: moment, size: 1)
            kept.append(candidate)
            all.append(candidate)
            if moment > next {
                kept = thin(kept, at: moment)
                next = moment + Self.day
            }
        }
        #expect(thin(kept, at: Self.now) == thin(thin(kept, at: Self.now), at: Self.now))
        #expect(thin(kept, at: Self.now) == thin(all, at: Self.now))
    }

    @Test("V2: the newest version stays, however old it is")
    func newest() {
        let old = Self.aged([900 * Self.day, 800 * Self.day])
        #expect(Self.left(old, Self.policy()).map(\.id) == ["\(Int(800 * Self.day))"])
        #expect(Self.left([], Self.policy()).isEmpty)
    }

    @Test("V2: the number is limited, and a burst of saves does not push out what is long ago")
    func number() {
        let long = Self.aged((1...40).map { Double($0) * 7 * Self.day })
        let burst = (0..<500).map {
            Candidate(id: "burst \($0)", created: Self.now - 1800 + Double($0), size: 1)
        }
        let left = Self.left(long + burst, Self.policy { $0.versions = 100 })
        #expect(left.count == 100)
        #expect(left.filter { !$0.id.hasPrefix("burst") }.count == 40)
        #expect(left.last?.id == "burst 499")
    }

    @Test("V2: a clock that cannot be trusted removes nothing by age, but the number is still limited")
    func doubted() {
        let all = Self.aged((0..<50).map { Double($0) * 100 * Self.day })
        #expect(Self.left(all, Self.policy(), ages: false) == all)
        #expect(Self.left(all, Self.policy { $0.versions = 10 }, ages: false).count == 10)
    }

    @Test("V2: versions from the future stay")
    func future() {
        let all = Self.aged([-400 * Self.day, -300 * Self.day, 10])
        #expect(Self.left(all, Self.policy()) == all)
    }

    @Test("V2: space is freed with the least valuable versions first, and the newest of a document last")
    func space() {
        let crowded = (0..<10).map { number in
            Candidate(
                id: "crowded \(number)", created: Self.now - 100 * Self.day + Double(number), size: 10,
                next: Self.now - 100 * Self.day + Double(number + 1))
        }
        let rare = Candidate(
            id: "rare", created: Self.now - 200 * Self.day, size: 10, next: Self.now - 100 * Self.day)
        let only = Candidate(id: "only", created: Self.now - 300 * Self.day, size: 10)
        let all = [only, rare] + crowded
        let few = VersionThinning.freeing(35, of: all, at: Self.now)
        #expect(few.count == 4 && few.allSatisfy { $0.hasPrefix("crowded") })
        #expect(VersionThinning.freeing(115, of: all, at: Self.now).suffix(2) == ["rare", "only"])
        #expect(VersionThinning.freeing(0, of: all, at: Self.now).isEmpty)
    }

    @Test("V2: thousands of versions of one document are thinned in a moment")
    func thousands() {
        let all = Self.aged((0..<5000).map { Double($0) / 2 })
        let clock = ContinuousClock()
        let taken = clock.measure { #expect(Self.left(all, Self.policy { $0.versions = 100 }).count == 100) }
        #expect(taken < .seconds(5))
    }

    @Test("V2: a clock that jumps by years is believed after a day")
    func clock() {
        let first = VersionClock().read(Self.now)
        #expect(first.isTrusted && first.next.trusted == Self.now)
        let later = first.next.read(Self.now + Self.day)
        #expect(later.isTrusted)
        let jumped = later.next.read(Self.now + 700 * Self.day)
        #expect(!jumped.isTrusted)
        #expect(!jumped.next.read(Self.now + 700 * Self.day + Self.hour).isTrusted)
        // It was wrong, and is right again.
        #expect(jumped.next.read(Self.now + 2 * Self.day).isTrusted)
        // It was right.
        #expect(jumped.next.read(Self.now + 701 * Self.day).isTrusted)
        #expect(!later.next.read(Self.now - 700 * Self.day).isTrusted)
    }

    @Test("V3: a rule decides what it names, and leaves the rest to the place above")
    func rules() {
        let all = VersionRule(.everything, days: 30, space: 7)
        let folder = VersionRule(.init(provider: "p", domain: "", item: "f"), isKept: false, versions: 3)
        let policy = VersionPolicy().applying(all).applying(nil).applying(folder)
        #expect(!policy.isKept && policy.versions == 3 && policy.days == 30 && policy.space == 7)
        #expect(policy.whenFull == .refuse)
        #expect(VersionPolicy().room(free: 1000) == 100 && VersionPolicy().room(free: .max) == 5_000_000_000)
        #expect(policy.room(free: 1000) == 7)
        #expect(folder.with(VersionRule(folder.scope, isKept: true, days: 1)).versions == 3)
    }
}
