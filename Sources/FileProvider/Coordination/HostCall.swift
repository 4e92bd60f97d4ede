import DocentInterfaces

/// The host's call in which an author's code runs, so that a claim made there can say so: the host then tells a provider that waits
/// for the reader who waits for it from one that merely waits (2.9, deadlock 5).
struct HostCall: Hashable, Sendable {
    /// The call of this task, and of those that it starts with `Task { }`.
    @TaskLocal static var current: HostCall?
    /// The claims in whose access this task runs.
    @TaskLocal static var claims: [String] = []

    /// "Method domain identifier", or the operation of a call that is about no item yet.
    let text: String

    /// A call by its parameters; nil if it is about no item.
    init?(_ method: String, _ parameters: Any) {
        switch parameters {
        case let call as any ItemCall: text = "\(method) \(call.domain) \(call.identifier)"
        case let call as any OperationCall: text = call.operation
        default: return nil
        }
    }
}

/// A call about an item.
protocol ItemCall {
    var domain: String { get }
    var identifier: String { get }
}

/// A call with a name of its own.
protocol OperationCall {
    var operation: String { get }
}

extension FileProviderInterface.Delete.Parameters: ItemCall {}
extension FileProviderInterface.Fetch.Parameters: ItemCall {}
extension FileProviderInterface.Item.Parameters: ItemCall {}
extension FileProviderInterface.ItemChanged.Parameters: ItemCall {}
extension FileProviderInterface.Modify.Parameters: ItemCall {}
extension FileProviderInterface.Move.Parameters: ItemCall {}
extension FileProviderInterface.OpenInPlace.Parameters: ItemCall {}
extension FileProviderInterface.Provide.Parameters: ItemCall {}
extension FileProviderInterface.ProvidePlaceholder.Parameters: ItemCall {}
extension FileProviderInterface.StopProviding.Parameters: ItemCall {}

extension FileProviderInterface.BeginPackage.Parameters: OperationCall {}
extension FileProviderInterface.CommitPackage.Parameters: OperationCall {}
extension FileProviderInterface.Create.Parameters: OperationCall {}

extension DocumentPickerInterface.Choose.Parameters: OperationCall {
    var operation: String { session }
}
