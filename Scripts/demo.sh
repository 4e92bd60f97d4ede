#!/usr/bin/env bash
# A guided tour of Docent on the command line, in its own directories: no file of yours is read or changed. Prints each
# command, runs it, checks and reports the effect; stops at the first unexpected result.
#
#   DOCENT_TEST_BINARIES   a directory with programs and plugins that are already built; then nothing is built
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ "$(id -u)" -eq 0 ]; then run_as_ordinary_user Scripts/demo.sh "$@"; fi

find_swift
cd "$root"
if [ -n "${DOCENT_TEST_BINARIES:-}" ]; then
    bin=$DOCENT_TEST_BINARIES
else
    step "building"
    # As `make test` builds it.
    build=(env DOCENT_TEST_BUILD=1 "$swift_bin/swift" build "${import_check[@]}" --scratch-path "$root/.build-tests")
    for product in docent docentd docent-extension-host docent-keyring-file docent-provider-validator docent-view LocalFolder Rclone WebDAV; do
        "${build[@]}" --product "$product"
    done
    bin=$("${build[@]}" --show-bin-path)
fi

# Short, because of the limit on the socket's path.
stage=$(mktemp -d /tmp/docent-demo.XXXXXX)
for variable in "${!XDG_@}" "${!DOCENT_@}"; do unset "$variable"; done
export HOME=$stage/home
export XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache XDG_DATA_HOME=$HOME/.local/share
export XDG_STATE_HOME=$HOME/.local/state XDG_RUNTIME_DIR=$stage/run
export DOCENT_MANIFEST_PATH=$root/manifests DOCENT_LIBRARY_PATH=$bin DOCENT_LOG_FILE=$stage/docentd.log
export PATH=$bin:$PATH
# The user's session bus would lead to the user's own keyring.
unset DBUS_SESSION_BUS_ADDRESS
install -d -m 0700 "$HOME" "$HOME/Documents" "$XDG_RUNTIME_DIR"

# Processes in the background.
helpers=()
finish() {
    local status=$?
    trap - EXIT
    docent daemon stop --force >/dev/null 2>&1 || true
    if [ ${#helpers[@]} -ne 0 ]; then
        kill "${helpers[@]}" 2>/dev/null || true
        wait "${helpers[@]}" 2>/dev/null || true
    fi
    for place in "$stage/server" "$stage/account"; do
        "$root/Tests/Servers/apache.sh" stop "$place" >/dev/null 2>&1 || true
    done
    rm -f "$stage/work/password"
    if [ $status -ne 0 ]; then
        printf '\nThe demo stopped at an unexpected result (exit code %s). Its files are in %s\n' "$status" "$stage" >&2
    else
        rm -rf "$stage"
    fi
    exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

chapters=0
checks=0
chapter() {
    chapters=$((chapters + 1))
    printf '\n%s. %s\n\n' "$chapters" "$*"
}

# Shows a line and runs it as typed. Its output and exit code stay in `output` and `status`.
output=
status=0
run() {
    printf '$ %s\n' "$1"
    status=0
    output=$(eval "$1" 2>&1) || status=$?
    if [ -n "$output" ]; then printf '%s\n' "$output"; fi
    if [ $status -ne 0 ]; then fail "$status" "this should have worked"; fi
}

# The same for a command that must be refused with this exit code.
refused() {
    local expected=$1
    printf '$ %s\n' "$2"
    status=0
    output=$(eval "$2" 2>&1) || status=$?
    printf '%s\n' "$output"
    [ $status -eq "$expected" ] || fail 1 "this should have been refused with exit code $expected, not $status"
    checked "it was refused, with exit code $status"
}

checked() {
    checks=$((checks + 1))
    printf '  ok: %s\n' "$*"
}

# shows TEXT MEANING, holds FILE CONTENT MEANING
shows() {
    grep -qF -- "$1" <<<"$output" || fail 1 "the answer should contain: $1"
    checked "$2"
}
holds() {
    [ "$(cat "$1")" = "$2" ] || fail 1 "$1 should contain: $2"
    checked "$3"
}

# until_so MEANING COMMAND…: waits until it succeeds, for a minute at most.
until_so() {
    for _ in {1..600}; do
        if "${@:2}"; then return; fi
        sleep 0.1
    done
    fail 1 "$1"
}

# The first request that waits for an answer.
request() { docent picks --json | sed -n 's/.*"identifier": "\([^"]*\)".*/\1/p' | head -n 1; }
asked() { [ -n "$(request)" ]; }

# The processes of the daemon and of the provider, in which its code runs.
daemon_process() { docent daemon status --json | sed -n 's/^  "processIdentifier": \([0-9]*\).*/\1/p'; }
provider_process() {
    docent daemon status --json | sed -n 's/^ \{4,\}"processIdentifier": \([0-9]\{1,\}\).*/\1/p' | head -n 1
}

folder=$HOME/Documents
mkdir "$stage/work"
cd "$stage/work"
printf 'Milk, bread\n' >"$folder/notes.txt"
printf '\nEverything happens in %s; the provider LocalFolder shows its folder home/Documents.\n' "$stage"

chapter "A provider is off until you say otherwise, and you see what it asks for"
run 'docent providers --all'
shows disabled "the provider was found, and is off"
refused 3 'docent ls LocalFolder:/'
run 'docent provider show LocalFolder'
shows "reads and changes ~/Documents" "the command shows what the provider will be able to reach"
run 'docent provider enable LocalFolder --yes'
run 'docent ls -l LocalFolder:/'
shows notes.txt "its documents can be seen"

chapter "Import: a copy of your own"
run 'docent import LocalFolder:/notes.txt -o copy.txt'
holds copy.txt "Milk, bread" "the copy has the content"
printf 'scribble\n' >>copy.txt
holds "$folder/notes.txt" "Milk, bread" "writing to the copy does not change the document"

chapter "Open: the document itself, read and written in place"
run 'docent open LocalFolder:/notes.txt'
shows readWrite "the client may read and change it"
run 'docent cat LocalFolder:/notes.txt'
shows "Milk, bread" "it was read"
run 'echo "Milk, bread, tea" | docent write LocalFolder:/notes.txt'
holds "$folder/notes.txt" "Milk, bread, tea" "it was replaced in place"

chapter "Export: the provider gets a copy; move: it gets the document"
printf 'A report\n' >report.txt
run 'docent export report.txt LocalFolder:/'
holds "$folder/report.txt" "A report" "the provider has a copy"
holds report.txt "A report" "the file stays"
refused 6 'docent export report.txt LocalFolder:/'
printf 'A draft\n' >draft.txt
run 'docent move draft.txt LocalFolder:/final.txt'
holds "$folder/final.txt" "A draft" "the provider has the document, under its new name"
[ ! -e draft.txt ] || fail 1 "draft.txt should have moved away"
checked "the file is gone from here"

chapter "Bookmarks: a right that survives a restart and a rename, and is usable by one client only"
run 'docent bookmark create LocalFolder:/notes.txt >notes.bookmark'
run 'docent daemon stop'
run 'mv ~/Documents/notes.txt ~/Documents/shopping.txt'
# shellcheck disable=SC2016
run 'docent cat --bookmark "$(cat notes.bookmark)"'
shows "Milk, bread, tea" "another daemon found the renamed document by the bookmark"
# shellcheck disable=SC2016
refused 2 'docent cat --bookmark "$(cat notes.bookmark)" --client org.example.Stranger'

chapter "What may reach what, and taking it back"
run 'docent grants'
shows shopping.txt "the right is listed, by the document's new name"
run 'docent revoke --yes LocalFolder:/shopping.txt'
# shellcheck disable=SC2016
refused 2 'docent cat --bookmark "$(cat notes.bookmark)"'
holds "$folder/shopping.txt" "Milk, bread, tea" "the document itself is untouched"

chapter "A program in a sandbox reads exactly what was picked for it"
printf 'Slept badly\n' >"$folder/diary.txt"
cat >reader.sh <<'PROGRAM'
#!/bin/sh
echo "There is a diary here: $(ls ~/Documents/diary.txt 2>&1)"
echo "Before the pick:"; docent cat LocalFolder:/shopping.txt; echo "(exit code $?)"
docent picks ask open --read-only --reason "to go shopping" --json >~/answer || exit
bookmark=$(sed -n 's/.*"bookmark": "\([^"]*\)".*/\1/p' ~/answer)
echo "After the pick:"; docent cat --bookmark "$bookmark"; echo "(exit code $?)"
echo "Saving it:"; echo "Beer" | docent write --bookmark "$bookmark"; echo "(exit code $?)"
echo "The diary:"; docent cat LocalFolder:/diary.txt; echo "(exit code $?)"
PROGRAM
chmod +x reader.sh
run 'cat reader.sh'
# The listener must run before the program asks. Its first line says that it listens.
docent picks --watch --json >picks.out 2>&1 &
watcher=$!
helpers+=("$watcher")
until_so "docent picks should listen" test -s picks.out
printf '$ docent run --client org.example.reader --no-picks -- ./reader.sh >reader.out &\n'
docent run --client org.example.reader --no-picks -- ./reader.sh >reader.out 2>&1 &
reader=$!
helpers+=("$reader")
until_so "the program should ask for a document" asked
run 'docent picks'
shows "to go shopping" "it asks, and you see who asks, and the reason that it states"
run "docent picks answer $(request) LocalFolder:/shopping.txt --read-only"
wait "$reader" || true
kill "$watcher"
wait "$watcher" || true
helpers=()
run 'cat reader.out'
shows "diary here: ls: cannot access" "it sees none of your files"
grep -A 4 'Before the pick' reader.out | grep -qF "(exit code 3)" || fail 1 "it should reach nothing before the pick"
checked "before the pick it was refused"
grep -A 1 'After the pick' reader.out | grep -qF "Milk, bread, tea" || fail 1 "it should read what was picked"
checked "after it, it reads what was picked"
grep -A 4 'Saving it' reader.out | grep -qF "(exit code 3)" || fail 1 "it should only read"
holds "$folder/shopping.txt" "Milk, bread, tea" "and cannot change it"
if grep -qF "Slept badly" reader.out; then fail 1 "the diary should stay unread"; fi
checked "the diary stays unread"
run 'docent why LocalFolder:/shopping.txt'
shows org.example.reader "you can ask who reaches a document, and why"
run 'docent log --client org.example.reader'
shows opened "and how the right was used"

chapter "A provider that dies affects nothing else"
run 'docent daemon status'
daemon=$(daemon_process)
victim=$(provider_process)
[ -n "$victim" ] || fail 1 "the provider should run in its own process"
[ "$victim" != "$daemon" ] || fail 1 "the provider should not run in the daemon"
checked "the provider runs as process $victim in its sandbox, the daemon as process $daemon"
run "kill -9 $victim"
while [ -e "/proc/$victim" ]; do sleep 0.05; done
run 'docent ls LocalFolder:/'
shows shopping.txt "the next call was answered"
[ "$(provider_process)" != "$victim" ] || fail 1 "the provider should run in another process now"
[ "$(daemon_process)" = "$daemon" ] || fail 1 "the daemon should be the same"
checked "by another process of the provider, $(provider_process), and the same daemon"

chapter "Remote documents: a folder of a WebDAV server"
server() { "$root/Tests/Servers/apache.sh" "$1" "$stage/server" "${@:2}"; }
url=$(server start --parent $$ | sed -n 's/^url=//p')
[ -n "$url" ] || fail 1 "Apache's WebDAV server should run"
port=${url##*:}
port=${port%%/*}
printf 'Chapter one\n' >"$stage/server/data/book.txt"
printf 'A picture\n' >"$stage/server/data/picture.txt"
printf 'Apache serves %s at %s\n\n' "$stage/server/data" "$url"
run 'docent provider enable WebDAV --yes'
run "docent domains add WebDAV work --url $url"
run 'docent ls -l WebDAV@work:/'
shows book.txt "its documents are listed, and not fetched"
run 'docent cat WebDAV@work:/book.txt'
shows "Chapter one" "reading one fetches it"
run 'echo "Chapter one, revised" | docent write WebDAV@work:/book.txt'
run 'docent drain --timeout 60'
holds "$stage/server/data/book.txt" "Chapter one, revised" "the server has what was saved here"
run 'docent cat WebDAV@work:/book.txt'
shows "Chapter one, revised" "the new content is read back"
printf 'New minutes\n' >minutes.txt
run 'docent export minutes.txt WebDAV@work:/'
run 'docent drain --timeout 60'
holds "$stage/server/data/minutes.txt" "New minutes" "the exported file is there, too"

chapter "The network is down: nothing hangs, nothing is lost"
server stop >/dev/null
printf '(the server is stopped)\n\n'
run 'docent cat WebDAV@work:/book.txt'
shows "Chapter one, revised" "the local copy can be read"
refused 5 'docent cat WebDAV@work:/picture.txt'
run 'echo "Chapter two" | docent write WebDAV@work:/book.txt'
run 'docent transfers'
shows book.txt "the change waits, on disk"
refused 6 'docent daemon stop'
run "kill -9 $(daemon_process)"
server start --parent $$ --port "$port" >/dev/null
printf '(the daemon was killed; the server runs again)\n\n'
run 'docent drain --timeout 60'
holds "$stage/server/data/book.txt" "Chapter two" "another daemon has sent the change"

chapter "Two changed the same document: both versions are kept"
run 'docent info WebDAV@work:/book.txt'
server stop >/dev/null
run 'echo "Our chapter three" | docent write WebDAV@work:/book.txt'
printf 'Their chapter three\n' >"$stage/server/data/book.txt"
server start --parent $$ --port "$port" >/dev/null
printf '(somebody else saved another version on the server meanwhile)\n\n'
run 'docent drain --timeout 60'
run 'docent cat WebDAV@work:/book.txt'
shows "Their chapter three" "the version of the server is the current one"
run 'docent versions WebDAV@work:/book.txt'
shows conflict "ours is kept beside it"

chapter "Is all well here?"
printf '$ docent doctor\n'
# It may report problems of this machine, such as a missing keyring; the reader can judge them.
docent doctor || true

chapter "Signing in: your password goes into the keyring, and without a keyring you are not asked for it"
account() { "$root/Tests/Servers/apache.sh" "$1" "$stage/account" "${@:2}"; }
password="hush-demo-$RANDOM$RANDOM"
printf '%s\n' "$password" >password
chmod 600 password
account_url=$(account start --parent $$ --user ada --password "$password" | sed -n 's/^url=//p')
[ -n "$account_url" ] || fail 1 "Apache's WebDAV server with an account should run"
account_port=${account_url##*:}
account_port=${account_port%%/*}
printf 'Dear diary\n' >"$stage/account/data/diary.txt"
printf 'Apache serves %s at %s to ada, whose password is in the file password\n\n' "$stage/account/data" "$account_url"
sign_in="docent login WebDAV@cloud --url $account_url --username ada --secret-fd 3 3<password"
refused 5 "$sign_in"
shows --sealed-file "it says why, and lists the alternatives"

# A bus without service files: only this keyring runs on it.
cat >"$stage/bus.conf" <<BUS
<busconfig><type>session</type><listen>unix:path=$stage/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
BUS
dbus-daemon "--config-file=$stage/bus.conf" --nofork &
helpers+=("$!")
until_so "the session bus should run" test -S "$stage/bus"
export DBUS_SESSION_BUS_ADDRESS=unix:path=$stage/bus
printf 'a keyring for the demo' | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
helpers+=("$!")
until_so "the keyring should be unlocked" test -e "$XDG_DATA_HOME/keyrings/login.keyring"
printf '\n(a session bus and gnome-keyring run now, as on a desktop; the daemon learns of them when it starts)\n\n'
run 'docent daemon stop'
refused 4 "echo no-such-password | docent login WebDAV@cloud --url $account_url --username ada --password-stdin"
run "$sign_in"
shows "will be kept in" "it said where the password goes before it asked for it"
run 'docent cat WebDAV@cloud:/diary.txt'
shows "Dear diary" "the account can be used"
run 'secret-tool lookup provider org.docent.WebDAV domain cloud'
shows "$password" "the password is in your keyring, where your other programs find it too"
if grep -rqF "$password" "$HOME" "$XDG_RUNTIME_DIR" "$DOCENT_LOG_FILE"; then fail 1 "no file should contain the password"; fi
checked "and in no file of Docent's"
run "kill -9 $(daemon_process)"
run 'docent bookmark create WebDAV@cloud:/diary.txt >diary.bookmark'
# shellcheck disable=SC2016
run 'docent cat --bookmark "$(cat diary.bookmark)"'
shows "Dear diary" "another daemon signed in with it"

chapter "Logout: the password and the copies are deleted here, unsent changes are kept"
account stop >/dev/null
printf '(the server is stopped)\n\n'
run 'echo "Dear diary, I am offline" | docent write WebDAV@cloud:/diary.txt'
run 'docent logout WebDAV@cloud --timeout 2'
shows "diary.txt" "the change that could not be sent is kept, and named"
if secret-tool lookup provider org.docent.WebDAV domain cloud >/dev/null 2>&1; then fail 1 "the password should be gone"; fi
checked "the password is gone from the keyring"
run 'docent domains'
shows "signed out" "the account is signed out"
refused 4 'docent ls WebDAV@cloud:/'
# shellcheck disable=SC2016
refused 4 'docent cat --bookmark "$(cat diary.bookmark)"'
run 'docent cat WebDAV@work:/book.txt'
shows "Their chapter three" "other accounts are not affected"

chapter "Login again: all is back"
account start --parent $$ --port "$account_port" --user ada --password "$password" >/dev/null
printf '(the server runs again)\n\n'
run "$sign_in"
# shellcheck disable=SC2016
run 'docent cat --bookmark "$(cat diary.bookmark)"'
shows "Dear diary" "the old bookmark works again"
run 'docent versions WebDAV@cloud:/diary.txt'
kept=$(docent versions --json WebDAV@cloud:/diary.txt | sed -n 's/.*"identifier": "\([^"]*\)".*/\1/p' | head -n 1)
run "docent versions restore $kept WebDAV@cloud:/diary.txt"
run 'docent drain --timeout 60'
holds "$stage/account/data/diary.txt" "Dear diary, I am offline" "the offline change is on the server"
run 'docent logout WebDAV@cloud'
shows "docent login WebDAV@cloud" "and the way back is shown"

chapter "Write a provider: a package that builds, one command to install it, one to validate it"
export DOCENT_TEMPLATES=$root/Templates
run 'docent provider init Cabinet --language c'
run 'make -s -C Cabinet'
run 'docent provider install Cabinet'
shows "docent provider enable" "it is installed, and off"
run 'docent provider enable Cabinet --yes'
run 'docent cat Cabinet:/Welcome.txt'
run 'docent provider validate Cabinet --level 1'
run 'docent provider uninstall Cabinet'
[ ! -e "$XDG_DATA_HOME/docent/providers/org.example.Cabinet" ] || fail 1 "the library should be gone"
checked "what was installed is gone; README.md has the same in Swift, docs/providers/first-provider.md all of it"

cat <<END

The tour is over: $chapters chapters, $checks things checked, and all that it made is removed.

What to try next:
  docent help                                every command; docs/command-reference.md has examples of each
  README.md, docs/tour.md                    a first session with a folder of your own, and a longer one
  docs/keyring.md                            where passwords are kept, also on machines without a desktop
  docs/providers/first-provider.md           your own provider, in ten minutes
  Examples/Notes                             an editor in which several people edit one document at once
  docs/contributing/technical-overview.md    how a request passes through Docent
  docs/clients/protocol.md                   calling the daemon from any language
END
