/** Reads the system's files about names. They are read again when they have changed. */
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

/** A function that returns the parsed content of a file. A file that cannot be read counts as empty. */
function fileReader<T>(path: string, parse: (text: string) => T): () => T {
  let seen = "";
  let parsed = parse("");
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const version = stat === undefined ? "" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    if (version !== seen) {
      seen = version;
      parsed = parse(version === "" ? "" : textOf(path));
    }
    return parsed;
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The lines of a file, each as its words. Comments are left out. */
const lines = (text: string): string[][] =>
  text.split("\n").map((line) =>
    line
      .replace(/[#;].*/, "")
      .split(/\s+/)
      .filter(Boolean),
  );

/** The addresses of the names in a hosts file. Names are in lower case. */
export const readHosts = (path = "/etc/hosts"): (() => ReadonlyMap<string, readonly string[]>) =>
  fileReader(path, (text) => {
    const found = new Map<string, string[]>();
    for (const [address = "", ...names] of lines(text))
      if (isIP(address) !== 0)
        for (const name of names.map((one) => one.toLowerCase())) {
          const known = found.get(name) ?? [];
          if (!known.includes(address)) found.set(name, [...known, address]);
        }
    return found;
  });

export interface Search {
  /** The domains in which a short name is looked up. */
  readonly domains: readonly string[];
  /** A name with fewer dots is short. */
  readonly ndots: number;
}

/** The search domains of a resolv.conf. Of several lines the last one counts. */
export const readSearch = (path = "/etc/resolv.conf"): (() => Search) =>
  fileReader(path, (text) => {
    const all = lines(text);
    const domains = all.findLast(([word]) => word === "search" || word === "domain")?.slice(1) ?? [];
    const ndots = all.flatMap(([word, ...options]) => (word === "options" ? options : [])).join(" ");
    return { domains, ndots: Number(/\bndots:(\d+)/.exec(ndots)?.[1] ?? 1) };
  });

/** The full names to ask for, in the order of the system's resolver. */
export function candidates(host: string, { domains, ndots }: Search): string[] {
  if (host.endsWith(".")) return [host];
  const longer = domains.map((domain) => `${host}.${domain}`);
  return host.split(".").length > ndots ? [host, ...longer] : [...longer, host];
}
