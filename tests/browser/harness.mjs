// The stage of the browser tests: the built page, served from a folder, in a real Chromium.
//
// A test is one call:
//
//     import assert from "node:assert/strict";
//     import { pageTest } from "./harness.mjs";
//
//     pageTest("typing 7.5 keeps the point", { viewport: "phone" }, async ({ page, record }) => {
//       await page.getByLabel("Parameters").fill("7.5");
//       assert.equal(await page.getByLabel("Parameters").inputValue(), "7.5");
//     });
//
// It opens the page in a browser context of its own, waits until the page answers (`data-app="ready"` on <html>, set by
// static/boot.js), runs the body, and then refuses, without being asked:
//   - any console message, uncaught error or violation of the content policy;
//   - any request to another origin, any WebSocket, and any request but a plain GET of a file of dist/ without a query:
//     such a request cannot carry what the user typed. The addresses that the test itself opened are allowed.
//
// Options (all may be left out):
//   viewport        "wide" (1280×800, the default), "phone" (360×740, touch), or { width, height }
//   colorScheme     "light" (the default) or "dark"
//   locale          what the browser asks for: "en-US" (the default), "zh-CN", …
//   path            what follows the page's address: "?embed=1", "#…"
//   block           a pattern of addresses whose requests fail
//   hold            a pattern of addresses whose requests wait until the body calls release()
//   javaScript      false for a browser without JavaScript
//   waitForApp      false to run the body without waiting for the page to answer
//   expectMessages  true where messages and errors are part of the test; requests are still judged
//   context         anything else for Playwright's browser.newContext
//
// The body gets
//   page      Playwright's page; page.getByRole and its kin are the way to find things
//   context   Playwright's browser context
//   base      the page's address
//   open      `await open("#…")` goes to another of its states and waits for it to answer
//   release   lets go of what `hold` holds
//   record    { messages, errors, violations, requests, failures } so far; a request has url, method, body and type
//
// and may call expectAccessible(page), which refuses every violation axe finds in the page's present state.
//
// `cargo xtask test browser` installs what this needs and runs every *.test.mjs of this folder. To run one by hand:
// `npm ci && node --test tests/browser/opening.test.mjs`, with CHROME_PATH set where Chromium is not /usr/bin/chromium.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { serve } from "./server.mjs";

// The packages lie in a per-user cache that `cargo xtask` names, or beside package.json after `npm ci`.
const packages = process.env.VRAM_LEDGER_TEST_PACKAGES;
const require = createRequire(packages ? pathToFileURL(join(packages, "package.json")) : import.meta.url);
const { chromium } = require("playwright-core");
const { source: axeSource } = require("axe-core");

export const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

export const VIEWPORTS = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Nothing but the server of the test can be reached, whatever the page tries.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Longer than any delay with which the page reacts. */
const SETTLE_MS = 400;

// One server and one browser a test file, started by its first test.
let stage;
const started = () =>
  (stage ??= Promise.all([
    serve(dist),
    chromium.launch({ executablePath: process.env.CHROME_PATH || "/usr/bin/chromium", args: FLAGS }),
  ]).then(([server, browser]) => ({ server, browser })));

after(async () => {
  if (!stage) return;
  const { server, browser } = await stage;
  await browser.close();
  await server.close();
});

/** Runs `body` in a page of its own; see the head of this file. */
export function pageTest(name, options, body) {
  test(name, async () => {
    const { server, browser } = await started();
    const context = await browser.newContext({
      ...(VIEWPORTS[options.viewport ?? "wide"] ?? { viewport: options.viewport }),
      colorScheme: options.colorScheme ?? "light",
      locale: options.locale ?? "en-US",
      javaScriptEnabled: options.javaScript ?? true,
      ...options.context,
    });
    try {
      const page = await context.newPage();
      const record = await recordOf(page);
      if (options.block) await context.route(options.block, (route) => route.abort());
      let release;
      const released = new Promise((resolve) => (release = resolve));
      if (options.hold) await context.route(options.hold, (route) => released.then(() => route.continue()));

      const opened = new Set();
      const open = async (path = "") => {
        const address = new URL(path, server.base).href;
        opened.add(address.split("#")[0]);
        await page.goto(address);
        if (options.waitForApp ?? true) await answered(page);
      };
      await open(options.path);

      await body({ page, context, base: server.base, open, release, record });

      // What the last action set off in the background is judged as well. Not "networkidle": a response that nobody
      // reads never counts as finished.
      await page.waitForTimeout(SETTLE_MS);
      if (!options.expectMessages) {
        assert.deepEqual(record.errors, [], "the page threw");
        assert.deepEqual(record.violations, [], "the page broke its content policy");
        assert.deepEqual(record.messages, [], "the page wrote to the console");
      }
      assert.deepEqual(foreign(record.requests, server.base, opened), [], "the page asked for more than its own files");
    } finally {
      await context.close();
    }
  });
}

/** Waits until the page answers. */
export async function answered(page) {
  await page.locator("html[data-app=ready]").waitFor({ state: "attached" });
}

/** Refuses what axe finds wrong in the page's present state. */
export async function expectAccessible(page) {
  // Evaluated through the debugger, which the content policy does not bind: a script element would be refused.
  await page.evaluate(axeSource);
  const { violations, passes } = await page.evaluate(() => window.axe.run(document, { preload: false }));
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  at ${target.join(" ")}\n  ${failureSummary}`),
  );
  assert.equal(found.length, 0, `axe found ${found.length} violations:\n${found.join("\n")}`);
  assert.ok(passes.length > 0, "axe checked nothing");
}

/** Notes everything that a page says and asks for, from before its first script on. */
async function recordOf(page) {
  const record = { messages: [], errors: [], violations: [], requests: [], failures: [] };
  page.on("console", (message) => record.messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => record.errors.push(String(error)));
  page.on("request", (request) =>
    record.requests.push({
      url: request.url(),
      method: request.method(),
      body: request.postData(),
      type: request.resourceType(),
    }),
  );
  page.on("requestfailed", (request) => record.failures.push(request.url()));
  page.on("websocket", (socket) =>
    record.requests.push({ url: socket.url(), method: "CONNECT", body: null, type: "websocket" }),
  );
  await page.exposeBinding("recordViolation", (_, violation) => record.violations.push(violation));
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      window.recordViolation(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`),
    ),
  );
  return record;
}

/** The requests that are no plain GET of a file of the page, nor an address the test opened. */
function foreign(requests, base, opened) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join("/"));
  const known = new Set([base, ...files.map((file) => new URL(file, base).href), ...opened]);
  const isKnown = ({ url, method, body }) => method === "GET" && !body && known.has(url.split("#")[0]);
  const leavesTheBrowser = ({ url }) => !/^(?:data|blob):/.test(url);
  return requests.filter((request) => leavesTheBrowser(request) && !isKnown(request));
}
