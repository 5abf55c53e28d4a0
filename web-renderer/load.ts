import type { SBRenderer } from "./sb-renderer.ts";

export interface LoadOptions {
  /**
   * The script's address: the sportsbook's `sb-renderer.min.js`, or better its address with a version, whose content
   * never changes.
   */
  readonly src: string;
  /** The hash from `sb-renderer.integrity.json`. The browser refuses a script with another hash. */
  readonly integrity?: string | undefined;
  /** The nonce of your page's Content-Security-Policy. */
  readonly nonce?: string | undefined;
}

/**
 * - `NO_DOCUMENT`: there is no document. Load the library in the browser.
 * - `SCRIPT_NOT_LOADED`: the cause is the network, a Content-Security-Policy, an ad blocker, or another hash than
 * `integrity`. Browsers write the cause only to the console.
 * - `SCRIPT_IS_ANOTHER`: the script at the address is not the library.
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

/*
 * `document.head` and `document.createElement` are read as in dom.ts. They are written out here, because a page may load
 * this file alone.
 */

/** Loads by hash and address. So a call with a hash never gets a script that was loaded without the hash. */
const loads = new Map<string, Promise<typeof SBRenderer>>();

/**
 * Loads the library from the sportsbook with a script tag. The option `url` then defaults to the script's origin. The
 * script is loaded once for each address and `integrity`. After a failure the next call tries again. Rejects with a
 * {@link SBRendererLoadError}.
 */
export function loadSBRenderer(given: LoadOptions): Promise<typeof SBRenderer> {
  // Without a prototype, so that a missing option is not one that another script added to Object.prototype.
  const options = { __proto__: null, ...given } as LoadOptions;
  const key = JSON.stringify([options.integrity ?? null, options.src]);
  const load = loads.get(key) ?? insert(options);
  loads.set(key, load);
  load.catch(() => loads.delete(key));
  return load;
}

async function insert({ src, integrity, nonce }: LoadOptions): Promise<typeof SBRenderer> {
  if (typeof document === "undefined")
    throw new SBRendererLoadError("NO_DOCUMENT", "SBRenderer is for browsers: there is no document here");
  const failed = (cause?: unknown) =>
    new SBRendererLoadError(
      "SCRIPT_NOT_LOADED",
      `${src} was not loaded; the console says whether it is the network, a policy or the integrity`,
      { cause },
    );
  const script = Document.prototype.createElement.call(document, "script") as HTMLScriptElement;
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
  (Reflect.get(Document.prototype, "head", document) as HTMLHeadElement).append(script);
  try {
    await loaded;
  } finally {
    script.remove();
  }
  const renderer = page.SBRenderer;
  // Each run of the library defines a new class. If the class is still that of an earlier script, this script is not
  // the library. `window.SBRenderer` may also be an element with that id.
  if (typeof renderer !== "function" || renderer === before)
    throw new SBRendererLoadError("SCRIPT_IS_ANOTHER", `${src} is not SBRenderer`);
  return renderer;
}

/** The API of browsers with Trusted Types. TypeScript's library does not have it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/**
 * The address as a TrustedScriptURL, if the browser has Trusted Types. A page that requires them must allow the
 * policy sb-renderer.
 */
function trusted(src: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  // In a browser without Trusted Types, the name may be that of an element.
  if (typeof trustedTypes?.createPolicy !== "function") return src;
  policy ??= trustedTypes.createPolicy("sb-renderer", { createScriptURL: (url) => url });
  return policy.createScriptURL(src);
}
