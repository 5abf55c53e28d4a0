import test from "ava";
import { typed } from "./typed.ts";

const ADDRESS = "--code ACME --address http://127.0.0.1:1";

/** What the message about a line does, with the line and the message. */
const REFUSED: Readonly<Record<string, readonly [line: string, says: RegExp]>> = {
  "suggests the most similar noun": ["merchnat list", /"merchnat" is not a noun\. Did you mean merchant\?/],
  "lists all nouns, because none is similar": [
    "xyzzy",
    /There are: brand, merchant, provider, game, key, transaction, report, audit\./,
  ],
  "does not take a property of every object for a noun": ["constructor list", /"constructor" is not a noun/],
  "does not take a property of every object for a flag": ["merchant list --to-string a", /has no flag --to-string/],
  "suggests the most similar verb": ["merchant crate", /"crate" is not a verb of merchant\. Did you mean create\?/],
  "lists the verbs of the noun": [
    "merchant",
    /merchant create \| set \| show \| list \| rotate-secret \| finish-rotation \| cancel-rotation \| ping \| disable \| enable/,
  ],
  "suggests the most similar flag": [
    "merchant list --brnad shop",
    /merchant list has no flag --brnad\. Did you mean --brand\?/,
  ],
  "has the right spelling of a flag in camel case": [
    "merchant set --code a --walletUrl x",
    /Did you mean --wallet-url\?/,
  ],
  "names the missing flag and has an example": ["merchant show", /--code is missing: .*\. Example: --code shop-brl/],
  "names every missing flag": [
    "merchant create --name x",
    /--code is missing.*--currency is missing.*--brand is missing/s,
  ],
  "says that the flag needs a value": ["merchant show --code", /--code needs a value\. Example: --code shop-brl/],
  "does not take the next flag for the value": ["merchant create --code --brand shop", /--code needs a value/],
  "says that the value is empty": ["merchant show --code=", /--code has an empty value/],
  "says that the flag is given twice": ["merchant show --code a --code b", /--code is given twice/],
  "says how to write a list with several items": [
    "merchant set --code a --products slot --products live",
    /--products is given twice: give it once, with its items separated by commas/,
  ],
  "says that the list has an empty item": [
    "merchant set --code a --products slot,,live",
    /--products has an empty item/,
  ],
  "has the possible items of the list, and suggests the most similar one": [
    "merchant set --code a --products slot,lvie",
    /must be slot, live or sportsbook, not "lvie"\. Did you mean live\?/,
  ],
  "suggests the most similar value": ["brand create --code a --theme mint", /Did you mean mint-carbon\?/],
  "has the bounds of the number": [
    `provider add-source ${ADDRESS} --deadline-ms soon`,
    /--deadline-ms must be a whole number from 100 to 9000, not "soon"/,
  ],
  "has the bounds that the number exceeds": [
    `provider add-source ${ADDRESS} --deadline-ms 9001`,
    /from 100 to 9000, not "9001"/,
  ],
  "has an example of a decimal number": [
    "merchant set --code a --launch-rate 1e3",
    /--launch-rate must be a number such as 100, not "1e3"/,
  ],
  "has both values of a boolean": [
    "provider set --code ACME --active yes",
    /--active must be true or false, not "yes"/,
  ],
  "has an example of a date": [
    "audit list --from yesterday",
    /--from must be a date or a time with its zone, such as 2026-01-31/,
  ],
  "requires a time with its zone": ["audit list --from 2026-01-31T12:00:00", /--from must be/],
  "requires a day that exists": ["audit list --from 2026-02-31", /--from must be/],
  "requires a JSON object": ["brand set --code a --settings [1]", /--settings must be a JSON object/],
  "names the pictures that a game may have": [
    `game set --provider ACME --code a --images {"thumbnail":"https://a.example"}`,
    /--images must have the addresses of thumb, square, background/,
  ],
  "says that the flag takes no value": ["game import --file games.json --dry-run=true", /--dry-run takes no value/],
  "says that --json takes no value": ["merchant list --json=yes", /--json takes no value/],
  "suggests the word as the value of the first flag": [
    "merchant show shop-brl",
    /"shop-brl" belongs to no flag\. Did you mean --code shop-brl\?/,
  ],
  "asks for the file's format": ["game import --file games.txt", /--format is missing, and the name games\.txt/],
  "asks for a provider or a role": ["key create --name ana", /Give one of --provider .* and --role/],
  "refuses a provider together with a role": [
    "key create --provider ACME --role owner",
    /Give one of --provider .* and --role/,
  ],
  "asks for a flag that changes something": [
    "merchant set --code a --reason why",
    /Say what to change: --products slot,live, for example\./,
  ],
  "asks for the reason of a resend": ["transaction resend --merchant a --tx-id ACME:1", /--reason is missing/],
  "asks for the status and the reason of a resolve": [
    "transaction resolve --merchant a --tx-id ACME:1",
    /--status is missing.*--reason is missing/s,
  ],
  "names the shells that have completion": ["completion fish", /completion bash \| zsh/],
};

for (const [title, [line, message]] of Object.entries(REFUSED)) {
  test(`the usage error of the line "${line}" ${title}`, async (t) => {
    const { code, out, err } = await typed(line, { env: { ADMIN_KEY: "key" } });
    t.regex(err, message);
    t.regex(err, /\nHelp: npm run admin -- .*--help\n$/);
    t.is(code, 2);
    t.is(out, "");
  });
}

test("a missing admin key is a usage error, and the message explains where to get a key", async (t) => {
  const { code, err } = await typed("merchant list", { env: { ADMIN_KEY: " " } });
  t.is(code, 2);
  t.regex(err, /ADMIN_KEY is not set/);
});

test("an invalid ADMIN_URL is a usage error that does not contain the key", async (t) => {
  const { code, err } = await typed("merchant list", {
    env: { ADMIN_KEY: "very-secret", ADMIN_URL: "127.0.0.1:9092" },
  });
  t.is(code, 2);
  t.regex(
    err,
    /ADMIN_URL must be an http\(s\) address, for example http:\/\/127\.0\.0\.1:9092, not "127\.0\.0\.1:9092"/,
  );
  t.notRegex(err, /very-secret/);
});

test("an ADMIN_URL with a password, a query or a fragment is refused, and not printed", async (t) => {
  for (const url of [
    "http://admin:hidden-word@127.0.0.1:9092",
    "http://127.0.0.1:9092/?key=hidden-word",
    "http://127.0.0.1:9092/#hidden-word",
    "admin:hidden-word@host",
  ]) {
    const { code, err } = await typed("merchant list", { env: { ADMIN_KEY: "key", ADMIN_URL: url } });
    t.is(code, 2);
    t.regex(err, /ADMIN_URL must be an http\(s\) address without user, password, query and fragment, for example/);
    t.notRegex(err, /hidden-word/);
  }
});

test("if the service is unreachable, the message has its address and the next step", async (t) => {
  const { code, out, err } = await typed("merchant list", {
    env: { ADMIN_KEY: "key", ADMIN_URL: "http://127.0.0.1:1" },
  });
  t.is(code, 1);
  t.is(out, "");
  t.regex(err, /Nothing answers at http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\.\nSet ADMIN_URL to/);
});

test("if the file is missing, the command fails before the service is called", async (t) => {
  const { code, err } = await typed("game import --file /nowhere/games.json", {
    env: { ADMIN_KEY: "key", ADMIN_URL: "http://127.0.0.1:1" },
  });
  t.is(code, 1);
  t.regex(err, /--file \/nowhere\/games\.json can't be opened: there is no \/nowhere\/games\.json/);
});
