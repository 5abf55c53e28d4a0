import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Ask } from "../../parts/dialog.tsx";
import { Field } from "../../parts/fields.tsx";
import { call } from "../../service/call.ts";
import type { Merchant } from "../../service/types.ts";
import { setUpWords, words } from "../../shell/language.ts";

interface ActsProps {
  readonly merchant: Merchant;
  readonly onDone: (done: string) => void;
}

type Asked = "wallet" | "ips" | "enabled";

/** Changes of a merchant. */
export function MerchantActs({ merchant, onDone }: ActsProps): VNode {
  const say = words.merchants;
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const done = (text: string): void => {
    close();
    onDone(text);
  };
  const props = { merchant, onDone: done, onClose: close };
  return (
    <div class="actions">
      <button type="button" class="button" onClick={() => setAsked("wallet")}>
        {setUpWords.merchantActs.changeWallet}
      </button>
      <button type="button" class="button" onClick={() => setAsked("ips")}>
        {setUpWords.merchantActs.changeIps}
      </button>
      <button type="button" class="button" onClick={() => setAsked("enabled")}>
        {merchant.enabled ? say.disable : say.enable}
      </button>
      {asked === "wallet" && <Wallet {...props} />}
      {asked === "ips" && <Ips {...props} />}
      {asked === "enabled" && <Enabled {...props} />}
    </div>
  );
}

interface AskedProps extends ActsProps {
  readonly onClose: () => void;
}

function Wallet({ merchant, onDone, onClose }: AskedProps): VNode {
  const say = words.merchants;
  const [walletUrl, setUrl] = useState(merchant.walletUrl ?? "");
  const act = async (reason: string): Promise<void> => {
    await call("admin.MerchantAdminService/SetMerchant", { code: merchant.code, walletUrl: walletUrl.trim(), reason });
    onDone(say.changed);
  };
  return (
    <Ask
      title={setUpWords.merchantActs.changeWallet}
      act={say.save}
      reason={words.state.reason}
      onAct={act}
      onClose={onClose}
    >
      <p>{setUpWords.merchantActs.walletEffect}</p>
      <Field label={say.wallet} value={walletUrl} onValue={setUrl} type="url" maxLength={2_048} />
    </Ask>
  );
}

function Ips({ merchant, onDone, onClose }: AskedProps): VNode {
  const say = words.merchants;
  const [text, setText] = useState((merchant.ipList ?? []).join("\n"));
  const values = text.split(/[\s,]+/).filter((one) => one !== "");
  const act = async (reason: string): Promise<void> => {
    await call("admin.MerchantAdminService/SetMerchant", { code: merchant.code, ipList: { values }, reason });
    onDone(say.changed);
  };
  return (
    <Ask
      title={setUpWords.merchantActs.changeIps}
      act={say.save}
      reason={words.state.reason}
      isReasonRequired={false}
      onAct={act}
      onClose={onClose}
    >
      <Field label={say.ipList} value={text} onValue={setText} lines={6} hint={setUpWords.merchantActs.ipHint} />
      <p>
        {values.length === 0 ? setUpWords.merchantActs.everyAddress : setUpWords.merchantActs.onlyThese(values.length)}
      </p>
    </Ask>
  );
}

function Enabled({ merchant, onDone, onClose }: AskedProps): VNode {
  const say = words.merchants;
  const isOn = merchant.enabled === true;
  const act = async (reason: string): Promise<void> => {
    await call(`admin.MerchantAdminService/${isOn ? "Disable" : "Enable"}Merchant`, { code: merchant.code, reason });
    onDone(say.changed);
  };
  return (
    <Ask
      title={(isOn ? setUpWords.merchantActs.disableOne : setUpWords.merchantActs.enableOne)(merchant.code)}
      act={isOn ? say.disable : say.enable}
      reason={words.state.reason}
      isReasonRequired={isOn}
      onAct={act}
      onClose={onClose}
    >
      <p>{isOn ? setUpWords.merchantActs.disableEffect : setUpWords.merchantActs.enableEffect}</p>
    </Ask>
  );
}
