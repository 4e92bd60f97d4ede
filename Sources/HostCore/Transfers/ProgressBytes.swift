import DocentInterfaces
package import Varlink

/// How many bytes the replies of the calls that tell progress speak of.
package enum ProgressBytes {
    /// Bytes that are there, in a reply that says so.
    package static func completed(in reply: any VarlinkMessage) -> Int? {
        switch reply {
        case let reply as FileProviderInterface.Fetch.Reply: reply.completedBytes
        case let reply as FileProviderInterface.Create.Reply: reply.completedBytes
        case let reply as FileProviderInterface.Modify.Reply: reply.completedBytes
        case let reply as FileProviderInterface.Provide.Reply: reply.completedBytes
        case let reply as DocumentPickerInterface.Choose.Reply: reply.completedBytes
        default: nil
        }
    }

    /// Whether a reply tells of more bytes than there were before its call; a download may have begun again from its
    /// start.
    package static func hasGained(_ reply: any VarlinkMessage, _ parameters: any VarlinkMessage) -> Bool {
        guard let completed = completed(in: reply) else { return false }
        let began = (reply as? FileProviderInterface.Fetch.Reply)?.offset
        return completed > began ?? (parameters as? FileProviderInterface.Fetch.Parameters)?.offset ?? 0
    }
}
