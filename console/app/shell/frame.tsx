import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { lazy } from "../parts/lazy.tsx";
import { Empty } from "../parts/state.tsx";
import { mayAct, signOut } from "../service/session.ts";
import { AlertCount, AlertCountContext, useAlertCount } from "./alert-count.tsx";
import { Choices } from "./choices.tsx";
import { words } from "./language.ts";
import { keyOf, loadJump, PAGE_VIEWS } from "./pages.ts";
import { isPage, NAVIGATION, type NavigationName, PLACES, placeOf } from "./places.ts";
import { addressOf, type Route, useRoute } from "./route.ts";
import { useSession } from "./session-context.ts";

/** The navigation, who is signed in, and the page of the address. */
export function Frame({ onSignedOut }: { readonly onSignedOut: () => void }): VNode {
  const session = useSession();
  const route = useRoute();
  const [isOpen, setOpen] = useState(false);
  const [isJumping, setJumping] = useState(false);
  const main = useRef<HTMLElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const allowed = NAVIGATION.filter((name) => mayAct(session.role, PLACES[name].role));
  const shown: Route = route.page === "" ? { page: allowed[0] ?? "", query: {} } : route;
  const under = ((isPage(shown.page) && placeOf(shown.page).under) || shown.page) as NavigationName;
  const [alerts, setAlerts] = useAlertCount(shown.page);
  const isFirst = useRef(true);
  useEffect(() => {
    setOpen(false);
    document.title = `${words.navigation[under] ?? words.shell.title} · ${words.shell.title}`;
    // A reader of the screen hears the new page; at the first page the browser has said enough.
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [shown.page]);
  useEffect(() => {
    if (!isOpen) return;
    const close = ({ key }: KeyboardEvent): void => {
      if (key !== "Escape") return;
      setOpen(false);
      menu.current?.focus();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [isOpen]);
  useEffect(() => {
    const jump = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // A dialog that asks for something comes first.
      if (document.querySelector("dialog[open]") === null) setJumping(true);
    };
    addEventListener("keydown", jump);
    return () => removeEventListener("keydown", jump);
  }, []);
  const leave = (): void => void signOut().then(onSignedOut, onSignedOut);
  return (
    <>
      <a
        class="skip button"
        href="#main"
        onClick={(event: Event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {words.shell.skip}
      </a>
      <div class="frame" data-open={isOpen}>
        <header class="top">
          <p class="brand">{words.shell.title}</p>
          {alerts !== undefined && alerts > 0 && (
            <a href={addressOf("today")}>
              <AlertCount total={alerts} hasWord />
            </a>
          )}
          <button
            ref={menu}
            type="button"
            class="button small menu"
            aria-expanded={isOpen}
            aria-controls="side"
            onClick={() => setOpen(!isOpen)}
          >
            {words.shell.menu}
          </button>
        </header>
        <div class="side" id="side">
          <nav aria-label={words.shell.navigation}>
            <button
              type="button"
              class="button small jump-to"
              aria-keyshortcuts="Control+K Meta+K"
              onClick={() => setJumping(true)}
            >
              {words.shell.jump} <kbd>Ctrl K</kbd>
            </button>
            <ul onClick={() => setOpen(false)}>
              {allowed.map((name) => (
                <li key={name}>
                  <a href={addressOf(name)} aria-current={name === under ? "page" : undefined}>
                    {words.navigation[name]} {name === "today" && <AlertCount total={alerts} />}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="who">
            <p>
              <strong>{session.name}</strong>
              <span>{words.shell.roles[session.role]}</span>
            </p>
            <Choices />
            <button type="button" class="button small" onClick={leave}>
              {words.shell.signOut}
            </button>
          </div>
        </div>
        {isJumping && <Jump pages={allowed} onClose={() => setJumping(false)} />}
        <main id="main" tabindex={-1} ref={main}>
          <AlertCountContext.Provider value={setAlerts}>
            <View route={shown} title={words.navigation[under]} />
          </AlertCountContext.Provider>
        </main>
      </div>
    </>
  );
}

const Jump = lazy(loadJump);

interface ViewProps {
  readonly route: Route;
  /** The name of the page in the navigation. */
  readonly title: string;
}

function View({ route, title }: ViewProps): VNode {
  const { role } = useSession();
  const { page } = route;
  if (!isPage(page))
    return (
      <section>
        <h1>{words.shell.title}</h1>
        <Empty title={words.shell.noPage} />
      </section>
    );
  const { role: least } = placeOf(page);
  if (!mayAct(role, least))
    return (
      <section>
        <h1>{title}</h1>
        <div class="notice failed" role="alert" data-code="ROLE_NOT_ALLOWED">
          <strong>{words.state.notAllowed}</strong>
          <p>{words.shell.needsRole(words.shell.roles[least], words.shell.roles[role])}</p>
        </div>
      </section>
    );
  const Page = PAGE_VIEWS[page];
  return <Page key={keyOf(page, route.query)} query={route.query} />;
}
