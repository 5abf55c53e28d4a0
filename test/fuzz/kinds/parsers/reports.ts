import { daysOf, type GgrFields, readGgrRequest } from "../../../../src/domain/transaction/report.ts";
import { formatInstant, parseInstant } from "../../../../src/domain/values/instant.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateFields, mutateText } from "../../mutate.ts";

const ZONES = [
  "UTC",
  "America/Sao_Paulo",
  "asia/kathmandu",
  "Pacific/Apia",
  "Africa/Casablanca",
  "Etc/GMT+12",
  "GMT",
  "EST",
  "Antarctica/Troll",
];

const date = (random: SeededRandom): string =>
  `${random.pick(["2026", "2025", "1999", "0000", "9999", "2011"])}-${pad(random.int(1, 12))}-${pad(random.int(1, 31))}`;
const pad = (number: number): string => String(number).padStart(2, "0");

/** Days and zones of a report: either a refusal with a reason, or at most 92 consecutive days. */
export const reportRequests: Kind<GgrFields> = {
  name: "report-requests",
  reader: "domain/transaction/report",
  perMillion: 5_000,
  generate: (random) => {
    const from = date(random);
    return {
      from,
      to: random.chance(0.7) ? `${from.slice(0, 8)}${pad(random.int(1, 31))}` : date(random),
      tz: random.pick(ZONES),
      group_by: random.pick(["day", "game"]),
    };
  },
  mutate: (random, fields) =>
    Object.fromEntries(
      Object.entries(mutateFields(random, fields as Record<string, unknown>)).filter(
        ([, value]) => typeof value === "string",
      ),
    ) as GgrFields,
  check: (fields) => {
    const read = readGgrRequest(fields);
    if (!read.ok)
      return Array.isArray(read.refusal.details) && read.refusal.details.length > 0 ? [] : ["refused without a fault"];
    const { names, bounds } = daysOf(read.value);
    const faults =
      names.length >= 1 && names.length <= 92 && bounds.length === names.length + 1 ? [] : [`${names.length} days`];
    if (bounds.some((bound, i) => !Number.isSafeInteger(bound) || bound < (bounds[i - 1] ?? bound)))
      faults.push("the days don't follow each other");
    return faults;
  },
};

/**
 * Times by RFC 3339. They are read with the same result as by other parsers, and written in a form that can be read
 * again.
 */
export const instants: Kind<string> = {
  name: "instants",
  reader: "domain/values/instant",
  perMillion: 12_000,
  generate: (random) => {
    const time = [random.int(0, 23), random.int(0, 59), random.int(0, 59)].map(pad).join(":");
    return `${date(random)}T${time}${random.pick(["", ".5", ".123456789"])}${random.pick(["Z", "z", "+03:00", "-23:59", "+14:00"])}`;
  },
  mutate: mutateText,
  check: (text) => {
    const ms = parseInstant(text);
    if (ms === undefined) return [];
    const written = formatInstant(ms);
    if (parseInstant(written) !== ms) return [`${text} is written as ${written}, which can't be read again`];
    const other = Date.parse(text);
    return Number.isNaN(other) || other === ms ? [] : [`others read ${other}, here it is ${ms}`];
  },
};
