/// Why `docent-keyring-file` failed.
enum EncryptedFileFault: Error {
    /// The file exists, and the password opens nothing in it.
    case wrongPassword
    /// The file is not one of libsecret's.
    case damaged(String)
    /// Any other error, with libsecret's message.
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
