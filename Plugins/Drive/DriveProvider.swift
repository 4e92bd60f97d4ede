import DriveS3
import DriveStore
package import FileProvider
import Glibc
import Synchronization

/// The documents of a drive: one tree on all the user's machines, over an object store or a directory, encrypted.
///
/// Identifiers are those of the drive and never change; versions are the drive's versions. The state of this device is
/// in the domain's directory: it is complete in itself, so listing and describing items needs no request.
package final class DriveProvider: ReplicatedFileProvider {
    /// Everything that the drive can do.
    package static var features: ProviderFeatures {
        [.write, .delete, .move, .changes, .resume, .ranges, .signIn, .actions]
    }

    private struct Session {
        let secret: DriveCredential
        let device: DriveDevice
    }

    private let settings: [String: String]
    private let folder: String?
    private let directory: String
    let host: FileProviderHost
    private let session = Mutex<Session?>(nil)
    let observation = Observation()
    /// When somebody last listed a folder and news was looked for.
    private let freshened = Mutex<ContinuousClock.Instant?>(nil)
    /// Changes of one item run one after the other.
    let changes = ItemOrder<ItemIdentifier>()

    /// The provider of one drive. Does not send a request yet.
    ///
    /// The domain's folder is a directory store. Without one, its settings are `url`, an address `s3://BUCKET/PREFIX`;
    /// `endpoint`, the server's address; `region`; `device`, the name of this machine;
    /// `certificateAuthorityData`, certificates in PEM that are trusted instead of the system's.
    package init(domain: FileProviderDomain, host: FileProviderHost) throws {
        settings = domain.settings
        folder = domain.folder
        directory = domain.documentStorage
        self.host = host
    }

    /// The store that the domain names.
    func store(_ credential: S3Credential?) throws -> any ObjectStore {
        if let folder { return DirectoryStore(folder) }
        guard let url = settings["url"] else {
            throw FileProviderError(
                .invalidArgument, "The domain has no url. Give the address of a place for a drive: s3://BUCKET/PREFIX.")
        }
        guard let credential else { throw FileProviderError(.notAuthenticated, "The store needs an access key.") }
        do {
            let location = try S3Location(
                url, endpoint: settings["endpoint"], region: settings["region"] ?? "us-east-1")
            return S3Store(location, credential, certificateAuthority: settings["certificateAuthorityData"])
        } catch {
            throw FileProviderError(.invalidArgument, error.explanation)
        }
    }

    /// Refuses a network file system as a store: it does not decide races between machines.
    func checkFolder() throws {
        guard let folder else { return }
        guard try DirectoryStore(folder).allowsManyWriters else {
            throw FileProviderError(
                .notSupported,
                "\(folder) is on a network file system, where two machines could overwrite each other's changes. "
                    + "Use a disk, or a server that speaks S3.")
        }
    }

    /// The name of this machine for people.
    var deviceName: String {
        if let name = settings["device"], !name.isEmpty { return String(name.prefix(64)) }
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "machine" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The sandbox has a host name of its own.
        return name.isEmpty || name == "docent" ? "machine" : name
    }

    /// The signed-in device.
    func device() throws -> DriveDevice {
        guard let device = session.withLock({ $0?.device }) else {
            throw FileProviderError(.notAuthenticated, "The drive is locked. Sign in with `docent login`.")
        }
        return device
    }

    /// The signed-in device with what speaks to the store beside it.
    struct Opened {
        let device: DriveDevice
        let store: any ObjectStore
    }

    /// The signed-in device with its store.
    func opened() throws -> Opened {
        let device = try device()
        guard let secret = session.withLock({ $0?.secret }) else {
            throw FileProviderError(.notAuthenticated, "The drive is locked. Sign in with `docent login`.")
        }
        return Opened(device: device, store: try store(secret.access))
    }

    /// Where the drive is, for people.
    var storeName: String { folder ?? settings["url"] ?? "" }

    /// Opens the drive with its keys, joins it if this device has not, and reads what is new.
    package func signIn(_ credential: Credential) async throws -> String? {
        if !credential.isEmpty || session.withLock({ $0 == nil }) {
            let secret = try DriveCredential(credential)
            // The same credential comes again; the drive stays open.
            if session.withLock({ $0?.secret }) != secret {
                observation.stop()
                session.withLock { $0 = nil }
                let device = try await open(secret)
                try await drive { () async throws(DriveError) in try await device.remember(secret.view) }
                session.withLock { $0 = Session(secret: secret, device: device) }
            }
        }
        try await synchronize(try device())
        return nil
    }

    /// Opens the state of this device. A former instance of the domain may need a moment to let go of it.
    private func open(_ secret: DriveCredential) async throws -> DriveDevice {
        let state = directory + "/drive-\(secret.keys.drive)"
        guard mkdir(state, 0o700) == 0 || errno == EEXIST else {
            throw FileProviderError(.failed, "\(state) cannot be created: \(String(cString: strerror(errno))).")
        }
        let store = try store(secret.access)
        let name = deviceName
        for attempt in 1...20 {
            do throws(DriveError) {
                return try DriveDevice(
                    store: store, keys: secret.keys, deviceKeys: secret.device, name: name, directory: state)
            } catch {
                guard case .local = error, attempt < 20 else { throw Self.error(error) }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw FileProviderError(.failed, "The state of this device cannot be opened.")
    }

    /// Locks the drive: the keys leave the memory with the device.
    package func signOut() async {
        observation.stop()
        session.withLock { $0 = nil }
    }

    /// Reads what is new, unless that was done a moment ago. Without the store, what is known here must do.
    func freshen() async throws {
        let device = try device()
        let now = ContinuousClock.now
        let isDue = freshened.withLock { last in
            if let last, now - last < .seconds(2) { return false }
            last = now
            return true
        }
        guard isDue else { return }
        do {
            try await synchronize(device)
        } catch let error as FileProviderError where error.code == .serverUnreachable {}
    }

    /// Sends what is here alone, and reads what is new. What must not happen is written to the log.
    func synchronize(_ device: DriveDevice) async throws {
        let known = await device.alarms
        do throws(DriveError) {
            try await device.append()
            try await device.read()
            // Another machine may wait for this one's acknowledgement.
            try await device.append()
        } catch {
            throw Self.error(error)
        }
        for alarm in await device.alarms.subtracting(known) {
            host.log("The drive's store is not as it should be: \(alarm.error.explanation)")
        }
    }

    /// Runs a call of the drive, and translates its errors.
    func drive<Value>(_ body: () throws(DriveError) -> Value) throws -> Value {
        do throws(DriveError) { return try body() } catch { throw Self.error(error) }
    }

    /// Runs a call of the drive, and translates its errors.
    func drive<Value: Sendable>(_ body: () async throws(DriveError) -> Value) async throws -> Value {
        do throws(DriveError) { return try await body() } catch { throw Self.error(error) }
    }

    /// What the host should do about an error.
    static func error(_ error: DriveError) -> FileProviderError {
        switch error {
        case .unreachable(let text): FileProviderError(.serverUnreachable, text)
        case .denied(let text), .removed(let text): FileProviderError(.notAuthenticated, text)
        case .notPermitted(let text): FileProviderError(.notPermitted, text)
        case .full(let text): FileProviderError(.insufficientQuota, text)
        case .invalid(let text): FileProviderError(.noSuchItem, text)
        case .notArrived(let text): FileProviderError(.busy, text, retryAfter: 5)
        case .malformed(let text), .tampered(let text), .missing(let text), .rolledBack(let text), .forked(let text),
            .local(let text):
            FileProviderError(.failed, text)
        }
    }
}
