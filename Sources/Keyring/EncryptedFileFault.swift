/// Why `docent-keyring-file` did not do what it was asked.
enum EncryptedFileFault: Error {
    /// The file is there, and the password opens nothing in it.
    case wrongPassword
    /// The file is none of libsecret's.
    case damaged(String)
    /// Anything else, in the words of libsecret.
    case failed(String)

    var name: String {
        switch self {
        case .wrongPassword: "wrongPassword"
        case .damaged: "damaged"
        case .failed: "failed"
        }
    }

    var message: String {
        switch self {
        case .wrongPassword: ""
        case .damaged(let message), .failed(let message): message
        }
    }

    init(name: String, message: String) {
        self =
            switch name {
            case "wrongPassword": .wrongPassword
            case "damaged": .damaged(message)
            default: .failed(message)
            }
    }
}
