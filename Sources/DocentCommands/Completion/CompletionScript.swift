import ArgumentParser

/// The completion scripts of the shells: the parser's, plus what locations need.
enum CompletionScript {
    /// The shell whose completion script was requested; nil if none was, or if the shell is unknown.
    static func shell(of arguments: [String]) -> CompletionShell? {
        let option = "--generate-completion-script"
        if arguments.count == 2, arguments[0] == option { return CompletionShell(rawValue: arguments[1]) }
        guard arguments.count == 1, arguments[0].hasPrefix(option + "=") else { return nil }
        return CompletionShell(rawValue: String(arguments[0].dropFirst(option.count + 1)))
    }

    /// The complete script, with Docent's additions.
    static func text(for shell: CompletionShell) -> String {
        let script = Docent.completionScript(for: shell)
        switch shell {
        case .bash: return script + "\n" + bash
        case .zsh:
            // Docent's part goes before the last lines, which complete immediately if the file is loaded as a function
            // body.
            guard let end = script.ranges(of: "\nif [[ \"${funcstack[1]}\"").last else { return script }
            return script[..<end.lowerBound] + "\n" + zsh + script[end.lowerBound...] + "\n"
        default: return script + "\n"
        }
    }

    /// readline splits words at colons and @ signs, which are common in locations, and the parser's script counts the
    /// parts. Its `compgen -W` also expands its argument, so that the name of a document would run as a command.
    private static let bash = #"""
        __docent_add_completions() {
            local completion
            if [[ "${1}" = -W ]]; then
                # Quotes and backslashes are ignored: the words are plain, and what is typed may be quoted.
                local -r plain="${cur//[\\\"\']/}"
                while IFS='' read -r completion; do
                    [[ -n "${completion}" && "${completion//[\\\"\']/}" = "${plain}"* ]] && COMPREPLY+=("${completion}")
                done <<<"${2}"
            else
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
            fi
        }

        _docent_in_whole_words() {
            # What is typed up to the cursor, in words as the shell will see them.
            local line="${COMP_LINE:0:COMP_POINT}" rest piece
            local -a whole=()
            local -i index
            for ((index = 0; index <= COMP_CWORD; index++)); do
                rest="${line#"${line%%[![:space:]]*}"}"
                piece="${COMP_WORDS[index]}"
                ((index == COMP_CWORD)) && piece="${rest}"
                if ((index == 0)) || [[ "${rest}" != "${line}" ]]; then
                    whole+=("${piece}")
                else
                    whole[${#whole[@]} - 1]+="${piece}"
                fi
                line="${rest#"${piece}"}"
            done
            local -r typed="${whole[${#whole[@]} - 1]}"
            # The part that readline leaves as it is.
            local head="${typed%"${2}"}"
            head="${head//[\\\"\']/}"

            local -a COMP_WORDS=("${whole[@]}")
            local -i COMP_CWORD="$((${#whole[@]} - 1))"
            _docent "${1}" "${typed}" "${whole[${#whole[@]} - 2]}"

            # readline leaves `$` and what follows it as it is, for a variable or a command: such a name is
            # quoted here, and not offered if a quotation is already open.
            local -a found=("${COMPREPLY[@]#"${head}"}")
            local completion all="${found[*]}" isOpen=true
            [[ "${typed}" = *[\"\']* ]] || isOpen=false
            COMPREPLY=()
            for completion in "${found[@]}"; do
                if [[ "${completion}" = *[\$\`\!]* ]]; then
                    "${isOpen}" || printf -v "COMPREPLY[${#COMPREPLY[@]}]" %q "${completion}"
                elif [[ "${all}" = *[\$\`\!]* ]] && ! "${isOpen}"; then
                    printf -v "COMPREPLY[${#COMPREPLY[@]}]" %q "${completion}"
                else
                    COMPREPLY+=("${completion}")
                fi
            done
            if [[ "${all}" = *[\$\`\!]* ]] && ! "${isOpen}"; then
                compopt +o filenames
            elif [[ "${all}" != *[^a-zA-Z0-9.:/@_\ -]* && "${all}" = *:/* ]]; then
                # A colon would be quoted in a word that looks like the name of a file.
                compopt +o filenames
            elif [[ "${all}" = *@* ]]; then
                # The same for the @ of an account.
                local isAccount=true
                for completion in "${found[@]}"; do
                    if [[ "${completion}" = *[^a-zA-Z0-9.@_-]* || -e "${completion}" ]]; then isAccount=false; fi
                done
                if "${isAccount}"; then compopt +o filenames; fi
            fi
            for completion in "${COMPREPLY[@]}"; do
                [[ "${completion}" = *[:/] ]] || return 0
            done
            compopt -o nospace
        }

        complete -o filenames -F _docent_in_whole_words docent

        """#

    /// `_describe` would take the text after a colon as a description.
    private static let zsh = #"""
        __docent_custom_complete() {
            local -a found
            found=("${(@f)$("${command_name}" "${@}" "${command_line[@]}")}")
            found=("${(@)found:#}")
            (( ${#found} )) || return 1
            # After a folder there is more to type, so no blank is added.
            compadd -S '' -- "${(@M)found:#*[:/]}"
            compadd -- "${(@)found:#*[:/]}"
        }

        """#
}
