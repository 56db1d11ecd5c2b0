// The way from an address to a page that answers: what is seen first, what is fetched, and under which policy.

import assert from "node:assert/strict";
import { firstLoad } from "../budget/first-load.mjs";
import { answered, dist, pageTest } from "./harness.mjs";

/** The figures everybody looks for first: a 7 B model in bf16, served and trained. */
async function expectTheWellKnownFigures(page) {
  const text = await page.locator("#app").innerText();
  assert.match(text, /\b14(\.0+)?\s*GB\b/, "14 GB to serve");
  assert.match(text, /\b112(\.0+)?\s*GB\b/, "112 GB to train");
}

pageTest("the page answers, silently and from its own origin", {}, async ({ page, record }) => {
  await expectTheWellKnownFigures(page);
  assert.ok(await page.locator("#failed").isHidden());
  assert.ok(record.requests.some(({ url }) => url.endsWith(".wasm")), "the record sees requests");
});

pageTest("the first paint is meaningful while the wasm is still on its way", { waitForApp: false, hold: /\.wasm$/ },
  async ({ page, release }) => {
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    await expectTheWellKnownFigures(page);
    assert.equal(await page.locator("html").getAttribute("data-app"), null);
    release();
    await answered(page);
    await expectTheWellKnownFigures(page);
  });

pageTest("a wasm that does not arrive is said in words", { waitForApp: false, block: /\.wasm$/, expectMessages: true },
  async ({ page }) => {
    await page.locator("#failed").waitFor({ state: "visible" });
    assert.equal(await page.locator("html").getAttribute("data-app"), "failed");
    await expectTheWellKnownFigures(page);
  });

pageTest("without JavaScript the opening state is there, and why it stands still", { javaScript: false, waitForApp: false },
  async ({ page }) => {
    await expectTheWellKnownFigures(page);
    // Chromium under Playwright's switch still counts <noscript> as text; what matters is that it is rendered.
    assert.ok((await page.locator("noscript").boundingBox())?.height > 0);
  });

pageTest("the content policy allows nothing but the page's own files", {}, async ({ page, record }) => {
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  const directives = Object.fromEntries(policy.split(";").map((part) => part.trim().split(/\s+(.*)/s, 2)));
  assert.deepEqual(directives, {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
  });
  assert.deepEqual(record.violations, []);
});

pageTest("the policy holds, and the record notices when it is broken", { expectMessages: true }, async ({ page, record }) => {
  await page.evaluate(() => {
    const noticed = new Promise((resolve) => document.addEventListener("securitypolicyviolation", resolve));
    const script = document.createElement("script");
    script.textContent = "window.inlineScriptRan = true";
    document.body.append(script);
    return noticed.then(() => {});
  });
  assert.equal(await page.evaluate(() => window.inlineScriptRan), undefined);
  assert.equal(record.violations.length, 1);
  assert.match(record.violations[0], /^script-src/);
});

pageTest("the size budget counts exactly what is fetched before the page runs", { waitForApp: false }, async ({ page, base, record }) => {
  await page.waitForFunction(() => document.documentElement.dataset.app);
  const urls = record.requests.map(({ url }) => url).filter((url) => !url.startsWith("data:"));
  const isLater = (url) => /\/(split_\w+|chunk_\d+)-/.test(url);
  const fetched = urls.filter((url) => !isLater(url));
  const counted = firstLoad(dist).map((file) => new URL(file === "index.html" ? "" : file, base).href);
  assert.deepEqual(fetched.toSorted(), counted.toSorted(), "fetched, each once, against counted");
  const wasm = urls.findIndex((url) => url.endsWith(".wasm"));
  assert.ok(!urls.slice(0, wasm + 1).some(isLater), "what loads later waits until the page has answered");
});

pageTest("what draws charts comes with the first chart in sight, once, and draws", {}, async ({ page, record, open }) => {
  const fetched = () => record.requests.filter(({ url }) => /\/split_charts-[0-9a-f]{16}\.wasm$/.test(url)).length;
  assert.equal(fetched(), 0, "the opening view has no chart");
  await open("?view=scaling");
  const drawn = (index) =>
    page.locator("canvas").nth(index).evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
  for (const index of [0, 1]) {
    await page.locator("canvas").nth(index).scrollIntoViewIfNeeded();
    for (let colours = 0; colours < 10; colours = await drawn(index)) await page.waitForTimeout(50);
  }
  assert.equal(fetched(), 1, "two charts, one request");
});

for (const viewport of ["wide", "phone"]) {
  pageTest(`nothing jumps while the page starts (${viewport})`, { viewport, waitForApp: false }, async ({ page }) => {
    await page.waitForFunction(() => document.documentElement.dataset.app);
    const shift = await page.evaluate(
      () =>
        new Promise((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => setTimeout(() => resolve(sum), 100));
        }),
    );
    // The bound that the Core Web Vitals call good.
    assert.ok(shift <= 0.1, `the layout shifted by ${shift}`);
  });

  pageTest(`nothing needs scrolling sideways (${viewport})`, { viewport }, async ({ page }) => {
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(widths[0] <= widths[1], `${widths[0]} px of content in ${widths[1]} px`);
  });
}
