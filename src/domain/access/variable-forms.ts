/** The forms of values in environment variables, for the service and for every other process of the project. */

/** Reads a text. `undefined`: the text has the wrong form. */
export type Parser<T> = (text: string) => T | undefined;

export const oneOf =
  <T extends string>(...values: readonly T[]): Parser<T> =>
  (text) =>
    values.find((value) => value === text);

export const integer =
  (min: number, max: number): Parser<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;

export const flag: Parser<boolean> = (text) => ({ true: true, false: false })[text];

export const anyText: Parser<string> = (text) => text;

/** 32 bytes in base64. */
export const key32: Parser<Uint8Array> = (text) =>
  /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, "base64") : undefined;

/** A comma-separated list. */
export const listOf =
  <T>(parse: Parser<T>): Parser<readonly T[]> =>
  (text) => {
    const items = text.split(",").map((item) => parse(item.trim()));
    return items.every((item) => item !== undefined) ? items : undefined;
  };

/** An http(s) URL without query, fragment, user and password. It is returned without a trailing slash. */
export const webUrl: Parser<string> = (text) => {
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    return undefined;
  return url.href.replace(/\/+$/, "");
};

/** A share of all: 0 to 1. */
export const share: Parser<number> = (text) => (/^(0|1|0?\.\d{1,9}|1\.0+)$/.test(text) ? Number(text) : undefined);

/** The address of a receiver of traces, without /v1/traces. */
export const tracesReceiver: Parser<string> = (text) => {
  const url = webUrl(text);
  return url?.endsWith("/v1/traces") ? undefined : url;
};

/** `name=value,name=value`. The values are percent-encoded. */
export const headerPairs: Parser<Readonly<Record<string, string>>> = (text) => {
  const pairs = listOf((item) => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x21-\x7e]*)$/.exec(item) ?? undefined)(text);
  try {
    return pairs && Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
};
