import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "ava";

/** The driving adapters call use cases; the driven ones are called through ports. */
const DRIVING = ["rest", "grpc", "connect", "worker"];
/** The only files that may import everything. */
const COMPOSITION = /^src\/(main|start|service|transports|config|migrate-main|admin-main|container\/.+)\.ts$/;

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import between files of the project, as paths from its root. */
function imports(folder: string): Import[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) => {
    const from = join(folder, file);
    const text = readFileSync(from, "utf8");
    const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => match[1] as string);
    return specifiers.map((specifier) => ({ from, to: relative(".", join(dirname(from), specifier)) }));
  });
}

/** The layer of a path: `domain`, `ports`, `app`, `gen`, `composition`, or `adapters/<name>`. */
function layer(path: string): string {
  if (COMPOSITION.test(path)) return "composition";
  const [, first = "", second = ""] = path.split("/");
  return first === "adapters" ? `adapters/${second}` : first;
}

function mayImport(from: string, to: string): boolean {
  if (from === to || from === "composition") return true;
  if (from === "domain") return false;
  if (from === "ports") return to === "domain";
  if (from === "app") return to === "domain" || to === "ports";
  if (from === "gen" || to === "cli") return false;
  // The command line is a client: it knows the service by its API.
  if (from === "cli") return to === "gen";
  // They stand around what the container builds, whatever it is; nothing but the composition knows them.
  if (from === "failpoints") return true;
  const name = from.slice("adapters/".length);
  if (to === "app") return DRIVING.includes(name);
  // Connect serves the same implementations as gRPC: one driving adapter with two listeners.
  if (name === "connect" && to === "adapters/grpc") return true;
  // What two servers over Node's HTTP have in common.
  if (to === "adapters/http") return name === "rest" || name === "connect";
  return to === "domain" || to === "ports" || to === "gen";
}

test("every file of the service imports only what its layer may", (t) => {
  const all = imports("src");
  t.true(all.length > 100, "the imports were found");
  t.deepEqual(
    all.filter(({ from, to }) => !mayImport(layer(from), layer(to))),
    [],
  );
});

test("the command line is a stranger to the service: it imports itself and generated code alone", (t) => {
  const own = imports("src").filter(({ from }) => layer(from) === "cli");
  t.true(own.length > 20);
  t.deepEqual(
    own.filter(({ to }) => layer(to) !== "cli" && layer(to) !== "gen"),
    [],
  );
});

test("the reconciliation is a merchant's: of the service it imports pure rules alone", (t) => {
  const own = imports("reconcile");
  t.true(own.length > 5);
  t.deepEqual(
    own.filter(({ to }) => to.startsWith("src/") && !to.startsWith("src/domain/")),
    [],
  );
});

test("the certification of wallets is a package of its own: it imports itself and Node alone", (t) => {
  const own = imports("certify");
  t.true(own.length > 50);
  t.deepEqual(
    own.filter(({ to }) => !to.startsWith("certify/")),
    [],
  );
  const packages = readdirSync("certify", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const others = packages.flatMap((file) => [...readFileSync(join("certify", file), "utf8").matchAll(/ from "([^."][^"]*)"/g)].map(([, name = ""]) => name));
  t.deepEqual(
    others.filter((name) => !name.startsWith("node:")),
    [],
  );
});

test("the sandbox and the browser library import nothing of the service but generated code", (t) => {
  const strangers = [...imports("sandbox"), ...imports("web-renderer")];
  t.true(strangers.length > 30);
  t.deepEqual(
    strangers.filter(({ to }) => to.startsWith("src/") && !to.startsWith("src/gen/")),
    [],
  );
});
