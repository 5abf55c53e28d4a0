import type { ActName } from "../../service/acts.ts";
import type { NavigationName, PageName } from "../../shell/places.ts";

interface Help {
  /** What the alert's text asks a person to do at the service. */
  readonly acts: readonly ActName[];
  readonly page: PageName;
  readonly query: Readonly<Record<string, string>>;
  /** The page of the navigation that names it. */
  readonly under: NavigationName;
}

interface About {
  readonly alert: string;
  readonly merchant?: string;
  readonly detail?: string;
}

const DIFFERENCE = /^(\d{4}-\d\d-\d\d)(?: (-?)(\d+(?:\.\d+)?) ([A-Z]{3}))?$/;

/** What the detail of ggr_differs says. */
export interface Difference {
  readonly day: string;
  /** By how much the stored GGR is too high or too low; undefined: an older release stored only the day. */
  readonly off?: { readonly isLow: boolean; readonly major: string; readonly currency: string };
}

/** Reads `2026-01-31 -12.5 BRL`. undefined: the text is something else. */
export function differenceIn(detail = ""): Difference | undefined {
  const [, day, minus, major, currency] = DIFFERENCE.exec(detail) ?? [];
  if (day === undefined) return undefined;
  return { day, ...(major && currency && { off: { isLow: minus === "-", major, currency } }) };
}

const stuck =
  (kind: string, ...acts: ActName[]) =>
  ({ merchant = "" }: About): Help => ({ acts, page: "stuck", query: { kind, merchant }, under: "stuck" });
const wallet = ({ merchant = "" }: About): Help => ({
  acts: [],
  page: "wallet",
  query: { merchant, span: "24h" },
  under: "wallets",
});
const pending =
  (...acts: ActName[]) =>
  ({ merchant = "" }: About): Help => ({
    acts,
    page: "transactions",
    query: { merchant, status: "pending" },
    under: "transactions",
  });
const merchantPage =
  (...acts: ActName[]) =>
  ({ merchant = "" }: About): Help => ({ acts, page: "merchant", query: { code: merchant }, under: "merchants" });

const HELP: Readonly<Record<string, (about: About) => Help>> = {
  credit_failed: stuck("owed", "resend"),
  credit_failed_after_silence: stuck("owed", "resend"),
  resend_horizon_over: stuck("unanswered", "resend", "resolve"),
  slip_stuck: stuck("slip"),
  wallet_contradicts: stuck("contradiction", "closeContradiction"),
  reversal_contradicts: stuck("contradiction"),
  original_stuck: pending("resend", "resolve"),
  win_held: pending(),
  rollback_failed: ({ merchant = "" }) => ({
    acts: [],
    page: "transactions",
    query: { merchant, status: "failed", action: "rollback" },
    under: "transactions",
  }),
  label_differs: ({ merchant = "" }) => ({
    acts: [],
    page: "transactions",
    query: { merchant },
    under: "transactions",
  }),
  breaker_open: wallet,
  wallet_tls: wallet,
  balance_precision: wallet,
  wallet_401s: merchantPage("askBalance"),
  wallet_redirects: merchantPage("changeWallet"),
  wallet_address: merchantPage(),
  ggr_differs: ({ merchant = "", detail }) => {
    const differing = differenceIn(detail)?.day;
    return {
      acts: [],
      page: "reports",
      query: { merchant, tz: "UTC", ...(differing && { from: differing, to: differing }) },
      under: "reports",
    };
  },
  wrong_keys: () => ({ acts: ["replaceKey"], page: "keys", query: {}, under: "keys" }),
};

/** The page that helps with an alert. undefined: the alert is of a newer release. */
export const helpOf = (about: About): Help | undefined => HELP[about.alert]?.(about);

/** The alerts that are open as long as their trouble goes on (docs/specification/console.md#console-alert-end). */
const GOES_ON = ["breaker_open", "wallet_401s", "wallet_tls", "wallet_redirects", "wallet_address"];
export const goesOn = (alert: string): boolean => GOES_ON.includes(alert);

/** The section of docs/runbooks.md about an alert: `wallet_401s` is in AggregatorWallet401s. */
export const runbookOf = (alert: string): string =>
  `Aggregator${alert.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}`;
