/// Where the classes of iOS 8 run: one call at a time, with others between at each `await`. A method that blocks
/// holds up all calls of its extension.
@globalActor
public actor ExtensionActor {
    /// The one actor.
    public static let shared = ExtensionActor()
}
