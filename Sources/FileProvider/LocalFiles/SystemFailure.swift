import Glibc

/// A failed system call.
struct SystemFailure: Error, Sendable {
    /// The `errno`, positive.
    let code: CInt
    /// What was attempted, as the end of "cannot …".
    let attempt: String

    init(_ code: CInt, _ attempt: String) {
        self.code = code
        self.attempt = attempt
    }

    /// Returns the result of a CLinux shim, or throws the error that a negative value stands for.
    @discardableResult
    static func check<Result: SignedInteger>(
        _ result: Result, _ attempt: @autoclosure () -> String
    ) throws(SystemFailure) -> Result {
        guard result < 0 else { return result }
        throw SystemFailure(CInt(-result), attempt())
    }

    /// The C library's text for an `errno`.
    static func text(_ code: CInt) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }

    /// The error that an author or the host sees.
    var providerError: FileProviderError {
        let reason = Self.text(code)
        return FileProviderError(
            FileProviderError.Code(systemError: code), "Cannot \(attempt): \(reason).",
            underlying: [ErrorDetail(domain: "NSPOSIXErrorDomain", code: Int(code), text: reason)])
    }
}
