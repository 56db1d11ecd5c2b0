// axe finds nothing wrong in the opening state, in every look the page has.

import { expectAccessible, pageTest } from "./harness.mjs";

for (const locale of ["en-US", "zh-CN"]) {
  for (const viewport of ["wide", "phone"]) {
    for (const colorScheme of ["light", "dark"]) {
      pageTest(`the opening state: ${locale}, ${viewport}, ${colorScheme}`, { locale, viewport, colorScheme }, async ({ page }) => {
        await expectAccessible(page);
      });
    }
  }
}

pageTest("the first paint, before the page answers", { waitForApp: false, block: /\.wasm$/, expectMessages: true }, async ({ page }) => {
  await page.locator("#failed").waitFor({ state: "visible" });
  await expectAccessible(page);
});
