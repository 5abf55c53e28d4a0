/** Slotegrator's list of games, which comes in pages. */
import { gamesCommand, givenText, LIST_TIMEOUT_MS, rtpOf, tagsOf } from "../frame/catalogue/games-command.ts";
import type { ListedGame } from "../frame/catalogue/import-file.ts";
import { post } from "../frame/outgoing.ts";
import type { Form } from "./form.ts";
import { writeForm } from "./form.ts";
import type { SlotegratorVariables } from "./settings.ts";
import { headersFor } from "./sign.ts";

type Given = Readonly<Record<string, unknown>>;
interface Page {
  readonly items?: readonly Given[];
  readonly _meta?: { readonly pageCount?: number };
}

/** Slotegrator's staging takes one call a second. */
const PAUSE_MS = 1_000;
const PAGES_MAX = 2_000;

export const slotegratorGames = gamesCommand<SlotegratorVariables>({
  name: "slotegrator",
  needs: ["SLOTEGRATOR_URL", "SLOTEGRATOR_MERCHANT_ID", "SLOTEGRATOR_MERCHANT_KEY"],
  async pull(settings, demo) {
    const {
      SLOTEGRATOR_URL: url,
      SLOTEGRATOR_MERCHANT_ID: merchantId,
      SLOTEGRATOR_MERCHANT_KEY: merchantKey,
    } = settings;
    const games: ListedGame[] = [];
    for (let page = 1, pages = 1; page <= Math.min(pages, PAGES_MAX); page++) {
      if (page > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const query: Form = new Map([
        ["page", String(page)],
        ["per-page", "50"],
        ["expand", "tags,parameters,images"],
      ]);
      const headers = headersFor(query, { merchantId, merchantKey });
      const address = `${url}/games?${writeForm(query)}`;
      const answer = JSON.parse(await post({ url: address, headers, timeoutMs: LIST_TIMEOUT_MS })) as Page | null;
      if (!Array.isArray(answer?.items)) throw new Error("the provider's answer is no page of games");
      pages = answer?._meta?.pageCount ?? pages;
      games.push(...(answer?.items ?? []).map((game) => listed(game, demo)));
    }
    return games;
  },
});

/** One game of the upstream with the names of the import file. */
function listed(game: Given, demo: boolean): ListedGame {
  const tags = Array.isArray(game.tags) ? (game.tags as readonly { label?: unknown }[]) : [];
  const parameters = (game.parameters ?? {}) as Given;
  const images = Array.isArray(game.images) ? (game.images as readonly { url?: unknown }[]) : [];
  const isMobile = Number(game.is_mobile) === 1;
  return {
    code: String(game.uuid ?? ""),
    name: String(game.name ?? ""),
    type: /live/i.test(String(game.type ?? "")) ? "live" : "slot",
    demo_available: demo,
    images: { thumb: givenText(game.image), background: givenText(images[0]?.url) },
    tags: tagsOf(game.label, game.provider, game.type, ...tags.map(({ label }) => label)),
    rtp: rtpOf(parameters.rtp),
    volatility: givenText(parameters.volatility)?.toLowerCase(),
    free_rounds: game.has_freespins === undefined ? undefined : Number(game.has_freespins) === 1,
    platforms: isMobile ? ["mobile"] : ["desktop"],
  };
}
