import Foundation

/// Every way in which a careless provider might reveal a secret.
enum Telling {
    static func text(_ secret: String, _ username: String) -> String {
        let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let basic = Data("\(username):\(secret)".utf8).base64EncodedString()
        return "plain \(secret), escaped \(escaped), base64 \(Data(secret.utf8).base64EncodedString()), "
            + "Authorization: Basic \(basic), end"
    }
}
