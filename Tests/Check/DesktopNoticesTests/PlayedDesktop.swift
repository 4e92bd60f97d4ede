import DocentTestSupport
import Testing

@testable import DesktopNotices

/// A desktop with a clock of its own: it shows what a plan says, and acts like a person.
struct PlayedDesktop {
    var plan = NoticePlan()
    var now = Duration.zero
    /// The notices that are shown, by the number of the notification.
    private(set) var shown: [UInt32: (key: NoticeKey, notice: Notice)] = [:]
    /// How many notifications appeared or were replaced.
    private(set) var count = 0
    /// Whether there is a notification server.
    var isServing = true
    private var last: UInt32 = 0

    var titles: [String] { shown.sorted { $0.key < $1.key }.map(\.value.notice.title) }

    func number(of key: NoticeKey) -> UInt32? { shown.first { $0.value.key == key }?.key }

    mutating func see(_ attention: Attention, after pause: Duration = .seconds(3)) {
        now += pause
        carryOut(plan.saw(attention, at: now))
    }

    private mutating func carryOut(_ effects: [NoticePlan.Effect]) {
        for effect in effects {
            switch effect {
            case .close(let number):
                #expect(shown[number] != nil, "\(number) is not shown")
                shown[number] = nil
            case .show(let key, let notice, let replaced):
                guard isServing else {
                    plan.shown(key, as: nil, at: now)
                    continue
                }
                if let replaced { #expect(shown[replaced]?.key == key) } else { #expect(number(of: key) == nil) }
                last += replaced == nil ? 1 : 0
                let number = replaced ?? last
                shown[number] = (key, notice)
                count += 1
                plan.shown(key, as: number, at: now)
            }
        }
    }

    /// A person closes a notification.
    mutating func close(_ number: UInt32) {
        shown[number] = nil
        plan.closed(number, at: now)
    }

    /// A person presses a button.
    mutating func press(_ action: NoticeAction, in key: NoticeKey) -> NoticeCommand? {
        number(of: key).flatMap { plan.chose(action.rawValue, in: $0, at: now)?.command }
    }

    /// The notification server ends, with all that it shows.
    mutating func endServer() {
        isServing = false
        shown = [:]
        plan.serverEnded()
    }

    mutating func beginServer() {
        isServing = true
        plan.serverBegan()
    }

    /// Notifications are turned off.
    mutating func end() { carryOut(plan.end()) }
}
