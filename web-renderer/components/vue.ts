import {
  defineComponent,
  h,
  onActivated,
  onBeforeUnmount,
  onDeactivated,
  onMounted,
  type PropType,
  ref,
  watch,
} from "vue";
import { SBRenderer, type SBRendererLiveOptions } from "../sb-renderer.ts";
import { changes } from "./changes.ts";

export type { SBRendererError } from "../sb-renderer.ts";

/** The methods of a template ref of the component. */
export type SportsbookHandle = Pick<SBRenderer, "navigate" | "refreshBalance">;

const text = String;
/** A boolean property. The default is needed because Vue sets an absent boolean property without a default to false. */
const flag = { type: Boolean, default: undefined };
const callback = <Name extends keyof SBRendererLiveOptions>() =>
  Function as unknown as PropType<NonNullable<SBRendererLiveOptions[Name]>>;

/**
 * The sportsbook as a Vue component. Its properties are SBRenderer's options. Callbacks may be written as events
 * (`@bet-placed`). Another `brand_id` or `url` mounts a new iframe. The component passes any other changed property to
 * updateOptions. In KeepAlive the iframe is removed with the component, because a browser ends a frame that leaves the
 * document. When the component is active again, it mounts a new iframe at the same route, and renews the session with
 * onTokenExpired.
 */
export const Sportsbook = defineComponent({
  props: {
    brand_id: { type: String, required: true },
    /** The sportsbook's address. */
    url: { type: String, required: true },
    token: text as unknown as PropType<string | null>,
    lang: text as PropType<NonNullable<SBRendererLiveOptions["lang"]>>,
    themeName: text as PropType<NonNullable<SBRendererLiveOptions["themeName"]>>,
    layout: text as PropType<NonNullable<SBRendererLiveOptions["layout"]>>,
    oddsFormat: text as PropType<NonNullable<SBRendererLiveOptions["oddsFormat"]>>,
    path: text,
    hideBalance: flag,
    syncPath: flag,
    debug: flag,
    // Vue's own check of properties does not support HTMLElement.
    fallback: null as unknown as PropType<NonNullable<SBRendererLiveOptions["fallback"]>>,
    onAppInitialized: callback<"onAppInitialized">(),
    onError: callback<"onError">(),
    onLogin: callback<"onLogin">(),
    onRegister: callback<"onRegister">(),
    onRecharge: callback<"onRecharge">(),
    onRouteChange: callback<"onRouteChange">(),
    onTokenExpired: callback<"onTokenExpired">(),
    onSessionRefresh: callback<"onSessionRefresh">(),
    onBetslipChanged: callback<"onBetslipChanged">(),
    onBetPlaced: callback<"onBetPlaced">(),
    onBalanceChange: callback<"onBalanceChange">(),
  },
  setup(props, { expose }) {
    const target = ref<HTMLElement>();
    const renderer = new SBRenderer();
    let isOpen = false;
    /** The route that was shown last. */
    let path: string | undefined;

    const live = (): SBRendererLiveOptions => {
      const { brand_id, url, ...options } = props;
      return { ...options, onRouteChange };
    };
    function onRouteChange(route: string): void {
      path = route;
      props.onRouteChange?.(route);
    }
    const open = (): void => {
      if (isOpen || target.value === undefined) return;
      isOpen = true;
      const options = live();
      renderer.initialize({ target: target.value, ...props, ...options, path: path ?? options.path });
    };
    const close = (): void => {
      isOpen = false;
      renderer.kill();
    };

    onMounted(open);
    onActivated(open);
    onDeactivated(close);
    onBeforeUnmount(close);
    watch(live, (next, previous) => {
      if (isOpen) renderer.updateOptions(changes(previous, next));
    });
    watch([() => props.brand_id, () => props.url], () => {
      if (!isOpen) return;
      close();
      path = undefined;
      open();
    });
    expose({
      navigate: (route) => renderer.navigate(route),
      refreshBalance: () => renderer.refreshBalance(),
    } satisfies SportsbookHandle);
    return () => h("div", { ref: target, style: "height: 100%" });
  },
});
