/// An environment variable that a program of Docent's, or a script of its tree, reads.
package struct EnvironmentVariable: Sendable {
    /// For whom it is: each has a table in docs/environment.md.
    package enum Audience: String, Sendable, CaseIterable {
        /// `docent`, and programs that use the SDK for clients.
        case clients
        /// `docentd`.
        case daemon
        /// What the system sets.
        case system
        /// Providers, in their sandboxes.
        case providers
        /// Service programs of the validator, and the validator itself.
        case services
        /// Who builds and tests Docent.
        case building
    }

    /// Its name; several that mean alike, or stand for each other in this order.
    package let names: [String]
    /// For whom it is.
    package let audience: Audience
    /// What it means, in Markdown.
    package let meaning: String
    /// What holds where it is not set, in Markdown; empty where that means nothing.
    package let otherwise: String

    private init(_ names: [String], _ audience: Audience, _ meaning: String, otherwise: String = "") {
        self.names = names
        self.audience = audience
        self.meaning = meaning
        self.otherwise = otherwise
    }

    /// Every one that is read anywhere. `Scripts/generate-environment.py` makes the tables of docs/environment.md from this list, and
    /// a test finds whatever is read without being here.
    package static let all: [EnvironmentVariable] = [
        .init(
            ["DOCENT_SOCKET"], .clients,
            """
            the daemon's socket. No daemon is ever started for a socket that was given: it may have been made \
            for this one client
            """,
            otherwise: "see `XDG_RUNTIME_DIR`"),
        .init(
            ["DOCENT_DAEMON"], .clients,
            "the daemon program to start",
            otherwise: """
                `docentd` beside the program, in `../libexec/docent`, in `/usr/local/libexec/docent`, in \
                `/usr/libexec/docent`, on `PATH`, in the prefix of the `docent` on `PATH`
                """),
        .init(
            ["DOCENT_VALIDATOR"], .clients,
            "the program that runs the cases of `docent provider validate`",
            otherwise: "`docent-provider-validator`, in the same places"),
        .init(
            ["DOCENT_SERVICES"], .clients,
            "the directory of the service programs `directory`, `webdav` and `sftp` of `docent provider validate`",
            otherwise:
                "`services` beside the validator, else `packaging/services` of the source tree that it was built in"),
        .init(
            ["DOCENT_LOG_FILE"], .clients,
            "where a daemon that is started by a client logs to; appended",
            otherwise: "its log goes nowhere"),
        .init(
            ["DOCENT_TEMPLATES"], .clients,
            "the templates of `docent provider init`; the SDK is looked for beside them",
            otherwise: """
                `share/docent/templates` of the prefix that `docent` is installed in, else those of the source \
                tree that it was built in
                """),
        .init(
            ["DOCENT_ASKPASS", "SSH_ASKPASS"], .clients,
            """
            the program that `docent login` asks for a secret where there is no terminal, the first of them that is set: \
            the question is its argument, its output the answer
            """,
            otherwise: "then a secret must be given by `--secret-fd`, `--askpass` or `--password-stdin`"),
        .init(
            ["BROWSER"], .clients,
            """
            programs that open an address for `docent login`, separated by colons; `%s` in one is the address, \
            else it is added
            """,
            otherwise: "`xdg-open`, if `DISPLAY` or `WAYLAND_DISPLAY` is set"),
        .init(
            ["DOCENT_MANIFEST_PATH"], .daemon,
            """
            more directories of manifests, separated by colons, looked at first; also for `docent provider \
            validate`
            """,
            otherwise: "none"),
        .init(
            ["DOCENT_LIBRARY_PATH"], .daemon,
            """
            more directories of providers' libraries, separated by colons, looked at last; also for `docent \
            provider validate`
            """,
            otherwise: "none"),
        .init(
            ["DOCENT_IDLE_SECONDS"], .daemon,
            "seconds without any work after which the daemon leaves; 0: never",
            otherwise: "60"),
        .init(
            ["DOCENT_EXTENSION_IDLE_SECONDS"], .daemon,
            "seconds without a call after which a provider's process is ended; 0: never",
            otherwise: "60"),
        .init(
            ["DOCENT_RESUME_SECONDS"], .daemon,
            """
            seconds after a restart of the daemon in which a client may take up the write sessions that it \
            had; later they become recovered versions; 0 means at once
            """,
            otherwise: "60"),
        .init(
            ["DOCENT_PROVIDER_DEADLINE_SECONDS"], .daemon,
            """
            seconds that a provider may take for one call without telling progress; for a transfer, without \
            one more byte
            """,
            otherwise: "60"),
        .init(
            ["DOCENT_CLAIM_SECONDS"], .daemon,
            """
            seconds that a claim which does not say how long waits for its turn \
            ([coordination.md](clients/coordination.md))
            """,
            otherwise: "300"),
        .init(
            ["DOCENT_PRESENTER_DEADLINE_SECONDS"], .daemon,
            """
            seconds in which a program that shows a document answers when it is asked to save or to let go \
            ([coordination.md](clients/coordination.md))
            """,
            otherwise: "20"),
        .init(
            ["DOCENT_PICK_SECONDS"], .daemon,
            """
            seconds for which a program's request that you choose a document waits for your answer \
            ([identity.md](identity.md))
            """,
            otherwise: "600"),
        .init(
            ["DOCENT_AUDIT_DAYS"], .daemon,
            """
            days that an entry of the audit is kept (`docent log`); may be a fraction \
            ([isolation.md](isolation.md))
            """,
            otherwise: "180"),
        .init(
            ["DOCENT_TRANSIENT_SECONDS"], .daemon,
            """
            seconds for which the right to a document stays that a client was given and did not take, after \
            the last session of the client has ended ([isolation.md](isolation.md))
            """,
            otherwise: "60"),
        .init(
            ["DOCENT_LISTING_ITEMS"], .daemon,
            "the most items that the listing of one folder may have; more fail it",
            otherwise: "200000, in place 1000000"),
        .init(
            ["DOCENT_FRESH_SECONDS"], .daemon,
            "seconds for which what a remote provider said is taken as true without asking again; 0: always ask",
            otherwise: "10"),
        .init(
            ["DOCENT_POLL_SECONDS"], .daemon,
            "seconds between two looks for changes at a remote provider, more while nothing changes; 0: never",
            otherwise: "30"),
        .init(
            ["DOCENT_MINIMUM_FREE_BYTES"], .daemon,
            "bytes that must stay free on the disk beside local copies of remote documents",
            otherwise: "268435456 (256 MiB)"),
        .init(
            ["DOCENT_LOG_LEVEL"], .daemon,
            "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`; the log goes to standard error",
            otherwise: "`info`"),
        .init(
            ["DOCENT_PROVIDER_MEMORY", "DOCENT_PROVIDER_DISK"], .daemon,
            """
            the most memory, and room in its container, that any provider may use, whatever its manifest asks \
            for: `512 MiB`, `2 GB` or bytes. A text that is no size counts as the default
            """,
            otherwise: "what the manifest asks for"),
        .init(
            ["DOCENT_PROVIDER_PROCESSES", "DOCENT_PROVIDER_FILES", "DOCENT_PROVIDER_PROCESSOR_WEIGHT"], .daemon,
            """
            the same for processes and threads, files in its container, and its share of a busy processor (1 \
            to 100)
            """,
            otherwise: "what the manifest asks for"),
        .init(
            ["DOCENT_EXTENSION_HOST"], .daemon,
            "the program that runs providers",
            otherwise: "`docent-extension-host` beside the daemon"),
        .init(
            ["DOCENT_KEYRING_PASSWORD_FILE"], .daemon,
            """
            the file with the master password of the encrypted file for secrets; only you may be able to read \
            it ([keyring.md](keyring.md))
            """,
            otherwise:
                "the systemd credential `docent.keyring-password`, which also comes first; else that file is not used"),
        .init(
            ["DOCENT_SEALED_FILE"], .daemon,
            """
            1: new secrets go to the sealed file where there is no better place, without `--sealed-file` \
            ([keyring.md](keyring.md))
            """,
            otherwise: "only with `--sealed-file`"),
        .init(
            ["DOCENT_KEYRING_FILE_PROGRAM"], .daemon,
            "the program that reads and writes the encrypted file",
            otherwise: "`docent-keyring-file` beside the daemon"),
        .init(
            ["DOCENT_SWIFT_RUNTIME"], .daemon,
            "the directory of the Swift runtime that providers see",
            otherwise: """
                that of the toolchain a provider was built with, if it is here; else where the daemon's own is, \
                else `lib/swift` of the prefix it is installed in
                """),
        .init(
            ["XDG_RUNTIME_DIR"], .system,
            "the socket is `docent/docent.sock` in it",
            otherwise: """
                `/run/user/UID`, else `docent/run` in the state directory. A directory counts if it is yours, \
                writable by nobody else, and its name not too long for a socket
                """),
        .init(
            ["XDG_DATA_HOME"], .system,
            """
            `docent` in it has rights, journal, what is still to be sent, and containers; `docent/manifests` a \
            user's manifests
            """,
            otherwise: "`~/.local/share`"),
        .init(
            ["XDG_DATA_DIRS"], .system,
            "`docent/manifests` in each has the system's manifests",
            otherwise: "`/usr/local/share:/usr/share`"),
        .init(
            ["XDG_STATE_HOME"], .system,
            "see `XDG_RUNTIME_DIR`",
            otherwise: "`~/.local/state`"),
        .init(
            ["XDG_DOCUMENTS_DIR"], .system,
            """
            the folder for documents, where `user-dirs.dirs` in the configuration directory names none: what \
            LocalFolder shows, and what a home-relative entitlement `Documents` means. One that no entitlement \
            may name, such as the home, counts as unset
            """,
            otherwise: "`~/Documents`"),
        .init(
            ["XDG_CONFIG_HOME", "XDG_CACHE_HOME"], .system,
            "`docent` in them is never opened to a provider, whatever its manifest asks for",
            otherwise: "`~/.config`, `~/.cache`"),
        .init(
            ["HOME"], .system,
            "what home-relative entitlements are relative to"),
        .init(
            ["CREDENTIALS_DIRECTORY"], .system,
            "where the systemd credentials lie that `docent domains add --credential` names",
            otherwise: "such domains cannot sign in"),
        .init(
            ["DBUS_SESSION_BUS_ADDRESS"], .system,
            "the session bus, on which the keyring is looked for ([keyring.md](keyring.md))",
            otherwise: "`bus` in `XDG_RUNTIME_DIR`"),
        .init(
            ["LISTEN_PID", "LISTEN_FDS"], .system,
            "the service manager's socket, as systemd gives it",
            otherwise: "the daemon makes its own"),
        .init(
            ["TMPDIR"], .system,
            "where `docent write` keeps its input for a document that does not exist yet",
            otherwise: "`/var/tmp`"),
        .init(
            ["DOCENT_LOOPBACK_LISTENER"], .providers,
            """
            the descriptor of the provider's listening socket, in its sandbox; the extension host sets it \
            ([sandbox-base.md](providers/sandbox-base.md))
            """,
            otherwise: "it has none"),
        .init(
            ["DOCENT_SERVICE_SETTING_KEY"], .services,
            "the setting `KEY` of the domain, as `--setting` gave it; for keys of letters, digits and `_`",
            otherwise: "the domain has no such setting"),
        .init(
            ["DOCENT_SERVICE_FOLDER"], .services,
            "the directory of `--folder`",
            otherwise: "none was given"),
        .init(
            ["DOCENT_SERVICE_USERNAME", "DOCENT_SERVICE_PASSWORD_FILE"], .services,
            "what `--username` and `--password-file` gave",
            otherwise: "none was given"),
        .init(
            ["DOCENT_SERVICE_HOME"], .services,
            "the home that the provider has in the case",
            otherwise: "outside a case"),
        .init(
            ["DOCENT_SERVICE_STORAGE"], .services,
            "the provider's own storage in the case",
            otherwise: "outside a case"),
        .init(
            ["DOCENT_SERVICE_SFTP_OPTIONS"], .services,
            """
            further arguments of `sftp` for the service program `sftp`, divided by spaces; set by who runs the \
            validator
            """,
            otherwise: "none"),
        .init(
            ["DOCENT_SERVICE_PROGRAM"], .services,
            "the number of the run, by which the validator finds what a service program has left running"),
        .init(
            ["DOCENT_VALIDATION_PLACE"], .services,
            "the directory of the run, by which the processes of a case find it and are found",
            otherwise: "a directory is made"),
        .init(
            ["DOCENT_VALIDATION_TMPDIR"], .services,
            "`TMPDIR` as it was before the run",
            otherwise: "it was not set"),
        .init(
            ["PREFIX", "DESTDIR"], .building,
            "where `make install` puts things",
            otherwise: "`/usr/local`, none"),
        .init(
            ["DOCENT_INSTALL_BINARIES"], .building,
            """
            programs, plugins and compiled modules that `Scripts/install.sh install` takes instead of building \
            them, for tests
            """,
            otherwise: "they are built for release"),
        .init(
            ["DOCENT_SDK_SOURCES"], .building,
            "set for `swift build` of a provider's package: the SDK is built from its sources",
            otherwise: "what came with Docent compiled is used, if the compiler is the one that it was made with"),
        .init(
            ["SETUP"], .building,
            "what `make` runs to get system packages; `true` for nothing",
            otherwise: "`Scripts/setup.sh`"),
        .init(
            ["ARGS"], .building,
            """
            `--filter` and `--skip` with regular expressions in `make check`, `make test` and `make \
            test-full`; arguments of the benchmarks in `make bench`
            """,
            otherwise: "none"),
        .init(
            ["SEED"], .building,
            "which sample `make test` takes: a number",
            otherwise: "the number of commits"),
        .init(
            ["DOCENT_TEST_PLACE", "DOCENT_TEST_USER"], .building,
            "where root's copy of the tree is built, and the ordinary user that root becomes",
            otherwise: "`/var/tmp/docent-test-build`, `docent-test`"),
        .init(
            ["DOCENT_TEST_BINARIES"], .building,
            "programs and plugins that integration tests and `make demo` use",
            otherwise: "those that were just built"),
        .init(
            ["DOCENT_TEST_PYTHON"], .building,
            """
            a Python that has the package `varlink`, for tests of other languages' clients; beside it lie \
            `rclone` and `weed`, for tests and benchmarks with servers
            """,
            otherwise: """
                made in `.build-python` by `make test` and `make bench`; for the scripts in `Tests/Servers` \
                `/var/tmp/docent-test-venv/bin/python`
                """),
        .init(
            ["DOCENT_TEST_SERVERS"], .building,
            "the directory with those servers of Debian's packages that tests start",
            otherwise: "`.build-servers`, made by `make test`"),
        .init(
            ["DOCENT_TEST_MODULES"], .building,
            "the Swift modules from which tests make the documentation of the SDKs",
            otherwise: "those that were just built"),
        .init(
            ["DOCENT_TEST_CAPACITY"], .building,
            """
            how many units of load run at the same time: a daemon is two, a compiler four \
            (`Tests/DocentTestSupport/Admission/Need.swift`)
            """,
            otherwise: "4 for each processor, and up to three times as much while processors have nothing to do"),
        .init(
            ["DOCENT_TEST_SEED", "DOCENT_TEST_TIMINGS", "DOCENT_TEST_POOL_REPORT"], .building,
            """
            set by `Scripts/run-tests.py` for the test processes: the seed, a file for how long each test \
            took, and one for who blocked the threads of Swift's tasks
            """,
            otherwise: "everything is taken; none; standard error"),
        .init(
            ["DOCENT_TEST_RCLONE_CACHE"], .building,
            "rclone's `--vfs-cache-mode` where it is a server",
            otherwise: "`off`"),
        .init(
            ["DOCENT_TEST_PASSWORD"], .building,
            "the password of the account of the identity server in `Tests/Servers`; its script sets it"),
        .init(
            ["DOCENT_TEST_KILL_ROUNDS"], .building,
            "two numbers: the first seed of the kill tests, and that after the last; `make kill-table` sets it",
            otherwise: "a part of forty that `SEED` chooses"),
        .init(
            ["DOCENT_TEST_KILL_RESULTS"], .building,
            "a file to which the kill tests add their tallies",
            otherwise: "none"),
        .init(
            ["DOCENT_FUZZ_ROUNDS", "DOCENT_FUZZ_SEED"], .building,
            "how often each reader of foreign bytes gets mutated bytes in the tests, and from which seed",
            otherwise: "4000, and 5; in `make test-full` as long as there is time, and any"),
        .init(
            ["DOCENT_TEST_FINDINGS"], .building,
            "a file to which the survey of WebDAV servers adds what it finds; `make server-table` sets it",
            otherwise: "none; it is compared with `Tests/Servers/findings.json`"),
        .init(
            ["DOCENT_RIGHTS_BENCHMARK"], .building,
            "the program that measures rights; `make bench` sets it",
            otherwise: "that beside the installed programs"),
        .init(
            ["DOCENT_TEST_CRASH_AFTER"], .building,
            "the daemon kills itself after this step of a write, for tests of recovery",
            otherwise: "never"),
        .init(
            ["DOCENT_TEST_CRASH_AFTER_MOVE"], .building,
            "the same for `docent move` and its steps",
            otherwise: "never"),
    ]
}
