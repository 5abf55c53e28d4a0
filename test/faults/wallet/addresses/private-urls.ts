/**
 * Addresses that would make the service call its own network, if it took them for a wallet's: spellings of special addresses, parsers set
 * against each other (Orange Tsai, "A new era of SSRF"), and names that somebody else's DNS may lead anywhere.
 */

/** Every spelling of an IPv4 address that some parser knows. */
function spellings([a, b, c, d]: readonly [number, number, number, number]): string[] {
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const [hex, octal] = [(n: number) => `0x${n.toString(16)}`, (n: number) => `0${n.toString(8)}`];
  return [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase().replace("X", "x"),
    octal(whole),
    [a, b, c, d].map(hex).join("."),
    [a, b, c, d].map(octal).join("."),
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `${octal(a)}.${(b * 256 + c) * 256 + d}`,
    [a, b, c, d].map((n) => `000${octal(n)}`).join("."),
    `${a}.${b}.${c}.${d}`.replaceAll(".", "%2e"),
    `${a}.${b}.${c}.${d}`.replaceAll(".", "。"),
    `${a}.${b}.${c}.${d}`.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    `${a}.${b}.${c}.${d}`.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1)),
    `${encodeURIComponent(String.fromCodePoint(0xff10 + (a % 10)))}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    `${a}.${b}.${c}.${d}:443`,
    `user@${a}.${b}.${c}.${d}`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::ffff:${hex(a * 256 + b).slice(2)}:${hex(c * 256 + d).slice(2)}]`,
    `[64:ff9b::${a}.${b}.${c}.${d}]`,
    `[::${a}.${b}.${c}.${d}]`,
    `[2002:${hex(a * 256 + b).slice(2)}:${hex(c * 256 + d).slice(2)}::1]`,
  ];
}

const ADDRESSES = [
  [127, 0, 0, 1],
  [169, 254, 169, 254],
  [10, 0, 0, 1],
  [192, 168, 1, 10],
] as const;

/** Refused when somebody writes them down. */
export const REFUSED_IN_WRITING: readonly string[] = [
  ...[...new Set(ADDRESSES.flatMap(spellings))].map((host) => `https://${host}/`),
  ...["0", "0.0.0.0", "255.255.255.255", "224.0.0.1", "100.64.0.1", "198.18.0.1", "192.0.0.192", "8.8.8.8"].map((host) => `https://${host}/`),
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::1]", "[::1]:8443", "[fe80::1]", "[fe80::1%25eth0]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]"].map(
    (host) => `https://${host}/`,
  ),
  ...[
    "localhost",
    "LOCALHOST",
    "localhost:8443",
    "wallet.localhost",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "ｌｏｃａｌｈｏｓｔ",
    "localho%73t",
    "localhost.",
    "localhost%2e",
    "a.b.localhost.",
  ].map((host) => `https://${host}/`),
  // Two hosts in one address: which of them, differs from parser to parser.
  ...[
    "https://good.example@127.0.0.1/",
    "https://127.0.0.1@good.example/",
    "https://good.example:x@evil.example/",
    "https://good.example%40evil.example@evil.example/",
  ],
  ...[
    "https://evil.example\\@good.example/",
    "https://good.example\\.evil.example/",
    "https:\\\\127.0.0.1\\",
    "https://127.0.0.1\\@good.example/",
    "https:/\\good.example/",
  ],
  ...["https://good.example#@127.0.0.1/", "https://127.0.0.1#.good.example/", "https://good.example/#x", "https://good.example/?#"],
  ...[
    "https://good.example @127.0.0.1/",
    "https://127.0.0.1 .good.example/",
    "https://good.example\t/",
    "https://good.example\n.evil.example/",
    "https://good.example\r\nHost: evil/",
  ],
  ...[" https://good.example/", "https://good.example/\u0000", "https://good.example/\u00a0", "https://good.example/\u2028", "https://good.example/\u3000"],
  // Other schemes, and none.
  ...[
    "http://good.example/",
    "HTTP://good.example/",
    "ftp://good.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "dict://127.0.0.1:11211/stat",
  ],
  ...[
    "javascript:alert(1)",
    "data:application/json,{}",
    "ldap://127.0.0.1/",
    "ws://good.example/",
    "jar:https://good.example!/",
    "blob:https://good.example/x",
  ],
  ...[
    "",
    "/",
    "//good.example/",
    "good.example",
    "https:",
    "https://",
    "https:///",
    "https:good.example",
    "https:/good.example/",
    "https:////good.example/",
    "https://?",
    "https://@/",
  ],
  ...[
    "https://good.example:65536/",
    "https://good.example:-1/",
    "https://good.example:0x1bb/",
    "https://[good.example]/",
    "https://[::1/",
    "https://::1/",
    "https://good..example:x/",
  ],
  ...[
    "https://127.0.0.256/",
    "https://1.2.3.4.5/",
    "https://0x100000000/",
    "https://0x7f.0.0.0.1/",
    "https://a<b.example/",
    "https://a^b.example/",
    "https://a|b.example/",
    "https://%00.example/",
  ],
  ...["https://good.example./", `https://good.example/${"a".repeat(2_048)}`],
];

/** Well written, for anybody may own such a name: refused by the address, when it is called. */
export const REFUSED_IN_CALLING: readonly string[] = [
  ...[
    "127.0.0.1.nip.io",
    "10-0-0-1.sslip.io",
    "0x7f000001.wallet.example",
    "localtest.me",
    "lvh.me",
    "metadata.google.internal",
    "instance-data",
    "wallet",
    "db",
    "redis",
  ],
  ...[
    "wallet.internal",
    "wallet.local",
    "wallet.lan",
    "router",
    "kubernetes.default.svc",
    "host.docker.internal",
    "WALLET.example",
    "bücher.example",
    "xn--bcher-kva.example",
  ],
  ...[
    "wallet.example:22",
    "wallet.example:6379",
    "wallet.example:9092",
    "wallet_1.example",
    "a-.example",
    "localhost.example",
    "xn--",
    "127.0.0.1.example",
    "wallet.example.localdomain",
  ],
]
  .map((host) => `https://${host}/wallet`)
  .concat(
    "https://wallet.example/?url=http://169.254.169.254/",
    "https://wallet.example/@127.0.0.1/",
    "https://wallet.example/..%2f..%2f",
    "HTTPS://wallet.example/w",
  );
