import { asKind, type Kind } from "../kind.ts";
import { forwarded, ipLists } from "./addresses.ts";
import { frameMessages, frameRoutes } from "./browser.ts";
import { catalogFiles } from "./catalog-files.ts";
import { cursors } from "./cursors.ts";
import { identifiers } from "./identifiers.ts";
import { jsonBodies } from "./json-bodies.ts";
import { launchTokens } from "./launch-tokens.ts";
import { moneyTexts } from "./money.ts";
import { instants, reportRequests } from "./reports.ts";
import { signatureReasons, signatures } from "./signing.ts";
import { queries, targets } from "./targets.ts";
import { urls } from "./urls.ts";
import { walletReplies } from "./wallet-replies.ts";

/** What reads a text or bytes by itself. */
export const PARSERS: readonly Kind<never>[] = [
  ...[asKind(moneyTexts), asKind(identifiers), asKind(ipLists), asKind(forwarded), asKind(signatures), asKind(signatureReasons)],
  ...[asKind(targets), asKind(queries), asKind(cursors), asKind(jsonBodies), asKind(walletReplies), asKind(urls), asKind(instants)],
  ...[asKind(reportRequests), asKind(catalogFiles), asKind(launchTokens), asKind(frameRoutes), asKind(frameMessages)],
];
