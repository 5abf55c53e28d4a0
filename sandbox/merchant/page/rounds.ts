import { ApiError, api, make } from "../../design/dom.ts";
import type { RobotRounds } from "../robots.ts";
import { failureText } from "./failed.ts";
import { words } from "./language.ts";

const PAUSE_MS = 500;

/** The button with which robots play rounds, and how far they are. */
export function roundsPanel(): HTMLElement {
  const button = make("button", { class: "button", type: "button" }, words.robots.act);
  const bar = make("progress", { "aria-label": words.robots.title, max: 1, value: 0, hidden: true });
  const state = make("p", { class: "robots-state" });
  const ended = make("p", { class: "visually-hidden", role: "status" });
  const error = make("p", { class: "error", role: "alert" });

  const draw = ({ rounds, played, refused, running, error: code }: RobotRounds): void => {
    const done = played + refused;
    button.disabled = running;
    bar.hidden = !running && done === 0;
    bar.max = rounds;
    bar.value = done;
    state.textContent = bar.hidden ? "" : words.robots.state(played, refused, rounds);
    error.textContent = code === null ? "" : failureText(new ApiError(code, "", 0));
  };
  /** Follows a run until its end. The panel of an older view stops. */
  const follow = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (!button.isConnected) return;
      const now = await api<RobotRounds>("/api/rounds");
      draw(now);
      if (now.running) continue;
      ended.textContent = state.textContent;
      return;
    }
  };
  const run = async (first: Promise<RobotRounds>): Promise<void> => {
    error.textContent = "";
    ended.textContent = "";
    try {
      const now = await first;
      draw(now);
      if (now.running) await follow();
    } catch (failure) {
      error.textContent = failureText(failure);
      button.disabled = false;
    }
  };
  button.addEventListener("click", () => {
    button.disabled = true;
    void run(api<RobotRounds>("/api/rounds", {}));
  });
  void run(api<RobotRounds>("/api/rounds"));
  return make(
    "section",
    { class: "robots", "aria-labelledby": "robots-title" },
    make("h2", { id: "robots-title" }, words.robots.title),
    make("p", {}, words.robots.text),
    button,
    bar,
    state,
    ended,
    error,
  );
}
