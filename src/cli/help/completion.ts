/**
 * The completion of shells. It is own code, because the libraries (@bomb.sh/tab, omelette, yargs) start the program at
 * each Tab to ask it for the words. Here that takes a second, because npm and the check of the packages come first. A
 * script that has all words answers in about a millisecond.
 */
import { type Flag, flagName } from "../arguments/flag.ts";
import type { Command, Program } from "../command.ts";
import type { Shell } from "./help.ts";

/** Quotes a text, so that a shell reads it as one word. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const commands = (program: Program): [string, Command][] =>
  Object.entries(program).flatMap(([noun, { verbs }]) =>
    Object.entries(verbs).map(([verb, command]): [string, Command] => [`${noun} ${verb}`, command]),
  );

/**
 * A shell script that defines `admin`, which runs this program from any folder, and completes its nouns, verbs, flags
 * and their values. Completion never calls the service.
 *
 * @param root - the folder of package.json
 */
export function completion(shell: Shell, program: Program, root: string): string {
  const run = `admin() { npm --prefix ${quoted(root)} run -s admin -- "$@"; }\n`;
  return run + (shell === "bash" ? bash(program) : zsh(program));
}

function bash(program: Program): string {
  const nouns = [...Object.keys(program), "help", "completion"].join(" ");
  const verbs = Object.entries(program).map(
    ([noun, described]) => `    ${quoted(noun)}) words=${quoted(Object.keys(described.verbs).join(" "))} ;;`,
  );
  const flags = commands(program).map(
    ([path, command]) =>
      `    ${quoted(path)}) words=${quoted([...Object.keys(command.flags).map(flagName), "--json", "--help"].join(" "))} ;;`,
  );
  const values = commands(program).flatMap(([path, command]) =>
    Object.entries(command.flags)
      .filter(([, flag]) => flag.choices.length > 0)
      .map(
        ([key, flag]) =>
          `    ${quoted(`${path} ${flagName(key)}`)}) words=${quoted(flag.choices.join(" "))}${flag.list ? "; list=1" : ""} ;;`,
      ),
  );
  const switches = new Set(
    commands(program).flatMap(([, command]) =>
      Object.entries(command.flags).flatMap(([key, { form }]) => (form === "" ? [flagName(key)] : [])),
    ),
  );
  return `_admin() {
  local cur=\${COMP_WORDS[COMP_CWORD]} flag=\${COMP_WORDS[COMP_CWORD-1]} words= list= before=
  local path="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  # These flags take no value: the next word is the next flag.
  case $flag in ${["--json", ...switches].join("|")}) flag= ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(nouns)}
  elif [ "$COMP_CWORD" -eq 2 ]; then case \${COMP_WORDS[1]} in
    help) words=${quoted(Object.keys(program).join(" "))} ;;
    completion) words='bash zsh' ;;
${verbs.join("\n")}
  esac
  elif [ "$flag" = --file ]; then COMPREPLY=($(compgen -f -- "$cur")); return
  elif [[ $flag == --* ]]; then case "$path $flag" in
${values.join("\n")}
  esac
  else case $path in
${flags.join("\n")}
  esac
  fi
  # The items of a list are separated by commas.
  if [ -n "$list" ]; then case $cur in *,*) before=\${cur%,*},; cur=\${cur##*,} ;; esac; fi
  COMPREPLY=($(compgen -P "$before" -W "$words" -- "$cur"))
}
complete -F _admin admin
`;
}

function zsh(program: Program): string {
  // In zsh's format a colon separates a word from its description.
  const described = (rows: readonly (readonly [string, string])[]): string =>
    rows.map(([word, what]) => quoted(`${word}:${what}`)).join(" ");
  const nouns = [
    ...Object.entries(program).map(([noun, { summary }]) => [noun, summary] as const),
    ["help", "Help"] as const,
    ["completion", "Completion of a shell"] as const,
  ];
  const verbs = Object.entries(program).map(
    ([noun, all]) =>
      `      ${noun}) list=(${described(Object.entries(all.verbs).map(([verb, { summary }]) => [verb, summary]))}) ;;`,
  );
  const flags = commands(program).map(([path, command]) => {
    const specs = Object.entries(command.flags).map(([key, flag]) => quoted(zshFlag(flagName(key), flag)));
    return `      ${quoted(path)}) _arguments ${[...specs, "'--json[JSON for machines]'", "'--help[help]'"].join(" ")} ;;`;
  });
  return `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_admin() {
  local -a list
  if (( CURRENT == 2 )); then
    list=(${described(nouns)})
    _describe noun list
  elif (( CURRENT == 3 )); then
    case $words[2] in
      completion) list=(bash zsh) ;;
${verbs.join("\n")}
    esac
    _describe verb list
  else
    local path_="$words[2] $words[3]"
    shift 2 words
    (( CURRENT -= 2 ))
    case $path_ in
${flags.join("\n")}
    esac
  fi
}
compdef _admin admin
`;
}

/** A flag in zsh's format: `--flag[description]:name:values`. Brackets and colons in the description are escaped. */
function zshFlag(name: string, { help, choices, list, form }: Flag): string {
  const what = help.replace(/[[\]:\\]/g, "\\$&");
  const label = form.replace(/[^a-z ]/g, "") || "value";
  if (name === "--file") return `${name}[${what}]:file:_files`;
  if (form === "") return `${name}[${what}]`;
  if (choices.length === 0) return `${name}[${what}]:${label}:`;
  return list
    ? `${name}[${what}]:${label}:_values -s , ${label} ${choices.join(" ")}`
    : `${name}[${what}]:${label}:(${choices.join(" ")})`;
}
