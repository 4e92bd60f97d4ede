import DriveS3
import DriveStore
import FileProvider

/// The secret of a signed-in drive, as the keyring keeps it: the keys of the drive and of this device, and what the
/// store wants to see.
struct DriveCredential: Hashable, Sendable {
    let keys: DriveKeys
    let device: DeviceKeys
    let access: S3Credential?

    init(keys: DriveKeys, device: DeviceKeys, access: S3Credential?) {
        self.keys = keys
        self.device = device
        self.access = access
    }

    /// Reads what ``credential`` made.
    init(_ credential: Credential) throws {
        do throws(DriveError) {
            guard let bytes = Hexadecimal.bytes(credential.secret ?? ""), !bytes.isEmpty,
                case .map(let map) = try CBORDecoder.decode(bytes), let keys = map[1], case .bytes(let seed)? = map[2]
            else { throw .malformed("no credential") }
            self.keys = try DriveKeys(keys)
            device = try DeviceKeys(seed: seed)
            if case .text(let accessKey)? = map[3], case .text(let secretKey)? = map[4] {
                access = S3Credential(accessKey: accessKey, secretKey: secretKey)
            } else {
                access = nil
            }
        } catch {
            throw FileProviderError(.notAuthenticated, "The drive is locked. Sign in with `docent login`.")
        }
    }

    /// What the host stores.
    var credential: Credential {
        let value = CBOR.map([
            1: keys.value, 2: .bytes(device.seed), 3: access.map { .text($0.accessKey) } ?? .null,
            4: access.map { .text($0.secretKey) } ?? .null,
        ])
        return Credential(kind: .token, secret: Hexadecimal.text(value.encoded))
    }
}
