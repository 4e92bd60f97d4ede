import DocentInterfaces
package import Varlink

/// The byte counts in replies of calls that report progress.
package enum ProgressBytes {
    /// The completed bytes, if the reply reports them.
    package static func completed(in reply: any VarlinkMessage) -> Int? {
        switch reply {
        case let reply as FileProviderInterface.Fetch.Reply: reply.completedBytes
        case let reply as FileProviderInterface.FetchRange.Reply: reply.completedBytes
        case let reply as FileProviderInterface.FetchVersion.Reply: reply.completedBytes
        case let reply as FileProviderInterface.Create.Reply: reply.completedBytes
        case let reply as FileProviderInterface.Modify.Reply: reply.completedBytes
        case let reply as FileProviderInterface.Provide.Reply: reply.completedBytes
        case let reply as DocumentPickerInterface.Choose.Reply: reply.completedBytes
        default: nil
        }
    }

    /// Whether a reply reports more bytes than there were before its call; a download may have started over.
    package static func hasGained(_ reply: any VarlinkMessage, _ parameters: any VarlinkMessage) -> Bool {
        guard let completed = completed(in: reply) else { return false }
        let began = (reply as? FileProviderInterface.Fetch.Reply)?.offset
        return completed > began ?? (parameters as? FileProviderInterface.Fetch.Parameters)?.offset ?? 0
    }
}
