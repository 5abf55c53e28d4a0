import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import test from "ava";
import { buildRenderer } from "../../web-renderer/build/build-renderer.ts";
import { builtRenderer } from "../../web-renderer/build/built-renderer.ts";
import { publishedFiles } from "../../web-renderer/build/published-files.ts";
import { LIBRARY_VERSION } from "../../web-renderer/version.ts";

const run = promisify(execFile);
const BIN = join(import.meta.dirname, "../../node_modules/.bin");

async function temporary(t: { teardown(end: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sb-renderer-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function contents(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.sort().map(async (file) => [file.slice(folder.length), (await readFile(file)).toString("base64")] as const),
    ),
  );
}

test("two builds of the library are identical, byte for byte", async (t) => {
  const again = await temporary(t);
  await buildRenderer(again);
  const [first, second] = [await contents(await builtRenderer()), await contents(again)];
  t.true(first.size > 20);
  t.deepEqual(second, first);
});

test("a build in a folder with characters that webpack reserves has the same bytes", async (t) => {
  const folder = join(await temporary(t), "a!b?c[name] #é%41");
  await mkdir(folder);
  for (const part of ["web-renderer", "web-files", "tsconfig.json", "package.json", "LICENSE"])
    await cp(part, join(folder, part), { recursive: true });
  await symlink(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  const program =
    'const { buildRenderer } = await import("./web-renderer/build/build-renderer.ts"); await buildRenderer(process.cwd() + "/built");';
  await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
  const here = await readFile(join(await builtRenderer(), "sb-renderer.min.js"), "utf8");
  t.is(await readFile(join(folder, "built/sb-renderer.min.js"), "utf8"), here);
});

test("the script has at most 3 767 bytes with gzip, and is published with its hash under its version", async (t) => {
  const files = await publishedFiles();
  const script = files.get("/sb-renderer.min.js");
  if (script === undefined) return t.fail("there is no script");
  t.true(
    gzipSync(script.content, { level: 9 }).length <= 3_767,
    `${gzipSync(script.content, { level: 9 }).length} bytes`,
  );
  const integrity = `sha384-${createHash("sha384").update(script.content).digest("base64")}`;
  const versioned = `sb-renderer/${LIBRARY_VERSION}/sb-renderer.min.js`;
  t.deepEqual(JSON.parse(String(files.get("/sb-renderer.integrity.json")?.content)), {
    version: LIBRARY_VERSION,
    file: "sb-renderer.min.js",
    integrity,
    versioned: { url: versioned, integrity },
  });
  t.deepEqual(files.get(`/${versioned}`)?.content, script.content);
  t.is(files.get(`/${versioned}`)?.headers["Cache-Control"], "public, max-age=31536000, immutable");
  for (const { headers } of files.values()) t.is(headers["Access-Control-Allow-Origin"], "*");
  t.is(
    (JSON.parse(await readFile("web-renderer/package.json", "utf8")) as { version: string }).version,
    LIBRARY_VERSION,
  );
});

/**
 * Code that a merchant's project with strict types may and may not have. Each line after a `@ts-expect-error` must be
 * an error.
 */
const RIGHT_AND_WRONG = `
import { SBRenderer, type SBRendererOptions } from "sb-renderer";
import { connectToPage, takeLaunchToken } from "sb-renderer/frame";
import { loadSBRenderer, SBRendererLoadError } from "sb-renderer/load";
import { THEMES, type Envelope } from "sb-renderer/protocol";

declare const target: HTMLElement;
declare function launch(): Promise<string>;
const sportsbook = new SBRenderer();
const all: SBRendererOptions = {
  target, brand_id: "luna", token: null, url: "https://sb.example", lang: "en-US", themeName: "mint-carbon", layout: "tile", oddsFormat: "american",
  path: "/live", syncPath: false, hideBalance: true, debug: true, onAppInitialized() {}, onLogin: async () => {}, onRegister() {}, onRecharge() {},
  onRouteChange: (path) => path.startsWith("/"), onTokenExpired: launch, onSessionRefresh: undefined,
  onBetslipChanged: ({ count }) => count.toFixed(), onBetPlaced: ({ betIds, stake }) => betIds.length + stake,
  onBalanceChange: ({ amount, currency }) => amount + currency.length,
};
sportsbook.initialize(all);
sportsbook.initialize({ target, brand_id: "luna" });
sportsbook.updateOptions({ token: undefined, lang: "pt", onTokenExpired: () => null });
sportsbook.navigate("/live");
sportsbook.refreshBalance();
sportsbook.kill();

// @ts-expect-error target is required
sportsbook.initialize({ brand_id: "luna" });
// @ts-expect-error brand_id is required
sportsbook.initialize({ target });
// @ts-expect-error an element, no selector
sportsbook.initialize({ target: "#target", brand_id: "luna" });
// @ts-expect-error no such theme
sportsbook.updateOptions({ themeName: "mint" });
// @ts-expect-error no such layout
sportsbook.updateOptions({ layout: "grid" });
// @ts-expect-error no such language
sportsbook.updateOptions({ lang: "fr" });
// @ts-expect-error no such odds format
sportsbook.updateOptions({ oddsFormat: "malay" });
// @ts-expect-error it is called themeName
sportsbook.updateOptions({ theme: "mint-carbon" });
// @ts-expect-error the target stays
sportsbook.updateOptions({ target });
// @ts-expect-error the brand stays
sportsbook.updateOptions({ brand_id: "other" });
// @ts-expect-error the address stays
sportsbook.updateOptions({ url: "https://other.example" });
// @ts-expect-error a visitor is null, said on purpose
sportsbook.updateOptions({ onTokenExpired: () => undefined });
// @ts-expect-error no token, no renewal
sportsbook.updateOptions({ onTokenExpired: () => {} });
// @ts-expect-error minor units, no text
sportsbook.updateOptions({ onBetPlaced: ({ stake }) => stake.length });
// @ts-expect-error a path is needed
sportsbook.navigate();

const page = connectToPage<{ id: string }>(
  { signIn: async (token) => ({ id: token }), onSession: (session) => session?.id, onOptions: ({ layout }) => layout, onNavigate() {}, onRefreshBalance() {} },
  { allowedOrigins: ["https://casino.example"], token: takeLaunchToken() },
);
page.send("login");
page.send("betPlaced", { betIds: [THEMES[0]], stake: 1 });
// @ts-expect-error betPlaced has a payload
page.send("betPlaced");
// @ts-expect-error expirations go through renew
page.send("tokenExpired");
const Loaded: typeof SBRenderer = await loadSBRenderer({ src: "https://sb.example/sb-renderer.min.js", integrity: "sha384-x" });
new Loaded().initialize({ target, brand_id: "luna" });
export const isBlocked = (error: unknown): boolean => error instanceof SBRendererLoadError && error.code === "SCRIPT_NOT_LOADED";
// @ts-expect-error no such code
export const isOther = (error: SBRendererLoadError): boolean => error.code === "BLOCKED";
export const kind = ({ kind }: Envelope): string => kind;
`;

test("the npm package can be packed, compiles in a strict project, refuses wrong options and can be imported without a window", async (t) => {
  const folder = await temporary(t);
  const { stdout } = await run(
    "npm",
    ["pack", "--json", "--offline", "--pack-destination", folder, join(await builtRenderer(), "package")],
    { cwd: folder },
  );
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>);
  t.deepEqual(
    packed?.files.map(({ path }) => path).filter((path) => !/\.(js|d\.ts)$/.test(path)),
    ["LICENSE", "README.md", "package.json"],
  );
  await mkdir(join(folder, "node_modules/sb-renderer"), { recursive: true });
  await run("tar", [
    "-xzf",
    join(folder, packed?.filename ?? ""),
    "-C",
    join(folder, "node_modules/sb-renderer"),
    "--strip-components=1",
  ]);
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  };
  const bundled = {
    ...options,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
  };
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "merchant.ts"), RIGHT_AND_WRONG);
  for (const compilerOptions of [bundled, { ...bundled, module: "nodenext", moduleResolution: "nodenext" }]) {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["merchant.ts"] }));
    const compiled = await run(join(BIN, "tsc"), ["-p", folder]).catch((error: { stdout: string }) => error);
    t.is(compiled.stdout, "");
  }
  const server =
    'import { SBRenderer } from "sb-renderer"; import { connectToPage } from "sb-renderer/frame"; import { loadSBRenderer } from "sb-renderer/load"; new SBRenderer().kill(); console.log(typeof window, typeof connectToPage, await loadSBRenderer({ src: "/x" }).catch((error) => error.code));';
  const imported = await run(process.execPath, ["--input-type=module", "--eval", server], { cwd: folder });
  t.deepEqual(imported, { stdout: "undefined function NO_DOCUMENT\n", stderr: "" });
});
