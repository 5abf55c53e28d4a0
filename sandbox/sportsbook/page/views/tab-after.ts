/** The tab that a key chooses, from the tab `from`. undefined: the key does not choose a tab. */
export function tabAfter(tabs: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const at = tabs.indexOf(from);
  switch (key) {
    case "ArrowRight":
      return tabs[(at + 1) % tabs.length];
    case "ArrowLeft":
      return tabs.at(at - 1);
    case "Home":
      return tabs[0];
    case "End":
      return tabs.at(-1);
    default:
      return undefined;
  }
}
