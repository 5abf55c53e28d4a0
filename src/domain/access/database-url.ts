const MYSQL = "mysql://";
const SQLITE = "sqlite:";
const PORT = 3306;

/** The parts of `mysql://user:password@host:port/database`, decoded. */
export interface MysqlAddress {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** A name or an address, without brackets. Empty if `socketPath` is set. */
  readonly host: string;
  readonly port: number;
  readonly socketPath: string | undefined;
  readonly ssl: boolean;
}

/** What is wrong with a DATABASE_URL. The message has no part of the URL, because it may be a part of the password. */
export class DatabaseUrlError extends Error {
  override readonly name = "DatabaseUrlError";
}

export const DATABASE_URL_FORM = "mysql://user:password@host:port/database or sqlite:<file>";

/** The rest of a message that begins with the name of the variable. */
export const databaseUrlFault = ({ message }: DatabaseUrlError): string =>
  `must be ${DATABASE_URL_FORM}, for example mysql://aggregator:secret@db.example:3306/aggregator, but it ${message}`;

const wrong = (what: string): never => {
  throw new DatabaseUrlError(what);
};

const ENCODE =
  "in user, password and database, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F, # as %23, [ as %5B and ] as %5D";

/** @throws DatabaseUrlError. */
export function checkDatabaseUrl(text: string): void {
  if (text.startsWith(MYSQL)) readMysqlUrl(text);
  else if (text.startsWith(SQLITE)) readSqliteUrl(text);
  else wrong("begins with neither mysql:// nor sqlite:");
}

/**
 * The file of `sqlite:<file>`. Nothing in it is decoded. The driver ignores spaces around the name of a file, so they
 * are removed here, too: without a name it would use a temporary file.
 *
 * @throws DatabaseUrlError.
 */
export function readSqliteUrl(text: string): string {
  const file = text.slice(SQLITE.length).trim();
  if (file === "") return wrong("names no file");
  return hasControl(file) ? wrong("has a line break or another control character") : file;
}

/**
 * Reads the URL by its own rules, because the URL parser takes `[` as a part of a host, drops line breaks, and knows no
 * zones of IPv6.
 *
 * @throws DatabaseUrlError.
 */
export function readMysqlUrl(text: string): MysqlAddress {
  if (hasControl(text)) return wrong("has a line break or another control character");
  if (text.includes("#")) return wrong(`has a #: ${ENCODE}`);
  const [, authority = "", path, query = ""] =
    /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text.slice(MYSQL.length)) ?? [];
  const at = authority.lastIndexOf("@");
  const [user = "", ...rest] = authority.slice(0, Math.max(at, 0)).split(":");
  if (path === undefined || path === "" || /[/@]/.test(path))
    return wrong(`names no database, or not only one: ${ENCODE}`);
  const parameters = parametersOf(query);
  const socketPath = parameters.get("socketPath");
  const { host, port } = hostOf(authority.slice(at + 1), socketPath !== undefined);
  return {
    user: decoded(user),
    password: decoded(rest.join(":")),
    database: decoded(path),
    host,
    port,
    socketPath,
    ssl: parameters.get("ssl") === "true",
  };
}

function hostOf(text: string, hasSocket: boolean): { host: string; port: number } {
  if (text === "" && hasSocket) return { host: "", port: PORT };
  const [, brackets, name, digits = ""] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/.exec(text) ?? [];
  const port = digits === "" ? PORT : Number(digits);
  const host = brackets === undefined ? hostName(name ?? "") : ipv6(brackets);
  if (host === undefined)
    return wrong(`has no host, or a wrong one. An IPv6 address is in brackets, such as [2001:db8::7]; ${ENCODE}`);
  return port >= 1 && port <= 65_535 ? { host, port } : wrong("has a wrong port");
}

/** A zone may be written after % or after %25, as a browser writes it. */
function ipv6(text: string): string | undefined {
  const address = text.replace(/%(25)?(?=[^%]+$)/, "%");
  return URL.canParse(`http://[${address.replace(/%.+$/, "")}]`) ? address : undefined;
}

/** A name may have an underscore, as those of containers do. Letters of other scripts are written in ASCII. */
function hostName(text: string): string | undefined {
  const name = /^[\x21-\x7e]*$/.test(text) ? text : (URL.parse(`http://${text}`)?.hostname ?? "");
  return /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?$/i.test(name) ? name : undefined;
}

function parametersOf(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of query === "" ? [] : query.split("&")) {
    const [name = "", ...value] = pair.split("=");
    const text = decoded(value.join("="));
    const isKnown = name === "socketPath" ? text.startsWith("/") : name === "ssl" && /^(true|false)$/.test(text);
    if (!isKnown || found.has(name))
      return wrong(
        "has a parameter other than socketPath=<path from the root> and ssl=true or false, or the same one twice",
      );
    found.set(name, text);
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return wrong(`has a % without two hexadecimal digits of UTF-8: ${ENCODE}`);
  }
}

const hasControl = (text: string): boolean => /[\x00-\x1f\x7f]/.test(text);
