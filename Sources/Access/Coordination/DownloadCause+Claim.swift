import HostCore

extension DownloadCause {
    init(claim: ClaimEntry) {
        let (party, how) = (claim.party, claim.isWriting ? "claimed for writing" : "claimed for reading")
        self.init(
            principal: claim.principal, process: party.process, executable: party.executable,
            purpose: claim.principal == nil ? "\(how) by \(party.client)" : how)
    }
}
