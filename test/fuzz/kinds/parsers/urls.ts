import { isIP } from "node:net";
import { isWebUrl } from "../../../../src/domain/merchant/launch-policy.ts";
import { walletUrlFault } from "../../../../src/domain/merchant/wallet-url.ts";
import type { Kind } from "../../kind.ts";
import { mutateText } from "../../mutate.ts";
import { lobbyFaults } from "./json-bodies.ts";

const URLS = [
  "https://wallet.example/",
  "https://wallet.example:8443/callback?a=b",
  "HTTPS://Wallet.Example",
  "http://wallet.example/",
  "https://127.0.0.1/",
  "https://[::1]/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://localhost./",
  "https://a.localhost/",
  "https://user:pw@wallet.example/",
  "https:wallet.example",
  "https:///wallet.example",
  "https://wallet.example\\@evil.example/",
  "https://1。1。1。1/",
  "https://wallet.example/#x",
  "https://bücher.example/",
  "ftp://wallet.example/",
  "javascript:alert(1)",
  "data:text/html,x",
  "//evil.example/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::ffff:10.0.0.1]/",
  "https://wallet.example.",
];

/** Addresses of wallets and lobbies: an accepted address has the same host for every parser. */
export const urls: Kind<string> = {
  name: "urls",
  reader: "domain/merchant/wallet-url, launch-policy isWebUrl",
  perMillion: 80_000,
  generate: (random) => random.pick(URLS),
  mutate: mutateText,
  check: (text) => {
    const faults = isWebUrl(text) ? lobbyFaults(text) : [];
    for (const allowPrivate of [false, true])
      for (const allowHttp of [false, true]) {
        const fault = walletUrlFault(text, { allowHttp, allowPrivate });
        if (fault === undefined) faults.push(...walletFaults(text, allowHttp, allowPrivate));
        else if (fault.field !== "wallet_url" || fault.rule === "") faults.push("refused without a reason");
      }
    return faults;
  },
};

function walletFaults(text: string, allowHttp: boolean, allowPrivate: boolean): string[] {
  const url = new URL(text);
  const faults: string[] = [];
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) faults.push(url.protocol);
  if (url.username !== "" || url.password !== "" || url.hash !== "" || text.length > 2_048)
    faults.push("userinfo, fragment or length");
  // The expression is that of RFC 3986, which is stricter than browsers.
  const authority = /^[^:/?#]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
  if (authority.includes("@")) faults.push(`the authority ${authority}`);
  const host = url.hostname;
  if (
    !allowPrivate &&
    (isIP(host.replace(/^\[|\]$/g, "")) !== 0 || /(^|\.)localhost\.?$/.test(host) || host.endsWith("."))
  )
    faults.push(`the host ${host}`);
  return faults.map((fault) => `${text} passes: ${fault}`);
}
