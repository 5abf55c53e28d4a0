// @ts-check
/** @typedef {{ to: string, page: string, title: string, text: string }} Found */
/** @typedef {{ found: Found, title: string, page: string, text: string }} Entry a section, and its plain words */

const SHOWN_MAX = 12;
/** The number of characters that a result shows around the first word found. */
const [BEFORE, AFTER] = [40, 120];

/** A text in lower case and without accents. */
const plain = (/** @type {string} */ text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/**
 * Makes each section's words plain once, because every letter of a question searches all of them.
 *
 * @param {readonly Found[]} index
 * @returns {readonly Entry[]}
 */
export const entries = (index) =>
  index.map((found) => ({ found, title: plain(found.title), page: plain(found.page), text: plain(found.text) }));

/**
 * The sections that have every word of the question, the best first: a word in a title counts more than one in a text.
 *
 * @param {readonly Entry[]} index
 * @param {string} question
 * @returns {Found[]}
 */
export function find(index, question) {
  const words = plain(question).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = index.map(({ found, title, page, text }) => {
    let score = 0;
    for (const word of words) {
      const points =
        (title === word ? 20 : 0) +
        (title.includes(word) ? 10 : 0) +
        (page.includes(word) ? 3 : 0) +
        (text.includes(word) ? 1 : 0);
      if (points === 0) return { found, score: 0 };
      score += points;
    }
    return { found, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ found }) => found);
}

/** The part of the text around the first word that it has. */
export function excerpt(/** @type {string} */ text, /** @type {string} */ question) {
  const low = plain(text);
  const at = plain(question)
    .split(/\s+/)
    .map((word) => low.indexOf(word))
    .find((place) => place >= 0);
  const from = Math.max(0, (at ?? 0) - BEFORE);
  const part = text.slice(from, from + BEFORE + AFTER).trim();
  return `${from > 0 ? "..." : ""}${part}${from + BEFORE + AFTER < text.length ? "..." : ""}`;
}

/** @returns {Promise<readonly Entry[]>} */
async function loadIndex(/** @type {string} */ root) {
  const reply = await fetch(new URL("docs/search.json", root));
  if (!reply.ok) throw new Error(`the search index was answered with ${reply.status}`);
  return entries(await reply.json());
}

/** Makes the search field work. @param {string} root - the API's own address. */
export function offerSearch(root) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById("page-search"));
  const box = /** @type {HTMLElement} */ (document.getElementById("page-found"));
  const [status, list] = /** @type {[HTMLElement, HTMLElement]} */ ([...box.children]);
  /** @type {Promise<readonly Entry[]> | undefined} */
  let loading;
  const load = () => {
    loading ??= loadIndex(root);
    // After a failure, the next typed letter tries again.
    loading.catch(() => (loading = undefined));
    return loading;
  };

  const close = () => (box.hidden = true);
  const links = () => [.../** @type {NodeListOf<HTMLAnchorElement>} */ (list.querySelectorAll("a"))];

  async function show() {
    const question = field.value;
    if (question.trim() === "") return close();
    const index = await load().catch(() => undefined);
    // The reader has typed another letter meanwhile, so this result is out of date.
    if (field.value !== question) return;
    box.hidden = false;
    if (index === undefined) {
      status.textContent = "The search is not available now. Try again in a moment.";
      return list.replaceChildren();
    }
    const found = find(index, question);
    status.textContent =
      found.length === 0 ? "Nothing found" : found.length === 1 ? "1 result" : `${found.length} results`;
    list.replaceChildren(...found.map((one) => result(root, one, question)));
  }

  field.addEventListener("focus", () => load().catch(() => {}));
  field.addEventListener("input", show);
  box.parentElement?.addEventListener("keydown", (event) => {
    const all = links();
    const at = all.findIndex((link) => link.matches(":focus"));
    if (event.key === "Escape") {
      close();
      field.focus();
    } else if (event.key === "ArrowDown" && !box.hidden) (all[at + 1] ?? all[0])?.focus();
    else if (event.key === "ArrowUp" && at >= 0) (all[at - 1] ?? field).focus();
    else if (event.key === "Enter" && document.activeElement === field) all[0]?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", close);
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !box.parentElement?.contains(target)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  if (box.parentElement !== null) box.parentElement.hidden = false;
}

function result(/** @type {string} */ root, /** @type {Found} */ found, /** @type {string} */ question) {
  const link = document.createElement("a");
  link.href = new URL(found.to.startsWith("#") ? `docs${found.to}` : `docs/${found.to}`, root).href;
  for (const [tag, text] of [
    ["strong", found.title],
    ["span", found.title === found.page ? "" : found.page],
    ["small", excerpt(found.text, question)],
  ]) {
    if (!tag || !text) continue;
    const part = document.createElement(tag);
    part.textContent = text;
    link.append(part);
  }
  const item = document.createElement("li");
  item.append(link);
  return item;
}
