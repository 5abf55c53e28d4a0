import type { SBRenderer } from "./sb-renderer.ts";

export interface LoadOptions {
  /** Of the script: the sportsbook's `sb-renderer.min.js`, or better one with a version, which never changes. */
  readonly src: string;
  /** Of `sb-renderer.integrity.json`. Another script than that is refused by the browser. */
  readonly integrity?: string | undefined;
  /** Of your page's Content-Security-Policy. */
  readonly nonce?: string | undefined;
}

/**
 * - `NO_DOCUMENT`: there is no browser here; load on the client.
 * - `SCRIPT_NOT_LOADED`: the network, a Content-Security-Policy, an ad blocker, or another hash than `integrity`; browsers tell only the console which.
 * - `SCRIPT_IS_ANOTHER`: what is at the address is not the library.
 */
export type LoadErrorCode = "NO_DOCUMENT" | "SCRIPT_NOT_LOADED" | "SCRIPT_IS_ANOTHER";

export class SBRendererLoadError extends Error {
  override readonly name = "SBRendererLoadError";
  readonly code: LoadErrorCode;

  constructor(code: LoadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** By hash and address: a script that nobody checked must not answer a call that names a hash. */
const loads = new Map<string, Promise<typeof SBRenderer>>();

/**
 * The library as the sportsbook serves it, by a script tag; `url` defaults to the script's origin then. The script is loaded once for each address and
 * `integrity`, however often this is called; after a failure a call tries again. Rejects with a {@link SBRendererLoadError}.
 */
export function loadSBRenderer(options: LoadOptions): Promise<typeof SBRenderer> {
  const key = JSON.stringify([options.integrity ?? null, options.src]);
  const load = loads.get(key) ?? insert(options);
  loads.set(key, load);
  load.catch(() => loads.delete(key));
  return load;
}

async function insert({ src, integrity, nonce }: LoadOptions): Promise<typeof SBRenderer> {
  if (typeof document === "undefined") throw new SBRendererLoadError("NO_DOCUMENT", "SBRenderer is for browsers: there is no document here");
  const failed = (cause?: unknown) =>
    new SBRendererLoadError("SCRIPT_NOT_LOADED", `${src} was not loaded; the console says whether it is the network, a policy or the integrity`, { cause });
  const script = document.createElement("script");
  script.crossOrigin = "anonymous";
  if (integrity !== undefined) script.integrity = integrity;
  if (nonce !== undefined) script.nonce = nonce;
  try {
    script.src = trusted(src);
  } catch (error) {
    throw failed(error);
  }
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(failed()));
  });
  const page = window as { SBRenderer?: typeof SBRenderer };
  const before = page.SBRenderer;
  document.head.append(script);
  try {
    await loaded;
  } finally {
    script.remove();
  }
  const renderer = page.SBRenderer;
  // The class of an earlier script is not what this script holds: each run of the library makes its own.
  if (renderer === undefined || renderer === before) throw new SBRendererLoadError("SCRIPT_IS_ANOTHER", `${src} is not SBRenderer`);
  return renderer;
}

/** Of browsers with Trusted Types; not in TypeScript's library yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/** Where Trusted Types are required the page must allow the policy sb-renderer. */
function trusted(src: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return src;
  policy ??= trustedTypes.createPolicy("sb-renderer", { createScriptURL: (url) => url });
  return policy.createScriptURL(src);
}
