import type { JSX } from "preact";
import { visible } from "../../web-files/visible.ts";

/** Finds an element. Throws when the page does not have it. */
export function find<T extends Element = HTMLElement>(selector: string, inside: ParentNode = document): T {
  const element = inside.querySelector<T>(selector);
  if (element === null) throw new Error(`the page lacks ${selector}`);
  return element;
}

type Child = Node | string | null | false;

/** The attributes that people read. */
const READ = ["title", "aria-label", "alt", "placeholder"];

type Tag = keyof HTMLElementTagNameMap & keyof JSX.IntrinsicElements;
type KeyOf<T> = T extends unknown ? Extract<keyof T, string> : never;
type Value = string | number | boolean | null;

/** The attributes that HTML knows for an element, and `data-`: a misspelt name does not compile. */
type Attributes<K extends Tag> = {
  readonly [name in KeyOf<JSX.IntrinsicElements[K]> as name extends Lowercase<name> ? name : never]?: Value;
} & { readonly [name: `data-${string}`]: Value };

/**
 * Makes an element: `make("p", { class: "note" }, "text")`. Attributes that are null or false are left out; text is
 * never parsed as HTML, and its invisible characters are written out.
 */
export function make<K extends Tag>(
  tag: K,
  attributes: Attributes<K> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    const text = value === true ? "" : String(value);
    element.setAttribute(name, READ.includes(name) ? visible(text) : text);
  }
  element.append(
    ...children
      .filter((child) => child !== null && child !== false)
      .map((child) => (typeof child === "string" ? visible(child) : child)),
  );
  return element;
}

/** A refusal by the page's own server. Programs decide by `code`. People read `message`. */
export class ApiError extends Error {
  readonly code: string;
  /**
   * The HTTP status; 0: there was no answer. With a status below 400, or from 500 on, the request may have had an
   * effect.
   */
  readonly status: number;
  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Calls the page's own server. Throws {@link ApiError}. */
export async function api<T>(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  const init: RequestInit = { headers };
  if (body !== undefined)
    Object.assign(init, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, "content-type": "application/json" },
    });
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError("UNREACHABLE", "The sandbox does not answer. Is it still running?", 0);
  }
  const reply = (await response.json()) as T & { error?: { code: string; message: string } };
  if (!response.ok)
    throw new ApiError(
      reply.error?.code ?? "UNKNOWN",
      reply.error?.message ?? "Something went wrong.",
      response.status,
    );
  return reply;
}
