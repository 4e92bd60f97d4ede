import DocentInterfaces

/// The host's call in which an author's code runs. A claim made there names it, so that the host can tell a deadlock
/// (the provider waits for the reader that waits for it) from an ordinary wait.
struct HostCall: Hashable, Sendable {
    /// The call of this task, and of the tasks that it starts with `Task { }`.
    @TaskLocal static var current: HostCall?
    /// The claims that this task holds while its accessor runs.
    @TaskLocal static var claims: [String] = []

    /// "Method domain identifier", or the operation of a call that has no item yet.
    let text: String

    /// Creates a call from its parameters; nil if they name no item.
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

/// A call with an operation identifier.
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
extension FileProviderInterface.FetchVersion.Parameters: ItemCall {}
extension FileProviderInterface.RestoreVersion.Parameters: ItemCall {}
extension FileProviderInterface.StopProviding.Parameters: ItemCall {}
extension FileProviderInterface.TrashItem.Parameters: ItemCall {}

extension FileProviderInterface.BeginPackage.Parameters: OperationCall {}
extension FileProviderInterface.CommitPackage.Parameters: OperationCall {}
extension FileProviderInterface.Create.Parameters: OperationCall {}
extension FileProviderInterface.RestoreItem.Parameters: OperationCall {}

extension DocumentPickerInterface.Choose.Parameters: OperationCall {
    var operation: String { session }
}
