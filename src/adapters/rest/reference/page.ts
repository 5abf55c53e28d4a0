import { readFileSync } from "node:fs";

const SNIPPETS = [
  { id: "node", language: "Node", file: "node.mjs" },
  { id: "python", language: "Python", file: "python.py" },
  { id: "php", language: "PHP", file: "php.php" },
  { id: "go", language: "Go", file: "go.go" },
] as const;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const snippet = (file: string): string =>
  escaped(readFileSync(new URL(`snippets/${file}`, import.meta.url), "utf8").trimEnd());

const tabs = SNIPPETS.map(
  ({ id, language }, i) =>
    `<button type="button" role="tab" id="tab-${id}" aria-controls="code-${id}" aria-selected="${i === 0}" tabindex="${i === 0 ? 0 : -1}">${language}</button>`,
).join("");
const panels = SNIPPETS.map(
  ({ id, file }, i) =>
    `<div role="tabpanel" id="code-${id}" aria-labelledby="tab-${id}"${i === 0 ? "" : " hidden"}><pre tabindex="0">${snippet(file)}</pre></div>`,
).join("");

const CREDENTIALS = `
      <section class="card" aria-labelledby="credentials-title">
        <h2 id="credentials-title">Try it here</h2>
        <p>This page signs each call below as the merchant that you enter. Use it for the sandbox's merchants only: a real secret stays on your servers. <code>npm start</code> prints a link that fills in both fields.</p>
        <form class="fields" id="credentials">
          <label for="merchant">Merchant code<input id="merchant" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="casa-luna-brl"></label>
          <label for="secret">Merchant secret<input id="secret" type="password" autocomplete="off" placeholder="sk_..."></label>
        </form>
      </section>`;

/** The reference page. With `tryOut` it has fields for a merchant's code and secret, and it can send calls. */
export const referencePage = ({ tryOut }: { readonly tryOut: boolean }): string => `<!doctype html>
<html lang="en" class="dark-mode" data-try-out="${tryOut}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Operator API: reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/design/tokens.css">
    <link rel="stylesheet" href="docs/design/base.css">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/reference.css">
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/reference.js" type="module"></script>
  </head>
  <body>
    <a class="skip" href="#reference">Skip to the operations</a>
    <header class="top">
      <h1>Operator API</h1>
      <p>Slots, live casino and a sportsbook through one signed API. <a href="openapi.json">openapi.json</a></p>
    </header>
    <main>
      <section class="card" aria-labelledby="signing-title">
        <h2 id="signing-title">Sign a call in ten lines</h2>
        <p>Four headers. The signature is HMAC-SHA256 over <code>timestamp.nonce.METHOD.target.body</code>, keyed with your secret as you got it, in lowercase hex. The <dfn>target</dfn> is the request line's target from <code>/v1</code> on, with the query string. Without a body, the text ends with the last dot. Sign exactly the bytes that you send.</p>
        <div class="tabs" role="tablist" aria-label="Language">${tabs}</div>
        ${panels}
      </section>${tryOut ? CREDENTIALS : ""}
      <div id="reference" tabindex="-1"><div class="notice"><div class="spinner"></div><strong>One moment</strong></div></div>
      <noscript><p class="notice">This page needs JavaScript. <a href="openapi.json">openapi.json</a> has the same content.</p></noscript>
    </main>
  </body>
</html>
`;
