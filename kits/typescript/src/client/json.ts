/** Reads the service's JSON, with sums of money as exact decimal texts. */

/** Fields that hold money, in any object. All other numbers become JavaScript numbers. */
const MONEY = new Set(["amount", "balance", "bets", "refunds", "wins", "rollbacks", "ggr"]);
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** The first character of a text that replaces a number. No text of the service begins with a control character. */
const MARK = "\u0000";

/**
 * Parses JSON. JSON.parse alone would read money as floating-point numbers, and the sum of a year may have more digits
 * than such a number can hold.
 *
 * @param moneyOf - makes the value of a field that holds money from its digits.
 * @throws SyntaxError
 */
export function parseJson(text: string, moneyOf: (digits: string) => unknown = (digits) => digits): unknown {
  const marked = text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
  return JSON.parse(marked, (key, value: unknown) => {
    if (typeof value !== "string" || !value.startsWith(MARK)) return value;
    const digits = value.slice(MARK.length);
    return MONEY.has(key) ? moneyOf(digits) : Number(digits);
  });
}
