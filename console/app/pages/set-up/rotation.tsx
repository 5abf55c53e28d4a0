import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Ask, Secret } from "../../parts/dialog.tsx";
import { Choice } from "../../parts/fields.tsx";
import { time } from "../../parts/format.ts";
import { call } from "../../service/call.ts";
import type { Merchant } from "../../service/types.ts";
import { setUpWords, words } from "../../shell/language.ts";
import { useMay } from "../../shell/session-context.ts";

interface RotationProps {
  readonly merchant: Merchant;
  readonly onDone: (done: string) => void;
}

/** How long both secrets are valid, in hours; 0: the old secret ends at once. */
const OVERLAPS_H = [24, 72, 168, 0] as const;

type Asked = "rotate" | "finish" | "cancel";

/** The merchant's secret: whether two secrets are valid now, and the steps of a rotation. */
export function Rotation({ merchant, onDone }: RotationProps): VNode {
  const say = setUpWords.rotation;
  const mayChange = useMay("manager");
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState("");
  const { rotationEndsAt } = merchant;
  const close = (): void => setAsked(undefined);
  const end =
    (which: "finish" | "cancel") =>
    async (reason: string): Promise<void> => {
      await call(`admin.MerchantAdminService/${which === "finish" ? "Finish" : "Cancel"}Rotation`, {
        code: merchant.code,
        reason,
      });
      close();
      onDone(say.ended[which]);
    };
  const button = (which: Asked, text: string): VNode => (
    <button type="button" class="button" onClick={() => setAsked(which)}>
      {text}
    </button>
  );
  return (
    <section aria-labelledby="secret-title">
      <h2 id="secret-title">{say.title}</h2>
      <p>{rotationEndsAt ? say.both(time(rotationEndsAt)) : say.one}</p>
      {mayChange && (
        <div class="actions">
          {rotationEndsAt ? [button("finish", say.finish), button("cancel", say.cancel)] : button("rotate", say.rotate)}
        </div>
      )}
      {asked === "rotate" && (
        <Rotate
          code={merchant.code}
          onClose={close}
          onSecret={(made: string) => {
            close();
            setSecret(made);
            onDone(say.rotated);
          }}
        />
      )}
      {(asked === "finish" || asked === "cancel") && (
        <Ask title={say[asked]} act={say[asked]} reason={words.state.reason} onAct={end(asked)} onClose={close}>
          <p>{say.effect[asked]}</p>
        </Ask>
      )}
      {secret !== "" && (
        <Secret title={say.secretTitle} text={say.secretText} secret={secret} onClose={() => setSecret("")} />
      )}
    </section>
  );
}

interface RotateProps {
  readonly code: string;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function Rotate({ code, onSecret, onClose }: RotateProps): VNode {
  const say = setUpWords.rotation;
  const [hours, setHours] = useState("24");
  const act = async (reason: string): Promise<void> => {
    const overlap = hours === "0" ? {} : { overlap: `${Number(hours) * 3_600}s` };
    const { secret } = await call<{ secret: string }>("admin.MerchantAdminService/RotateSecret", {
      code,
      reason,
      ...overlap,
    });
    onSecret(secret);
  };
  return (
    <Ask title={say.rotate} act={say.rotate} reason={words.state.reason} onAct={act} onClose={onClose}>
      <Choice
        label={say.overlap}
        value={hours}
        onValue={setHours}
        options={OVERLAPS_H.map((one) => [String(one), one === 0 ? say.atOnce : say.hours(one)])}
      />
      <p class="effect">{hours === "0" ? say.effect.atOnce : say.effect.rotate}</p>
    </Ask>
  );
}
