import { api, make } from "../../design/dom.ts";
import { icon } from "../../design/icons.ts";
import { failed } from "./failed.ts";
import { language, words } from "./language.ts";

/** Shows a game in a frame. Each opening makes a new launch, because a launch_url is for immediate use. */
export async function showGame(
  view: HTMLElement,
  provider: string,
  game: string,
  demo: boolean,
  name: string,
  stillHere: () => boolean,
): Promise<void> {
  const screen = make(
    "div",
    { class: "screen" },
    make(
      "div",
      { class: "notice", role: "status" },
      make("div", { class: "spinner" }),
      make("strong", {}, words.opening(name)),
    ),
  );
  const back = make("a", { class: "button small", href: "#/" }, icon("back"), words.lobby);
  view.replaceChildren(
    make(
      "div",
      { class: "table-bar" },
      back,
      make("h1", {}, name),
      demo && make("span", { class: "tag gold" }, words.forFun),
    ),
    screen,
  );
  try {
    const { launch_url } = await api<{ launch_url: string }>("/api/launch", { provider, game, demo, lang: language });
    if (!stillHere()) return;
    const frame = make("iframe", {
      title: name,
      src: launch_url,
      sandbox: "allow-scripts allow-same-origin allow-top-navigation-by-user-activation",
      allow: "fullscreen",
    });
    frame.addEventListener("load", () => frame.classList.add("ready"));
    screen.append(frame);
  } catch (error) {
    if (stillHere())
      screen.replaceChildren(failed(error, () => void showGame(view, provider, game, demo, name, stillHere)));
  }
}
