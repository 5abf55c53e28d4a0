/**
 * What a configured walletUrl must look like (docs/specification/wallet-calls.md#wallet-url). Where its name leads is judged at each connection, by the
 * address.
 */
import type { FieldFault } from "../errors.ts";

/** What a development or staging environment may loosen. */
export interface WalletUrlRules {
  /** Plain http is accepted beside https. */
  readonly allowHttp: boolean;
  /** `localhost` and IP literals are accepted, private addresses with them. */
  readonly allowPrivate: boolean;
}

const LENGTH_MAX = 2048;
const fault = (rule: string, message: string): FieldFault => ({ field: "wallet_url", rule, message });
const NOT_ABSOLUTE = fault("absolute URL", "wallet_url não é uma URL absoluta.");

/** The first fault of `text` as a walletUrl; undefined when it is one. */
export function walletUrlFault(text: string, rules: WalletUrlRules): FieldFault | undefined {
  if (text.length > LENGTH_MAX) return fault(`1..${LENGTH_MAX} characters`, `wallet_url passa de ${LENGTH_MAX} caracteres.`);
  // A URL parser strips or turns these around, each parser differently: https://evil.example\@good.example is two hosts.
  if (/[\s\\\p{Cc}]/u.test(text))
    return fault("no spaces, control characters or backslashes", "wallet_url contém espaço, caractere de controle ou barra invertida.");
  const url = URL.parse(text);
  if (url === null) return NOT_ABSOLUTE;
  if (url.protocol !== "https:" && !(rules.allowHttp && url.protocol === "http:")) return fault("https", "wallet_url deve usar https.");
  // The parser forgives any number of slashes.
  if (!/^https?:\/\/[^/]/i.test(text)) return NOT_ABSOLUTE;
  // An empty one, too, which the parser drops.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return fault("no userinfo", "wallet_url não pode conter usuário ou senha.");
  if (text.includes("#")) return fault("no fragment", "wallet_url não pode conter fragmento (#).");
  if (url.hostname.endsWith(".")) return fault("no trailing dot", "O host de wallet_url não pode terminar em ponto.");
  if (!rules.allowPrivate && (isIpLiteral(url) || isLocalName(url)))
    return fault("public host name", "wallet_url deve ter um nome de host público, não um endereço IP.");
  return undefined;
}

/** The URL parser has made dotted decimals of every other spelling of an IPv4 address (0x7f.1, 2130706433) by now. */
const isIpLiteral = (url: URL): boolean => url.hostname.startsWith("[") || /^[\d.]+$/.test(url.hostname);
const isLocalName = (url: URL): boolean => url.hostname === "localhost" || url.hostname.endsWith(".localhost");
