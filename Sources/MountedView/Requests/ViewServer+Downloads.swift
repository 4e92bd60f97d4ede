import FileSystemMessages

extension ViewServer {
    /// The reply to a program that may not have the content of a document downloaded; nil if it may, or if the content
    /// is on this machine.
    func refusal(toDownload node: UInt64, for caller: KernelRequest.Caller) async -> KernelReply? {
        guard let item = tree.item(of: node), !item.isDownloaded, !item.isLocal, !item.isBegun,
            drafts.draft(of: node)?.file == nil
        else { return nil }
        guard await !downloads.mayDownload(node, for: caller.process) else { return nil }
        // Others may have had it downloaded meanwhile.
        loads.refreshIfNeeded(node: node)
        return .error(DownloadGate.refusal)
    }
}
