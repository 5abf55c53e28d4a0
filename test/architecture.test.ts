import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "ava";

/** The driving adapters call use cases. The use cases call the driven adapters through ports. */
const DRIVING = ["rest", "grpc", "connect", "worker"];
/** These files compose the service. Only they may import everything. */
const COMPOSITION = /^src\/(main|serve|start|service|transports|config|migrate-main|admin-main|container\/.+)\.ts$/;
/** The folders with the project's code. */
const ROOTS = [
  "src",
  "contract",
  "sandbox",
  "web-files",
  "web-renderer",
  "console",
  "look",
  "reconcile",
  "certify",
  "connectors",
  "testbed",
  "test",
  "bench",
  "tools",
  "kits/typescript",
];
/**
 * The maximum number of TypeScript files in a folder. A larger folder must be split by subject. Generated code is not
 * counted.
 */
const FILES_PER_FOLDER = 16;
/** This folder is a list in itself: its files have numbers, and each release may add one. */
const STEPS = "src/adapters/sql/schema/migrations";

interface Import {
  readonly from: string;
  readonly to: string;
}

/** The paths of a folder's files from the project's root. Generated code is left out. */
function filesOf(folder: string, ending: RegExp): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));
  return files.filter((file) => ending.test(file) && !/(^|\/)gen\//.test(file));
}

/** Every import between files of the project, types included, as paths from its root. */
function imports(...folders: readonly string[]): Import[] {
  return folders
    .flatMap((folder) => filesOf(folder, /\.(tsx?|mjs)$/))
    .flatMap((from) => {
      const text = readFileSync(from, "utf8");
      const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*(?:\/\*[^*]*\*\/\s*)?"(\.[^"]+)"/g)].map(
        (match) => match[1] as string,
      );
      return specifiers.map((specifier) => ({ from, to: relative(".", join(dirname(from), specifier)) }));
    });
}

/** The layer of a path: `domain`, `ports`, `app`, `gen`, `composition`, `web-files`, `contract`, or `adapters/<name>`. */
function layer(path: string): string {
  if (COMPOSITION.test(path)) return "composition";
  if (path.startsWith("web-files/")) return "web-files";
  if (path.startsWith("contract/")) return "contract";
  const [, first = "", second = ""] = path.split("/");
  return first === "adapters" ? `adapters/${second}` : first;
}

function mayImport(from: string, to: string): boolean {
  // The facts that several packages state: data alone.
  if (to === "contract") return true;
  if (from === to || from === "composition") return true;
  if (from === "domain") return false;
  if (from === "ports") return to === "domain";
  if (from === "app") return to === "domain" || to === "ports";
  if (from === "gen" || to === "cli") return false;
  // The command line is a client of the service: it imports only the generated API and pure rules.
  if (from === "cli") return to === "gen" || to === "domain" || to === "web-files";
  const name = from.slice("adapters/".length);
  if (to === "app") return DRIVING.includes(name);
  // Connect serves the same implementations as gRPC: one driving adapter with two listeners.
  if (name === "connect" && to === "adapters/grpc") return true;
  // The service serves its pages with the same code as the sandbox.
  if (to === "web-files") return name === "rest" || name === "connect";
  // What reads bytes of strangers over HTTP shares this folder.
  if (to === "adapters/http") return ["rest", "connect", "grpc", "wallet-http", "provider-grpc"].includes(name);
  // All clients of names that others chose share this folder.
  if (to === "adapters/names") return ["wallet-http", "provider-grpc", "sql", "otlp"].includes(name);
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

test("the contract imports nothing but itself", (t) => {
  const own = imports("contract");
  t.true(own.length > 5);
  t.deepEqual(
    own.filter(({ to }) => !to.startsWith("contract/")),
    [],
  );
  const packages = filesOf("contract", /\.ts$/).filter((file) => / from "[^.]/.test(readFileSync(file, "utf8")));
  t.deepEqual(packages, []);
});

test("the command line imports only itself, the contract, generated code and pure rules", (t) => {
  const own = imports("src").filter(({ from }) => layer(from) === "cli");
  t.true(own.length > 20);
  t.deepEqual(
    own.filter(({ to }) => !["cli", "gen", "domain", "contract"].includes(layer(to)) && to !== "web-files/visible.ts"),
    [],
  );
});

test("the reconciliation runs at merchants: of the service it imports only the pure rules of the domain", (t) => {
  const own = imports("reconcile");
  t.true(own.length > 5);
  t.deepEqual(
    own.filter(({ to }) => to.startsWith("src/") && !to.startsWith("src/domain/")),
    [],
  );
});

test("connectors import pure rules, generated code, the kit for providers, and how the service reaches its database and its receiver of traces", (t) => {
  const own = imports("connectors");
  t.true(own.length > 20);
  const others = own.filter(
    ({ to }) => !/^(connectors|contract|src\/(domain|gen)|kits\/typescript-provider\/src)\//.test(to),
  );
  // One place decides how a database is reached, how its tables are written, how a secret is sealed, and how spans leave.
  const shared: Readonly<Record<string, RegExp>> = {
    "connectors/frame/state": /^src\/adapters\/sql\/(connection\/[\w-]+|schema\/table|settings\/secret-box)\.ts$/,
    "connectors/frame/operation": /^src\/(ports\/tracing|adapters\/otlp\/otlp-tracing)\.ts$/,
  };
  t.deepEqual(
    others.filter(({ from, to }) => shared[dirname(from)]?.test(to) !== true),
    [],
  );
});

test("no connector imports another: what two need is in the frame", (t) => {
  const own = imports("connectors").filter(({ from }) => from.split("/").length > 2);
  t.deepEqual(
    own.filter(
      ({ from, to }) => to.startsWith("connectors/") && ![from.split("/")[1], "frame"].includes(to.split("/")[1]),
    ),
    [],
  );
});

test("the certification of wallets is a separate package: it imports only itself, the reports and Node", (t) => {
  const own = [...imports("certify/wallet"), ...imports("certify/report")];
  t.true(own.length > 50);
  t.deepEqual(
    own.filter(({ to }) => !/^certify\/(wallet|report)\//.test(to)),
    [],
  );
  const packages = ["certify/wallet", "certify/report"].flatMap((folder) => filesOf(folder, /\.tsx?$/));
  const others = packages.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/ from "([^."][^"]*)"/g)].map(([, name = ""]) => name),
  );
  t.deepEqual(
    others.filter((name) => !name.startsWith("node:")),
    [],
  );
});

test("the certification of providers imports pure rules and generated code of the service, and nothing of the wallets' certification", (t) => {
  const own = imports("certify/provider");
  t.true(own.length > 50);
  t.deepEqual(
    own.filter(({ to }) => !/^(certify\/(provider|report)|contract|src\/(domain|gen))\//.test(to)),
    [],
  );
});

test("the kits import nothing of the service; only the kit for providers imports its generated code", (t) => {
  const merchants = imports("kits/typescript");
  t.true(merchants.length > 50);
  t.deepEqual(
    merchants.filter(({ to }) => !to.startsWith("kits/typescript/")),
    [],
  );
  const providers = imports("kits/typescript-provider");
  t.true(providers.length > 5);
  t.deepEqual(
    providers.filter(({ to }) => !/^(kits\/typescript-provider|src\/gen)\//.test(to)),
    [],
  );
});

test("the sandbox and the browser library import only generated code of the service", (t) => {
  const strangers = [...imports("sandbox"), ...imports("web-renderer")];
  t.true(strangers.length > 30);
  t.deepEqual(
    strangers.filter(({ to }) => to.startsWith("src/") && !to.startsWith("src/gen/")),
    [],
  );
});

test("the sandbox's merchant, provider and sportsbook do not import each other", (t) => {
  const peers = ["merchant", "provider", "sportsbook"];
  const peerOf = (path: string) => peers.find((peer) => path.startsWith(`sandbox/${peer}/`));
  const crossing = imports("sandbox").filter(
    ({ from, to }) => peerOf(from) !== undefined && peerOf(to) !== undefined && peerOf(from) !== peerOf(to),
  );
  t.deepEqual(crossing, []);
});

test("the console and the sandbox import nothing of each other: what both need is in look", (t) => {
  const own = [...imports("console"), ...imports("sandbox")];
  t.true(own.length > 500);
  t.deepEqual(
    own.filter(({ from, to }) => from.split("/")[0] !== to.split("/")[0] && /^(console|sandbox)\//.test(to)),
    [],
  );
});

test("tests and bench do not import each other: both import testbed, and testbed imports neither", (t) => {
  const all = imports("test", "bench", "testbed");
  t.true(all.some(({ from, to }) => from.startsWith("bench/") && to.startsWith("testbed/")));
  const mayNot = ({ from, to }: Import): boolean => {
    const [top = ""] = from.split("/");
    if (top === "testbed") return to.startsWith("test/") || to.startsWith("bench/");
    if (top === "bench") return to.startsWith("test/");
    // These tests are about the bench itself.
    return to.startsWith("bench/") && !from.startsWith("test/bench/");
  };
  t.deepEqual(all.filter(mayNot), []);
  const toTests = imports("src", "sandbox", "web-renderer", "reconcile", "connectors").filter(({ to }) =>
    /^(test|testbed|bench)\//.test(to),
  );
  t.deepEqual(toTests, [], "what is shipped imports no test");
});

test("the code that serves files is shared by the service and the sandbox: it imports only itself and Node", (t) => {
  const files = filesOf("web-files", /\.tsx?$/).map((file) => readFileSync(file, "utf8"));
  t.true(files.length > 1);
  const imported = files.flatMap((text) => [...text.matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name));
  t.deepEqual(
    imported.filter((name) => !/^(node:|\.\/)/.test(name)),
    [],
  );
});

test("every client is made where it uses no proxy of a variable: each gRPC client in one of two files, each HTTP client with an agent of its own", (t) => {
  const browser = /^sandbox\/[\w/]*(page|home|wallet-page|design)\/|^src\/adapters\/rest\/reference\//;
  const files = ["src", "sandbox", "reconcile", "certify", "connectors"]
    .flatMap((folder) => filesOf(folder, /\.tsx?$/))
    .filter((file) => !browser.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "") }));
  const having = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text));
  const grpc = having(
    /(?<!Server)\b(Channel)?[Cc]redentials\.create|makeGenericClientConstructor|makeClientConstructor/,
  );
  t.deepEqual(grpc.map(({ file }) => file).sort(), [
    "sandbox/grpc-client.ts",
    "src/adapters/provider-grpc/grpc-game-launcher.ts",
  ]);
  for (const { file, text } of grpc) {
    t.regex(text, /"grpc\.enable_http_proxy": 0,/, file);
    t.regex(text, /"grpc\.service_config_disable_resolution": 1,/, file);
  }
  const withoutAgent = having(/\bcreateConnectTransport\(|\brequestHttps?\b|\bgetHttps?\b|from "node:https?"/)
    .filter(({ text }) => /createConnectTransport\(|\b(request|get)( as \w+)?[,\s}][^;]*from "node:https?"/.test(text))
    .filter(({ text }) => !/\bagent\b/.test(text));
  t.deepEqual(
    withoutAgent.map(({ file }) => file),
    [],
  );
  // The sandbox's main file gives fetch a dispatcher of its own.
  t.deepEqual(
    having(/(?<![.\w])fetch\(/)
      .map(({ file }) => file)
      .filter((file) => !file.startsWith("sandbox/")),
    [],
  );
  t.regex(readFileSync("sandbox/main.ts", "utf8"), /^setGlobalDispatcher\(new Agent\(\)\);$/m);
});

test("no files import each other in a circle, types included", (t) => {
  t.deepEqual(circles(imports(...ROOTS)), []);
});

test("the search for circles finds each circle once, and leaves out files that only import a file of it", (t) => {
  const graph = "a>b b>c c>a c>d d>e e>d f>a g>g h>i"
    .split(" ")
    .map((edge) => ({ from: edge.charAt(0), to: edge.charAt(2) }));
  t.deepEqual(circles(graph).sort(), ["a b c", "d e", "g"]);
});

/**
 * The circles of imports: the strongly connected components of the import graph with more than one file (Tarjan's
 * algorithm). Each circle is one line with its sorted files.
 */
function circles(all: readonly Import[]): string[] {
  const imported = Map.groupBy(all, ({ from }) => from);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    lowest.set(file, own);
    stack.push(file);
    const targets = (imported.get(file) ?? []).map(({ to }) => to);
    for (const to of targets) {
      const reached = index.has(to) ? (stack.includes(to) ? (index.get(to) as number) : own) : visit(to);
      lowest.set(file, Math.min(lowest.get(file) as number, reached));
    }
    if (lowest.get(file) === own) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1 || targets.includes(file)) found.push(component.sort().join(" "));
    }
    return lowest.get(file) as number;
  };
  for (const file of imported.keys()) if (!index.has(file)) visit(file);
  return found;
}

test(`no folder has more than ${FILES_PER_FOLDER} TypeScript files`, (t) => {
  const folders = Map.groupBy(
    ROOTS.flatMap((root) => filesOf(root, /\.tsx?$/)),
    (file) => dirname(file),
  );
  t.true(folders.size > 50);
  const large = [...folders]
    .filter(([folder, files]) => files.length > FILES_PER_FOLDER && folder !== STEPS)
    .map(([folder, files]) => `${folder}: ${files.length}`);
  t.deepEqual(large, []);
});

test("every file and folder of the project that a comment or a page names exists", (t) => {
  const files = [...ROOTS, "docs", "proto"].flatMap((root) => filesOf(root, /./)).concat(readdirSync("."));
  const known = new Set(files.flatMap((file) => endingsOf(file)));
  const texts = [
    ...[...filesOf("docs", /\.md$/), "README.md"].map((file) => [file, readFileSync(file, "utf8")] as const),
    ...ROOTS.flatMap((root) => filesOf(root, /\.(tsx?|mjs)$/)).map(
      (file) => [file, comments(readFileSync(file, "utf8"))] as const,
    ),
  ];
  const cited = texts.flatMap(([from, text]) =>
    [...text.matchAll(CITED)].map(([name]) => ({ from, name: name.replace(/\/$/, "") })),
  );
  t.true(cited.length > 200, "the citations were found");
  t.deepEqual(
    cited.filter(({ name }) => !known.has(name) && !known.has(`${name}.ts`) && !known.has(`${name}.tsx`)),
    [],
  );
});

/** A TypeScript file of the project by its name or path, or a path below one of the project's folders. */
const CITED = new RegExp(
  `(?<![\\w./:@~-])(?:(?:[\\w-]+/)*[\\w.-]*\\w\\.ts(?![\\w/-])|(?:[\\w-]+/)*[a-z][\\w-]*\\.tsx|(?:${ROOTS.join("|")})/(?:[\\w-]+/)*[\\w-]*(?![\\w.*{}/-]))`,
  "g",
);

/** A path and each of its endings, because a page may leave out folders that its text has named before. */
const endingsOf = (file: string): string[] => file.split("/").map((_, i, parts) => parts.slice(i).join("/"));

const comments = (text: string): string =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/[^\n]*/g)].map(([comment]) => comment).join("\n");
