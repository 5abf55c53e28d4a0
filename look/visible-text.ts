import { options, type VNode } from "preact";
import { visible } from "../web-files/visible.ts";

/** The attributes that people read. */
const READ = ["title", "aria-label", "alt", "placeholder"];

/**
 * From now on, every text is shown with its invisible characters written out. Texts often are ids that strangers have
 * chosen. Preact calls the function for each element and for each text: the props of a text are the text itself. The
 * value of a field is not changed, because the field must send it as it is.
 */
export function showInvisibleCharacters(): void {
  options.vnode = (vnode: { type: VNode["type"] | null; props: object | string }) => {
    const { type, props } = vnode;
    if (typeof props === "string") vnode.props = visible(props);
    else if (typeof type === "string") showIn(props as Record<string, unknown>);
  };
}

function showIn(attributes: Record<string, unknown>): void {
  for (const name of READ) {
    const text = attributes[name];
    if (typeof text === "string") attributes[name] = visible(text);
  }
}
