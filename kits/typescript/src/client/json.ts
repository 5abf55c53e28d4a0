/** JSON of the service, with sums of money as exact decimal texts. */

/** Fields that hold money, wherever they stand. All other numbers are JavaScript numbers. */
const MONEY = new Set(["amount", "balance", "bets", "refunds", "wins", "rollbacks", "ggr"]);
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Begins the text of a number. No text of the service begins with a control character. */
const MARK = "\u0000";

/**
 * Parses JSON. JSON.parse alone would make floating-point numbers of money, and a year's sum may have more digits than
 * these hold. @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const marked = text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
  return JSON.parse(marked, (key, value: unknown) => {
    if (typeof value !== "string" || !value.startsWith(MARK)) return value;
    const digits = value.slice(MARK.length);
    return MONEY.has(key) ? digits : Number(digits);
  });
}
