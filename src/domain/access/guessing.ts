/**
 * How hard a text is to guess. Random characters count fully. Words, sequences, repetitions and years, which people use
 * for secrets, count little: programs that guess try them first.
 */

/** What people put into secrets of such a service, in the languages of its operators, without accents. */
const COMMON = (
  "password passwort passwd pass senha contrasena clave segredo secreto secret admin administrator root user login " +
  "master key token jwt default changeme change letmein welcome bemvindo bienvenido qwerty asdf zxcv iloveyou amor " +
  "dragon monkey football futebol futbol flamengo corinthians boca river superman batman starwars princess sunshine " +
  "shadow test teste prueba demo example sample temp local server service prod production staging company game games " +
  "gaming casino bet bets betting aposta apuesta sportsbook sport slot wallet aggregator merchant provider brasil " +
  "brazil mexico argentina chile colombia peru database mysql mariadb summer winter spring autumn verao inverno"
)
  .split(" ")
  .sort((a, b) => b.length - a.length);
const ROWS = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "!@#$%^&*()"];
const LOOKALIKES: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
};

const COMMON_BITS = 7;
const SEQUENCE_BITS = 6;
const YEAR_BITS = 6;
const SEPARATOR_BITS = 2;
/** A letter of a word of a natural language. */
const WORD_LETTER_BITS = 2.2;

/** An estimate of how many bits a guesser must find. */
export function guessingBits(text: string): number {
  const repeated = /^(.+?)\1+$/su.exec(text);
  if (repeated !== null) return guessingBits(repeated[1] as string) + Math.log2(text.length);
  let bits = 0;
  for (let rest = text; rest !== ""; ) {
    const [length, more] = nextPart(rest);
    rest = rest.slice(length);
    bits += more;
  }
  return bits;
}

/** The length of the part at the beginning, and its bits. */
function nextPart(text: string): [length: number, bits: number] {
  const lower = text.toLowerCase();
  const plain = lower.replace(/[013457@$]/g, (sign) => LOOKALIKES[sign] as string);
  const common = COMMON.find((word) => lower.startsWith(word) || plain.startsWith(word));
  if (common !== undefined) return [common.length, COMMON_BITS];
  const same = /^(.)\1{2,}/su.exec(text);
  if (same !== null) return [same[0].length, SEQUENCE_BITS];
  const sequence = sequenceLength(lower);
  if (sequence >= 4) return [sequence, SEQUENCE_BITS];
  if (/^(19|20)\d\d(?!\d)/.test(text)) return [4, YEAR_BITS];
  // Random letters seldom have a vowel at least every fourth letter for so long.
  const word = /^(?:[A-Z]?[a-z]{4,}|[A-Z]{5,})/.exec(text);
  if (word !== null && !/[^aeiouy]{4}/i.test(word[0])) return [word[0].length, word[0].length * WORD_LETTER_BITS];
  if (/^[-_. /:]/.test(text)) return [1, SEPARATOR_BITS];
  return [1, /^\d/.test(text) ? Math.log2(10) : /^[a-z]/i.test(text) ? Math.log2(52) : Math.log2(32)];
}

/** The length of a sequence at the beginning: 1234, dcba, qwer. */
function sequenceLength(text: string): number {
  let longest = 0;
  for (const row of ROWS)
    for (const way of [row, [...row].reverse().join("")]) {
      const at = way.indexOf(text.charAt(0));
      if (at < 0) continue;
      let length = 1;
      while (length < text.length && text.charAt(length) === way.charAt(at + length)) length += 1;
      longest = Math.max(longest, length);
    }
  return longest;
}
