import Access
import DocentInterfaces
import ExtensionManifest
import HostCore
import HostServices
import Storage
import Varlink

extension HostAssembly {
    /// The methods of every interface that the daemon serves.
    func interfaces(for sessions: SessionRegistry, control: DaemonControl) -> [MethodTable] {
        let picks = PickHarness(broker: broker, picker: picker, writes: writes)
        let grantHarness = GrantHarness(sessions: sessions, grants: grants, documents: documents)
        var documentsTable = DocumentsHarness.table(
            sessions: sessions, documents: documents, writes: writes, coordination: coordination,
            news: changes.told, mover: mover, packages: packages, serving: serving)
        VersionHarness.add(
            to: &documentsTable, sessions: sessions, documents: documents, versions: versions, writes: writes)
        let searchHarness = SearchHarness(sessions: sessions, search: search)
        searchHarness.add(toDocuments: &documentsTable)
        let recentHarness = RecentHarness(sessions: sessions, recents: recents)
        recentHarness.add(toDocuments: &documentsTable)
        WatchHarness.add(to: &documentsTable, sessions: sessions, watch: watch, values: values)
        ThumbnailHarness.add(to: &documentsTable, sessions: sessions, thumbnails: thumbnails)
        var pickerTable = PickerHarness.table(
            sessions: sessions, picker: picker, writes: writes, coordination: coordination)
        recentHarness.add(toPicker: &pickerTable)
        picks.add(toDocuments: &documentsTable, sessions)
        grantHarness.add(toDocuments: &documentsTable)
        return [
            documentsTable,
            pickerTable,
            AdministrationHarness.table(
                administration: administration, control: control,
                transfers: TransferHarness(
                    transfers: transfers, domains: domains, remote: remoteAdministrator, rules: versionRules),
                claims: ClaimsHarness(coordination: coordination, gateway: gateway), picks: picks,
                grants: grantHarness, signIn: SignInHarness(logins: logins, logouts: logouts),
                log: LogHarness(sessions: sessions, log: log, why: why), search: searchHarness,
                trash: TrashHarness(sessions: sessions, trash: trash, writes: writes),
                holds: HoldHarness(holds: holds), actions: ActionHarness(actions: actions)),
        ]
    }

    private var serving: Wire.Serving {
        let environment = ManifestEnvironment(variables: configuration.environment)
        let search = ManifestSearchPath(environment: environment)
        let folders = ["HOME", "XDG_CONFIG_HOME", UserFolders.documentsVariable]
        return Wire.Serving(
            version: DaemonControl.version, dataDirectory: layout.dataDirectory.text,
            manifests: search.directories.map(\.path), libraries: environment.libraryPath,
            folders: configuration.environment.filter { folders.contains($0.key) })
    }
}
