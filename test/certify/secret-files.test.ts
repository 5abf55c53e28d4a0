import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { readArguments as readProvider } from "../../certify/provider/arguments.ts";
import { readArguments as readWallet } from "../../certify/wallet/arguments.ts";

const WALLET = ["--url", "http://127.0.0.1:1/wallet", "--merchant", "shop", "--player", "ana"];
const TWO_MERCHANTS = [...WALLET, "--other-merchant", "other"];
const PROVIDER = ["--source", "127.0.0.1:1", "--provider", "ACME", "--game", "fruits"];

function fileWith(t: ExecutionContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "certify-secrets-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "secret");
  writeFileSync(file, text);
  return file;
}

type Read = (env: Readonly<Record<string, string>>, words?: readonly string[]) => unknown;
const merchantSecret: Read = (env, words = []) => {
  const read = readWallet([...WALLET, ...words], env);
  return typeof read === "string" ? read : read.plan.merchant.secret;
};
const otherSecret: Read = (env) => {
  const read = readWallet(TWO_MERCHANTS, { SECRET: "sk_shop", ...env });
  return typeof read === "string" ? read : read.plan.other?.merchant.secret;
};
const key: Read = (env, words = []) => {
  const read = readProvider([...PROVIDER, ...words], env);
  return typeof read === "string" ? read : read.plan.key;
};

for (const [name, read] of [
  ["SECRET", merchantSecret],
  ["OTHER_SECRET", otherSecret],
  ["KEY", key],
] as const)
  test(`${name} may be in a file, whose last newline does not count; a wrong file is named`, (t) => {
    const file = fileWith(t, "of the file\n");
    const fault = (env: Readonly<Record<string, string>>) => t.throws(() => read(env))?.message;
    t.is(read({ [`${name}_FILE`]: file }), "of the file");
    t.is(read({ [name]: "of the variable" }), "of the variable");
    t.is(fault({ [name]: "x", [`${name}_FILE`]: file }), `${name} and ${name}_FILE are both set: set only one of them`);
    const empty = fileWith(t, "\n");
    t.is(fault({ [`${name}_FILE`]: empty }), `${name}_FILE names a file that is empty`);
    t.is(
      fault({ [`${name}_FILE`]: "/no/such" }),
      `${name}_FILE names a file that cannot be read (ENOENT). It must hold the file's path, not its content`,
    );
    t.regex(fault({}) ?? "", new RegExp(`is missing: .* \\(or set ${name}\\)$`));
  });

test("an option counts more than the variable and its file", (t) => {
  const file = fileWith(t, "of the file");
  t.is(merchantSecret({ SECRET_FILE: file }, ["--secret", "of the option"]), "of the option");
  t.is(key({ KEY: "of the variable" }, ["--key", "of the option"]), "of the option");
});
