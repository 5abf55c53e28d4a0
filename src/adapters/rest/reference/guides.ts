/** The project's pages beside the reference. Their texts are the project's own Markdown files. */

/** The root of the project. */
export const PROJECT = new URL("../../../../", import.meta.url);

interface Guide {
  /** The page's group in the navigation. */
  readonly group: "Start" | "Guides" | "Rules" | "Project";
  /** The path of the Markdown file, from the project's root. */
  readonly file: string;
  /** The page's name under /docs/. */
  readonly page: string;
  /** The page's name in the navigation; the page's heading by default. */
  readonly label?: string;
  /**
   * If present, each section of the file is a separate page. The value is the page's name, by the anchor of the
   * section's heading.
   */
  readonly sections?: Readonly<Record<string, string>>;
}

const rule = (name: string, label: string): Guide => ({
  group: "Rules",
  file: `docs/specification/${name}.md`,
  page: `rules-${name}`,
  label,
});

export const GUIDES: readonly Guide[] = [
  { group: "Start", file: "docs/first-bet.md", page: "first-bet" },
  {
    group: "Guides",
    file: "docs/merchant.md",
    page: "integration",
    label: "Overview",
    sections: {
      "1-what-you-get-what-you-configure": "setup",
      "2-signing": "signing",
      "3-opening-a-game": "launch",
      "4-other-calls": "calls",
      "5-the-wallet-callback": "wallet",
      "6-secrets": "secrets",
      "7-errors": "errors",
      "8-limits": "limits",
      "9-before-you-go-live": "go-live",
      "10-the-signature-is-wrong": "wrong-signature",
    },
  },
  { group: "Guides", file: "docs/merchant-wallet.md", page: "wallet-code", label: "A wallet to copy" },
  { group: "Guides", file: "docs/sportsbook-library.md", page: "sportsbook", label: "The sportsbook" },
  { group: "Guides", file: "docs/certify-wallet.md", page: "certify-wallet", label: "Try your wallet" },
  { group: "Guides", file: "docs/reconciliation.md", page: "reconciliation", label: "Reconciliation" },
  { group: "Guides", file: "docs/postman/README.md", page: "postman", label: "Postman" },
  rule("wallet-contract", "Wallet rules"),
  rule("wallet-calls", "Calls to a wallet"),
  rule("rest-api", "The REST API"),
  rule("signing", "Signing"),
  rule("launch", "Launch"),
  rule("catalog", "Catalog"),
  rule("transaction-lists", "Lists of transactions"),
  rule("transactions", "Transactions"),
  rule("reversals", "Refunds and rollbacks"),
  rule("resends", "Resends"),
  rule("reports", "Reports"),
  rule("errors", "Errors"),
  rule("limits", "Limits"),
  rule("basics", "Basics"),
  rule("browser-library", "Browser library"),
  { group: "Project", file: "CHANGELOG.md", page: "changelog" },
];

/** Files that the pages link to: their path from the project's root, by their path under /docs/. */
export const DOWNLOADS: Readonly<Record<string, string>> = {
  "postman/operator-api.postman_collection.json": "docs/postman/operator-api.postman_collection.json",
  "postman/operator-api.postman_environment.json": "docs/postman/operator-api.postman_environment.json",
};
