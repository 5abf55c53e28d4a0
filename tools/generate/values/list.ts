/** Between two values of a list: a comma, `or`, quotes, a bar, or the beginning of the comment's next line. */
const BETWEEN = /["'`]?(?:,|(?<=") \|| or)?\s*(?:\/\/ )?(?:or )?["'`]?/;

/**
 * Corrects every list of these values in a text. A list is found by its first value, and has at least three values. The
 * text between two values stays as it is.
 *
 * @param value - what a value looks like.
 * @param before - the text before the list, if other lists begin with the same value.
 */
export function withLists(text: string, values: readonly string[], value: RegExp, before = ""): string {
  const [first = ""] = values;
  const one = `(?<![\\w-])(?!or\\b)(?:${value.source})(?![\\w-])`;
  return text.replace(
    new RegExp(`(?<=${before})(?<![\\w-])${first}(?:(?:${BETWEEN.source})${one}){2,}`, "g"),
    (list) => {
      const all = [...list.matchAll(new RegExp(`(${BETWEEN.source})(${one})`, "g"))];
      if (all.map(([, , name]) => name).join() === values.join()) return list;
      const [middle = ", "] = all.slice(1).map(([, between]) => between);
      const last = all.at(-1)?.[1] ?? ", ";
      return values.map((name, i) => (i === 0 ? "" : i === values.length - 1 ? last : middle) + name).join("");
    },
  );
}
