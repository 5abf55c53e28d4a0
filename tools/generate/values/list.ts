/** Between two values of a list: a comma, `or` or a bar; around it quotes, or the beginning of the comment's next line. */
const BETWEEN = /["'`]?(?:,|(?<=") \|| or)\s*(?:\/\/ )?(?:or )?["'`]?/;

/**
 * Corrects every list of these values in a text. A list is found by its first value, and has at least three values. The
 * text between two values stays as it is.
 *
 * @param value - what a value looks like.
 * @param before - the text before the list, if other lists begin with the same value.
 */
export function withLists(text: string, values: readonly string[], value: RegExp, before = ""): string {
  const [first = ""] = values;
  const next = `(${BETWEEN.source})((?!or\\b)(?:${value.source})(?![\\w-]))`;
  const lists = new RegExp(`(?<=${before})(?<![\\w-])${first}(?:${next}){2,}`, "g");
  return text.replace(lists, (list) => {
    const others = [...list.slice(first.length).matchAll(new RegExp(next, "g"))];
    if ([first, ...others.map(([, , name]) => name)].join() === values.join()) return list;
    const middle = others[0]?.[1] ?? "";
    const last = others.at(-1)?.[1] ?? "";
    return values.map((name, i) => (i === 0 ? "" : i === values.length - 1 ? last : middle) + name).join("");
  });
}
