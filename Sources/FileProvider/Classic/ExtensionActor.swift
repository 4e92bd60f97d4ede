/// The actor that runs the classes modelled on iOS 8: one call at a time, interleaving at each `await`. A method that
/// blocks holds up all calls of its extension.
@globalActor
public actor ExtensionActor {
    /// The shared instance.
    public static let shared = ExtensionActor()
}
