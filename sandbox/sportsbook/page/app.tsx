/**
 * The page's entry. It connects the state, the views, the server, and the merchant's page (by web-renderer's frame).
 */
import { render } from "preact";
import { showInvisibleCharacters } from "../../../look/visible-text.ts";
import { connectToPage, type FrameOptions, refuse, takeLaunchToken } from "../../../web-renderer/frame.ts";
import { ApiError, find } from "../../design/dom.ts";
import { DEFAULT_HABIT, type OddsHabit } from "../model/odds-habit.ts";
import { Actions } from "./actions.ts";
import type { BrandReply, PageOpening, SessionReply } from "./api-types.ts";
import { Feed, type Send } from "./feed.ts";
import { lookOf } from "./look.ts";
import { rememberedHabit, rememberedSlip, rememberSlip, VISITOR } from "./remembered.ts";
import { Server } from "./server.ts";
import { EMPTY_SLIP, withHabit } from "./slip.ts";
import { initialState, type State } from "./state.ts";
import { contextOf } from "./views/context.ts";
import { Page, pageName } from "./views/page.tsx";
import { WORDS } from "./words/words.ts";

const BRAND_RETRY_MS = 2_000;

// The token is removed from the address before anything else, because addresses are copied, logged and sent as
// referrers.
const token = takeLaunchToken();
showInvisibleCharacters();
const address = new URL(location.href);
const brandId = address.searchParams.get("brand") ?? "";
const state: State = initialState();
let actions: Actions | undefined;
let kept = { player: VISITOR, slip: state.slip };
let drawing = false;

/** Draws at most once per animation frame, even if the state changes more often. */
function draw(): void {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    const root = document.documentElement;
    root.lang = state.language;
    root.dataset.theme = state.theme;
    root.dataset.layout = state.layout;
    document.title = WORDS[state.language].sportsbook;
    const app = find("#app");
    const name = pageName(state);
    if (name === undefined) delete app.dataset.page;
    else app.dataset.page = name;
    // The elements that the server drew stay: Preact takes them over.
    render(<Page {...contextOf(state)} />, app);
    app.inert = false;
    keepSlip();
  });
}

/** A slip that may have been placed is not kept, because the next load does not know of that. */
function keepSlip(): void {
  const player = state.session?.player_ref ?? VISITOR;
  const slip = actions?.isAsking ? EMPTY_SLIP : state.slip;
  if (slip === kept.slip && player === kept.player) return;
  kept = { player, slip };
  rememberSlip(player, slip);
}

const opening = JSON.parse(find("#opening").textContent) as PageOpening;
const { refusal } = opening;
if (refusal === undefined) {
  const brand = opening.brand === undefined ? await readBrand() : opening.brand;
  if (brand === null) show("unknown");
  else begin(brand);
} else {
  refuse(refusal);
  show(refusal === "UNAVAILABLE" ? "away" : "unknown");
}

/** Shows that the brand is unknown, or that the sportsbook is not available now. */
function show(what: "unknown" | "away"): void {
  if (what === "unknown") state.brand = "unknown";
  else state.away = true;
  draw();
}

/** Reads the brand. Repeats the request until the server answers. null: there is no such brand. */
async function readBrand(): Promise<BrandReply | null> {
  for (;;) {
    try {
      return await new Server(async () => undefined).ask<BrandReply>(`/api/brand?brand=${encodeURIComponent(brandId)}`);
    } catch (error) {
      if (error instanceof ApiError && error.code === "BRAND_NOT_FOUND") return null;
      state.away = true;
      draw();
      await new Promise((resolve) => setTimeout(resolve, BRAND_RETRY_MS));
    }
  }
}

function begin(look: BrandReply): void {
  state.brand = look;
  state.away = false;
  state.oddsFormat = look.odds_format;
  let forced: FrameOptions = {};
  let isFirst = true;

  const settle = (): void => {
    const { pathname } = address;
    Object.assign(state, lookOf({ forced, pathname, session: state.session, brand: look }));
    state.oddsFormat = forced.oddsFormat ?? state.oddsFormat;
    state.hideBalance = forced.hideBalance ?? false;
    draw();
  };

  const server = new Server((expired) => neighbour.renew(expired));
  const send: Send = (name, ...payload) => neighbour.send(name, ...payload);
  const feed = new Feed(server, state, draw, send, opening.stream);
  const acting = new Actions(state, server, feed, draw, send);
  const neighbour = connectToPage<SessionReply>(
    {
      // A used or expired token is not an error here, because the library then requests another token from the
      // merchant's page.
      signIn: (jwt) =>
        server
          .ask<SessionReply>("/api/session", { token: jwt })
          .catch((error: unknown) => (isRefusal(error) ? undefined : Promise.reject(error))),
      onSession: (session) => {
        if (isFirst && state.slip === EMPTY_SLIP)
          state.slip = rememberedSlip(session?.player_ref ?? VISITOR) ?? EMPTY_SLIP;
        isFirst = false;
        if (session?.player_ref !== state.session?.player_ref) {
          state.receipt = { kind: "none" };
          state.oddsHabit = habitOf(session, state);
          state.slip = withHabit(state.slip, state.oddsHabit);
        }
        server.session = session;
        state.session = session;
        feed.signedIn();
        feed.follow();
        settle();
      },
      onOptions: (options) => {
        forced = options;
        settle();
      },
      onNavigate: (path) => acting.go(path, "current"),
      onRefreshBalance: () => void feed.refreshBalance(),
    },
    { allowedOrigins: look.allowed_origins, token },
  );
  acting.listen();
  actions = acting;
  settle();
  feed.start();
  void neighbour.started.then(() => {
    neighbour.send("routeChange", { path: state.path });
    neighbour.send("appInitialized");
    const count = state.slip.lines.length;
    if (count > 0) neighbour.send("betslipChanged", { count });
  });
}

/**
 * The habit after a change of session. A visitor's choice stays valid after the login, unless the player has chosen a
 * habit before.
 */
function habitOf(session: SessionReply | undefined, { session: before, oddsHabit }: State): OddsHabit {
  if (session === undefined) return DEFAULT_HABIT;
  return rememberedHabit(session.player_ref) ?? (before === undefined ? oddsHabit : DEFAULT_HABIT);
}

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.code.startsWith("TOKEN_");
