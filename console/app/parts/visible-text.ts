import { options, type VNode } from "preact";
import { visible } from "../../../web-files/visible.ts";

interface Props {
  title?: unknown;
  readonly children?: unknown;
}

/**
 * From now on, every text is shown with its invisible characters written out. Texts often are ids that strangers have
 * chosen. Preact calls the function for each element and for each text: the props of a text are the text itself.
 */
export function showInvisibleCharacters(): void {
  options.vnode = (vnode: { type: VNode["type"] | null; props: Props | string }) => {
    const { type, props } = vnode;
    if (typeof props === "string") vnode.props = visible(props);
    // A title is read, too. The value of a field is not changed, because the field must send it as it is.
    else if (typeof type === "string" && typeof props.title === "string") props.title = visible(props.title);
  };
}
