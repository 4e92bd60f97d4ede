/// How much space an account has, in bytes, as far as its provider knows: checked, because a provider may say anything.
package struct AccountSpace: Sendable, Hashable {
    package var total: Int?
    package var used: Int?
    package var available: Int?

    /// What follows from the values of a provider. Negative ones are not known, nor is available what exceeds the
    /// total. One of three is derived from the others. More may be used than there is: some services accept that.
    package init(total: Int? = nil, used: Int? = nil, available: Int? = nil) {
        func plausible(_ value: Int?) -> Int? { value.flatMap { $0 >= 0 ? $0 : nil } }
        self.total = plausible(total)
        self.used = plausible(used)
        self.available = plausible(available)
        if let total = self.total, let available = self.available, available > total { self.available = nil }
        switch (self.total, self.used, self.available) {
        case (nil, let used?, let available?):
            let (sum, overflow) = used.addingReportingOverflow(available)
            self.total = overflow ? nil : sum
        case (let total?, nil, let available?): self.used = total - available
        case (let total?, let used?, nil): self.available = max(0, total - used)
        default: break
        }
    }
}
