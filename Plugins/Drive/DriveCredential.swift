import DriveS3
import DriveStore
import FileProvider

/// The secret of a signed-in drive, as the keyring keeps it: the keys of the drive and of this device, and what the
/// store wants to see.
struct DriveCredential: Hashable, Sendable {
    let keys: DriveKeys
    let device: DeviceKeys
    let access: S3Credential?
    /// What the machine that let this one in knew of all heads; empty for one that came in otherwise.
    let view: [DriveDevice.HeadView]

    init(keys: DriveKeys, device: DeviceKeys, access: S3Credential?, view: [DriveDevice.HeadView] = []) {
        self.keys = keys
        self.device = device
        self.access = access
        self.view = view
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
            var view: [DriveDevice.HeadView] = []
            if case .array(let heads)? = map[5] {
                for head in heads { view.append(try DriveDevice.HeadView(head)) }
            }
            self.view = view
        } catch {
            throw FileProviderError(.notAuthenticated, "The drive is locked. Sign in with `docent login`.")
        }
    }

    /// What the host stores.
    var credential: Credential {
        let value = CBOR.map([
            1: keys.value, 2: .bytes(device.seed), 3: access.map { .text($0.accessKey) } ?? .null,
            4: access.map { .text($0.secretKey) } ?? .null, 5: .array(view.map(\.value)),
        ])
        return Credential(kind: .token, secret: Hexadecimal.text(value.encoded))
    }
}
