import Documents
import FileSystemMessages

extension ViewServer {
    /// What a program gets that opens a document.
    enum Admission: Sendable {
        /// It may have the content. If that is to be downloaded, this program is the cause.
        case admitted(AskingProgram?)
        case refused(KernelReply)
    }

    /// Whether a program may have the content of a document downloaded, if it is not on this machine.
    func admission(to node: UInt64, of caller: KernelRequest.Caller) async -> Admission {
        guard let item = tree.item(of: node), !item.isDownloaded, !item.isLocal, !item.isBegun,
            drafts.draft(of: node)?.file == nil
        else { return .admitted(nil) }
        let (isAdmitted, asking) = await downloads.mayDownload(node, for: caller.process)
        guard !isAdmitted else { return .admitted(asking) }
        // Others may have had it downloaded meanwhile.
        loads.refreshIfNeeded(node: node)
        return .refused(.error(DownloadGate.refusal))
    }
}
