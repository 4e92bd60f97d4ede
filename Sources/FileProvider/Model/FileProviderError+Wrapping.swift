import FoundationEssentials
import Glibc

extension FileProviderError {
    /// Converts any error. Errors of this type stay as they are; those of the C library and of Foundation get the
    /// matching code; all others become ``Code/failed`` with one ``ErrorDetail`` that has the name of their type, their
    /// code and their message.
    public init(wrapping error: any Error) {
        switch error {
        case let error as FileProviderError: self = error
        case let error as SystemFailure: self = error.providerError
        case let error as POSIXError:
            self.init(
                Code(systemError: error.code.rawValue), "The operation failed.",
                underlying: [
                    ErrorDetail(
                        domain: "NSPOSIXErrorDomain", code: Int(error.code.rawValue),
                        text: SystemFailure.text(error.code.rawValue))
                ])
        case let error as CocoaError:
            let text = error.userInfo["NSLocalizedDescription"] as? String ?? String(describing: error)
            var details = [ErrorDetail(domain: "NSCocoaErrorDomain", code: error.code.rawValue, text: text)]
            if let cause = error.underlying { details += FileProviderError(wrapping: cause).chain }
            self.init(Code(cocoaError: error.code.rawValue), text, underlying: details)
        case is CancellationError: self.init(.failed, "The call was cancelled.")
        default:
            let text = String(describing: error)
            self.init(
                .failed, text, underlying: [ErrorDetail(domain: error._domain, code: error._code, text: text)])
        }
    }
}

extension FileProviderError.Code {
    /// The code that matches an `errno`.
    init(systemError: CInt) {
        self =
            switch systemError {
            case ENOENT, ENOTDIR, ESTALE: .noSuchItem
            case EEXIST: .filenameCollision
            case ENOTEMPTY: .directoryNotEmpty
            case ENOSPC, EDQUOT, EFBIG: .insufficientQuota
            case EACCES, EPERM, EROFS, ELOOP, EXDEV, ETXTBSY: .notPermitted
            case EINVAL, ENAMETOOLONG: .invalidArgument
            case EOPNOTSUPP, ENOSYS: .notSupported
            case ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ETIMEDOUT, ENETDOWN, ENOTCONN: .serverUnreachable
            default: .failed
            }
    }

    /// The code that matches a code of the Cocoa domain.
    fileprivate init(cocoaError: Int) {
        self =
            switch cocoaError {
            case 4, 260: .noSuchItem
            case 516: .filenameCollision
            case 640, 4354: .insufficientQuota
            case 257, 513, 642: .notPermitted
            case 4355: .serverUnreachable
            default: .failed
            }
    }
}
