// Signs every request of the collection with merchantId and merchantSecret of the environment. It first replaces the
// variables and encodes the address, so that the signature is over exactly the sent request. A request is skipped when
// a variable of its address is empty, for example because a list has no next page.
const { enc, HmacSHA256 } = require("crypto-js");
const filled = (text) => pm.variables.replaceIn(text ?? "");
const encoded = (text) => encodeURIComponent(filled(text)).replace(/'/g, "%27");

const { url, method, headers } = pm.request;
const base = filled(url.host.join("."));
const texts = [
  ...(url.path ?? []).filter((part) => part.startsWith(":")).map((part) => url.variables.get(part.slice(1))),
  ...url.query.filter(({ disabled }) => !disabled).map(({ value }) => value),
];
if (texts.some((text) => filled(text) === "")) pm.execution.skipRequest();
const path = (url.path ?? [])
  .map((part) => `/${part.startsWith(":") ? encoded(url.variables.get(part.slice(1))) : part}`)
  .join("");
const query = url.query
  .filter(({ disabled }) => !disabled)
  .map(({ key, value }) => `${encoded(key)}=${encoded(value)}`);
const suffix = path + (query.length > 0 ? `?${query.join("&")}` : "");
// The path of baseUrl before /v1 is not signed. For a wallet's address, the whole path and the query are signed.
const target = suffix || base.replace(/^https?:\/\/[^/?#]+/, "") || "/";
pm.request.url.update(base + suffix);

const body = method === "POST" && pm.request.body ? filled(pm.request.body.raw) : "";
if (body !== "") pm.request.body.update({ mode: "raw", raw: body });

const timestamp = String(Date.now());
const nonce = filled("{{$guid}}").replaceAll("-", "");
const signature = HmacSHA256(
  `${timestamp}.${nonce}.${method}.${target}.${body}`,
  filled("{{merchantSecret}}"),
).toString(enc.Hex);
headers.upsert({ key: "X-Merchant-Id", value: filled("{{merchantId}}") });
headers.upsert({ key: "X-Timestamp", value: timestamp });
headers.upsert({ key: "X-Nonce", value: nonce });
headers.upsert({ key: "X-Signature", value: signature });
