/**
 * Makes `current` equal to `next` by changing only what differs, so that focus and scroll position stay.
 * Children with a `data-key` are matched by this key, other children by their position. The caller must not use `next`
 * afterwards.
 */
export function morph(current: Element, next: Element): void {
  attributes(current, next);
  const keyed = new Map(
    [...current.children].flatMap((child) => (keyOf(child) === null ? [] : [[keyOf(child), child] as const])),
  );
  const wantedKeys = new Set([...next.children].map(keyOf));
  let at = current.firstChild;
  for (const wanted of [...next.childNodes]) {
    // Children that are no longer wanted are removed first, so that the remaining children need not be moved. An
    // element that is moved loses its focus.
    while (at !== null && keyOf(at) !== null && !wantedKeys.has(keyOf(at))) at = removed(at);
    const key = keyOf(wanted);
    const same: ChildNode | null | undefined = key !== null ? keyed.get(key) : keyOf(at) === null ? at : null;
    if (same === null || same === undefined || same.nodeName !== wanted.nodeName) {
      current.insertBefore(wanted, at);
      continue;
    }
    if (same === at) at = at.nextSibling;
    else current.insertBefore(same, at);
    if (same instanceof Element && wanted instanceof Element) morph(same, wanted);
    else if (same.nodeValue !== wanted.nodeValue) same.nodeValue = wanted.nodeValue;
  }
  while (at !== null) at = removed(at);
}

const keyOf = (node: Node | null): string | null => (node instanceof Element ? node.getAttribute("data-key") : null);

function removed(node: ChildNode): ChildNode | null {
  const { nextSibling } = node;
  node.remove();
  return nextSibling;
}

function attributes(current: Element, next: Element): void {
  for (const { name } of [...current.attributes]) {
    // The reader opens and closes <details>, so that attribute is left alone.
    if (!next.hasAttribute(name) && !(name === "open" && current instanceof HTMLDetailsElement))
      current.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes])
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
}
