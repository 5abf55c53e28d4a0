import test from "ava";
import { typed } from "./typed.ts";

const ADDRESS = "--code ACME --address http://127.0.0.1:1";

/** Each line with its message. All end with exit code 2 and print nothing on stdout. */
const REFUSED: Readonly<Record<string, readonly [line: string, says: RegExp]>> = {
  "an unknown noun has its likeliest meaning": ["merchnat list", /"merchnat" is no noun\. Did you mean merchant\?/],
  "a noun that resembles none has the list of all": [
    "xyzzy",
    /There are: brand, merchant, provider, game, key, transaction, report, audit\./,
  ],
  "what every object has is no noun": ["constructor list", /"constructor" is no noun/],
  "what every object has is no flag": ["merchant list --to-string a", /has no flag --to-string/],
  "an unknown verb has its likeliest meaning": [
    "merchant crate",
    /"crate" is no verb of merchant\. Did you mean create\?/,
  ],
  "a noun without a verb has the verbs": [
    "merchant",
    /merchant create \| set \| show \| list \| rotate-secret \| finish-rotation \| cancel-rotation \| ping \| disable \| enable/,
  ],
  "an unknown flag has its likeliest meaning": [
    "merchant list --brnad shop",
    /merchant list has no flag --brnad\. Did you mean --brand\?/,
  ],
  "a flag in camel case gets its right spelling": [
    "merchant set --code a --walletUrl x",
    /Did you mean --wallet-url\?/,
  ],
  "a missing flag is named, with an example": ["merchant show", /--code is missing: .* for example --code shop-brl/],
  "every missing flag is named at once": [
    "merchant create --name x",
    /--code is missing.*--currency is missing.*--brand is missing/s,
  ],
  "a flag without its value is named": ["merchant show --code", /--code wants a value, for example --code shop-brl/],
  "the next flag is no value": ["merchant create --code --brand shop", /--code wants a value/],
  "an empty value is named": ["merchant show --code=", /--code has an empty value/],
  "a flag given twice is named": ["merchant show --code a --code b", /--code is given twice/],
  "a list given twice gets a hint about commas": [
    "merchant set --code a --products slot --products live",
    /--products is given twice: give it once, with its items separated by commas/,
  ],
  "a hole in a list is named": ["merchant set --code a --products slot,,live", /--products has an empty item/],
  "an unknown item of a list is named": [
    "merchant set --code a --products slot,lvie",
    /must be slot, live or sportsbook, not "lvie"\. Did you mean live\?/,
  ],
  "an unknown choice has its likeliest meaning": ["brand create --code a --theme mint", /Did you mean mint-carbon\?/],
  "a bad number is named, with its bounds": [
    `provider add-source ${ADDRESS} --deadline-ms soon`,
    /--deadline-ms must be a whole number from 100 to 9000, not "soon"/,
  ],
  "a number out of its bounds is named": [
    `provider add-source ${ADDRESS} --deadline-ms 9001`,
    /from 100 to 9000, not "9001"/,
  ],
  "a bad decimal is named": [
    "merchant set --code a --launch-rate 1e3",
    /--launch-rate must be a number such as 100, not "1e3"/,
  ],
  "a bad boolean is named": ["provider set --code ACME --active yes", /--active must be true or false, not "yes"/],
  "a bad time is named": [
    "audit list --from yesterday",
    /--from must be a date or a time with its zone, such as 2026-01-31/,
  ],
  "a time without its zone is no time": ["audit list --from 2026-01-31T12:00:00", /--from must be/],
  "a day that no calendar has is no time": ["audit list --from 2026-02-31", /--from must be/],
  "settings that are no JSON object are named": [
    "brand set --code a --settings [1]",
    /--settings must be a JSON object/,
  ],
  "pictures that aren't known are named": [
    `game set --provider ACME --code a --images {"thumbnail":"https://a.example"}`,
    /--images must have the addresses of thumb, square, background/,
  ],
  "a switch takes no value": ["game import --file games.json --dry-run=true", /--dry-run takes no value/],
  "--json takes no value": ["merchant list --json=yes", /--json takes no value/],
  "a stray word is likely the first flag's value": [
    "merchant show shop-brl",
    /"shop-brl" belongs to no flag\. Did you mean --code shop-brl\?/,
  ],
  "a file of unknown format needs one": ["game import --file games.txt", /--format is missing: games\.txt/],
  "a key is of a provider or has a role": ["key create --name ana", /Give one of --provider .* and --role/],
  "a key is not of a provider and with a role": [
    "key create --provider ACME --role owner",
    /Give one of --provider .* and --role/,
  ],
  "a change must change something": [
    "merchant set --code a --reason why",
    /Say what to change: --products slot,live, for example\./,
  ],
  "a resend needs a reason": ["transaction resend --merchant a --tx-id ACME:1", /--reason is missing/],
  "a resolve needs a reason and a status": [
    "transaction resolve --merchant a --tx-id ACME:1",
    /--status is missing.*--reason is missing/s,
  ],
  "completion is for shells that are known": ["completion fish", /completion bash \| zsh/],
};

for (const [title, [line, message]] of Object.entries(REFUSED)) {
  test(`the line "${line}" is a usage error: ${title}`, async (t) => {
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
