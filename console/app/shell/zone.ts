import { keep, kept } from "./kept.ts";

const BROWSER_ZONE: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

const KEY = "zone";
const UTC = "UTC";

/** Whether the reader chose UTC. Another choice loads the page anew. */
export const IS_UTC: boolean = kept(KEY) === UTC;
/** The time zone of the pages: the browser's, or UTC. */
export const ZONE: string = IS_UTC ? UTC : BROWSER_ZONE;
export const ZONES: readonly string[] = [...new Set([BROWSER_ZONE, UTC])];

export function chooseZone(zone: string): void {
  if (keep(KEY, zone === UTC ? UTC : null)) location.reload();
}

/** The last midnight of the chosen zone, in ms since 1970. */
export const midnight = (at: number): number =>
  IS_UTC ? new Date(at).setUTCHours(0, 0, 0, 0) : new Date(at).setHours(0, 0, 0, 0);

/** The instant of a time `YYYY-MM-DDTHH:MM` of the chosen zone, as RFC 3339. Empty: the text is empty. */
export const instantOf = (local: string): string =>
  local === "" ? "" : new Date(IS_UTC ? `${local}Z` : local).toISOString();

/** An instant as `YYYY-MM-DDTHH:MM` of the chosen zone. Empty: it is no instant. */
export function localOf(instant: string | undefined): string {
  const at = new Date(instant ?? "");
  if (Number.isNaN(at.getTime())) return "";
  const offsetMs = IS_UTC ? 0 : at.getTimezoneOffset() * 60_000;
  return new Date(at.getTime() - offsetMs).toISOString().slice(0, 16);
}
