import CommandConsole
import Documents
import Glibc

/// Certificates that the user trusts for one server.
enum CertificateFile {
    private static let longest = 256 << 10

    /// The text of a PEM file.
    ///
    /// - Throws: ``DocumentsError`` if it cannot be read, has no certificate, or has a private key.
    static func text(_ path: String) throws(DocumentsError) -> String {
        let file = try LocalFile(reading: path)
        var buffer = [UInt8](repeating: 0, count: longest + 1)
        let count = pread(file.descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else {
            throw DocumentsError(.failed, "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard count <= longest, let text = String(validating: buffer[..<count], as: UTF8.self),
            text.contains("-----BEGIN CERTIFICATE-----")
        else {
            throw DocumentsError(
                .invalidArgument, "\(path) contains no certificate in PEM format.",
                suggestion: "Convert it: `openssl x509 -inform der -in FILE -out ca.pem`.")
        }
        guard !text.contains("PRIVATE KEY-----") else {
            throw DocumentsError(
                .invalidArgument, "\(path) contains a private key, which must stay private.",
                suggestion: "Give a file with only the certificates.")
        }
        return text
    }
}
