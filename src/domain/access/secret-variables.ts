type Env = Readonly<Record<string, string | undefined>>;

/** The environment with each secret in its own variable, and an error text for each wrong variable. */
export interface SecretsRead {
  readonly env: Env;
  readonly faults: readonly string[];
}

/**
 * Lets the value of each secret come from a file: `NAME_FILE` holds the path, and the file's content becomes `NAME`.
 * One newline at the file's end is not part of the secret, because editors and `echo` add it. So a secret need not be
 * in the environment, which other processes of the machine may be able to read.
 *
 * @param readFile - returns the file's text, and throws if the file cannot be read.
 */
export function readSecretVariables(
  env: Env,
  names: readonly string[],
  readFile: (path: string) => string,
): SecretsRead {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of names) {
    const variable = `${name}_FILE`;
    const path = env[variable]?.trim() ?? "";
    if (path === "") continue;
    if ((env[name]?.trim() ?? "") !== "") {
      faults.push(`${name} and ${variable} are both set: set only one of them`);
      continue;
    }
    try {
      const value = readFile(path).replace(/\r?\n$/, "");
      if (value.trim() === "") faults.push(`${variable} names a file that is empty`);
      values[name] = value;
    } catch (cause) {
      faults.push(`${variable} ${unreadable(cause)}`);
    }
  }
  return { env: { ...env, ...values }, faults };
}

/**
 * Why a variable's file cannot be read, with the operating system's code, such as ENOENT. The path is not named, nor the
 * system's message, which repeats it: the variable may hold the secret itself by mistake.
 */
export const unreadable = (cause: unknown): string =>
  `names a file that cannot be read (${cause instanceof Error && "code" in cause ? String(cause.code) : "no code"}). It must hold the file's path, not its content`;
