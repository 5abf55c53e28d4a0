/**
 * The rules of a configured walletUrl (docs/specification/wallet-calls.md#wallet-url). The address to which the host
 * name resolves is checked at each connection.
 */
import { hostAddress, mayBeCalled } from "../access/public-address.ts";
import type { FieldFault } from "../errors.ts";

/** The rules that a development or staging environment may relax. */
export interface WalletUrlRules {
  /** Plain http is accepted too, not only https. */
  readonly allowHttp: boolean;
  /**
   * `localhost`, IP addresses as hosts, and private addresses are accepted. Link-local addresses and the metadata
   * addresses of clouds stay refused.
   */
  readonly allowPrivate: boolean;
}

const LENGTH_MAX = 2048;
const fault = (rule: string): FieldFault => ({ field: "wallet_url", rule });
const NOT_ABSOLUTE = fault("absolute URL");

/** The first fault of `text` as a walletUrl; undefined: it has no fault. */
export function walletUrlFault(text: string, rules: WalletUrlRules): FieldFault | undefined {
  if (text.length > LENGTH_MAX) return fault(`1..${LENGTH_MAX} characters`);
  // URL parsers strip or replace these characters, each in its own way: some parsers read the host evil.example in
  // https://evil.example\@good.example, others good.example.
  if (/[\s\\\p{Cc}]/u.test(text)) return fault("no spaces, control characters or backslashes");
  const url = URL.parse(text);
  if (url === null) return NOT_ABSOLUTE;
  if (url.protocol !== "https:" && !(rules.allowHttp && url.protocol === "http:")) return fault("https");
  // The parser accepts any number of slashes, so the text itself is checked.
  if (!/^https?:\/\/[^/]/i.test(text)) return NOT_ABSOLUTE;
  // An empty user name is refused too. The URL parser drops it, so the text itself is checked.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return fault("no userinfo");
  if (text.includes("#")) return fault("no fragment");
  if (url.hostname.endsWith(".")) return fault("no trailing dot");
  const address = hostAddress(url);
  if (!rules.allowPrivate) return address !== undefined || isLocalName(url) ? fault("public host name") : undefined;
  return address === undefined || mayBeCalled(address, true) ? undefined : fault("no link-local or metadata address");
}

const isLocalName = (url: URL): boolean => url.hostname === "localhost" || url.hostname.endsWith(".localhost");
