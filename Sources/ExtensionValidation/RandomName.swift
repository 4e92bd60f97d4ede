/// Unique names.
enum RandomName {
    /// Sixteen letters and digits.
    static func make() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<16).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }
}
