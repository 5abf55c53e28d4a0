import test from "ava";
import { walletUrlFault } from "../../../src/domain/merchant/wallet-url.ts";

const production = { allowHttp: false, allowPrivate: false };
const development = { allowHttp: true, allowPrivate: true };

test("a walletUrl is https with a public host name, and may have any port, path and query", (t) => {
  const accepted = [
    "https://wallet.example",
    "https://wallet.example:8443/hooks/wallet?b=1",
    "https://WALLET.example/",
    "https://xn--bcher-kva.example/w",
    "https://bücher.example/w",
  ];
  for (const url of accepted) t.is(walletUrlFault(url, production), undefined, url);
});

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "1..2048 characters": [`https://wallet.example/${"a".repeat(2048)}`],
  "no spaces, control characters or backslashes": [
    ...[
      " https://wallet.example",
      "https://wallet.example/ ",
      "https://wallet.example/\n",
      "ht\ttps://wallet.example",
      "https://wallet.example/\u0000",
    ],
    ...["https://evil.example\\@wallet.example", "https:\\\\wallet.example", "https://wallet.example/\u00a0"],
  ],
  "absolute URL": [
    "",
    "wallet.example",
    "/wallet",
    "//wallet.example/",
    "https://",
    "https:///",
    "https:///wallet.example/",
    "https:wallet.example",
    "https://[::1",
    "https://wallet.example:70000/",
    "https://256.1.1.1/",
  ],
  https: [
    "http://wallet.example/",
    "ftp://wallet.example/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "ws://wallet.example/",
  ],
  "no userinfo": [
    "https://user@wallet.example/",
    "https://user:password@wallet.example/",
    "https://:password@wallet.example/",
    "https://wallet.example@evil.example/",
    "https://@wallet.example/",
    "https://:@wallet.example/",
  ],
  "no fragment": ["https://wallet.example/#x", "https://wallet.example/?a=1#", "https://good.example#@evil.example/"],
  "no trailing dot": ["https://wallet.example./", "https://localhost./"],
  "public host name": [
    ...[
      "https://127.0.0.1/",
      "https://127.1/",
      "https://0x7f.1/",
      "https://2130706433/",
      "https://0177.0.0.1/",
      "https://017700000001/",
      "https://0/",
      "https://8.8.8.8/",
    ],
    ...[
      "https://1。1。1。1/",
      "https://①②⑦.0.0.1/",
      "https://127%2e0.0.1/",
      "https://0x7f000001/",
      "https://169.254.169.254/latest",
      "https://[::1]/",
      "https://[::]/",
    ],
    ...[
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:7f00:1]/",
      "https://[fd00::1]/",
      "https://[2606:4700::1]/",
      "https://[64:ff9b::7f00:1]/",
    ],
    ...["https://localhost/", "https://LOCALHOST/", "https://wallet.localhost/", "https://ⓛocalhost/"],
  ],
};

for (const [rule, urls] of Object.entries(REFUSED)) {
  test(`walletUrlFault returns the rule "${rule}" for a URL that breaks it`, (t) => {
    for (const url of urls) {
      const fault = walletUrlFault(url, production);
      t.is(fault?.rule, rule, JSON.stringify(url));
      t.is(fault?.field, "wallet_url");
    }
  });
}

test("link-local and metadata addresses as hosts are refused even if private addresses are allowed", (t) => {
  for (const url of [
    "http://169.254.169.254/latest",
    "http://0xa9fea9fe/latest",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1]/",
    "http://100.100.100.200/",
  ])
    t.is(walletUrlFault(url, development)?.rule, "no link-local or metadata address", url);
});

test("a development environment may allow plain http, localhost and IP addresses, and nothing else", (t) => {
  for (const url of [
    "http://127.0.0.1:3000/wallet",
    "http://localhost:3000/wallet",
    "https://[::1]:3000/",
    "http://wallet.example/",
  ])
    t.is(walletUrlFault(url, development), undefined, url);
  for (const url of ["ftp://127.0.0.1/", "http://user@localhost/", "http://localhost./", "http://localhost/#x"])
    t.not(walletUrlFault(url, development), undefined, url);
  t.is(walletUrlFault("http://wallet.example/", { allowHttp: false, allowPrivate: true })?.rule, "https");
  t.is(walletUrlFault("http://127.0.0.1/", { allowHttp: true, allowPrivate: false })?.rule, "public host name");
});
