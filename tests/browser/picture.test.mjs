// The README's picture: the opening state as a reader's browser shows it. `cargo xtask picture` (UPDATE_PICTURES=1)
// writes docs/page.png; otherwise the test only shows that it can be taken.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { pageTest } from "./harness.mjs";

const target = fileURLToPath(new URL("../../docs/page.png", import.meta.url));

pageTest("the picture of the opening state can be taken", {}, async ({ page }) => {
  const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
  // Width and height stand at fixed places in a PNG's header.
  assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1280, 800]);
  if (!process.env.UPDATE_PICTURES) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, picture);
  console.log(`wrote ${target}`);
});
