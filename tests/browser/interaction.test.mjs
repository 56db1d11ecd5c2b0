// What people do on the page: drag, type, press keys, follow links, go back, paste, embed.

import assert from "node:assert/strict";
import { expectAccessible, pageTest } from "./harness.mjs";

const training = (page) => page.locator(".verdict", { hasText: "Training" }).locator(".total");
const field = (page, id) => page.locator(`[id="${id}"]`);

/** Types into a field as a person does, and means it. */
const enter = async (page, id, text) => {
  await field(page, id).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
};

/** Waits until the address bar says so. */
const inLink = (page, part) => page.waitForFunction((part) => location.hash.includes(part), part);

pageTest("the well-known figures at 1, 8 and 64 shards", {}, async ({ page }) => {
  await page.locator("#tab-scaling").click();
  const table = page.locator("[role=tabpanel] table").last();
  for (const [gpus, state] of [["1", "112 GB"], ["8", "14.0 GB"], ["64", "1.75 GB"]]) {
    const row = table.locator("tr", { has: page.getByRole("rowheader", { name: gpus, exact: true }) });
    await row.getByText(state, { exact: true }).last().waitFor();
  }
});

pageTest("typing 7.5 keeps the point, and counts when it is meant", {}, async ({ page }) => {
  await field(page, "model.parameters").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("7.5");
  assert.equal(await field(page, "model.parameters").inputValue(), "7.5");
  await page.keyboard.type("b");
  await page.keyboard.press("Enter");
  assert.equal(await field(page, "model.parameters").inputValue(), "7.50 B");
  await inLink(page, "model.parameters=7500000000");
});

pageTest("a field accepts what people write", {}, async ({ page }) => {
  for (const [text, link] of [
    ["70 B", "model.parameters=70000000000"],
    ["1e9", "model.parameters=1000000000"],
    ["1,300,000,000", "model.parameters=1300000000"],
  ]) {
    await enter(page, "model.parameters", text);
    await inLink(page, link);
  }
  for (const [text, tokens] of [["8k", "8192"], ["131072", "131072"]]) {
    await enter(page, "sequence", text);
    await inLink(page, `training.sequence=${tokens}`);
  }
});

pageTest("a refused field says what was given and what is allowed, and keeps everything else", {}, async ({ page }) => {
  await enter(page, "model.parameters", "13b");
  await enter(page, "cluster.gpus", "0");
  const error = page.getByText(/1,?048,?576/);
  await error.waitFor();
  assert.match(await error.innerText(), /0/);
  assert.equal(await field(page, "cluster.gpus").inputValue(), "0");
  assert.match(page.url(), /model\.parameters=13000000000/);
  await field(page, "cluster.gpus").focus();
  await page.keyboard.press("Escape");
  await error.waitFor({ state: "detached" });
  await expectAccessible(page);
});

pageTest("dragging a slider changes both ledgers and writes one step of the history", {}, async ({ page }) => {
  const slider = field(page, "cluster.gpus-slider");
  const before = await training(page).innerText();
  const steps = await page.evaluate(() => history.length);
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + 8, box.y + box.height / 2);
  await page.mouse.down();
  for (let share = 0.05; share <= 0.5; share += 0.05) await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  const during = await training(page).innerText();
  assert.notEqual(during, before, "the ledger follows the drag");
  await page.mouse.up();
  await page.waitForFunction(() => location.hash.includes("cluster.gpus="));
  assert.equal(await page.evaluate(() => history.length), steps + 1);
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes("cluster.gpus="));
  assert.equal(await training(page).innerText(), before, "back restores the answer");
  await page.goForward();
  await page.waitForFunction(() => location.hash.includes("cluster.gpus="));
  assert.equal(await training(page).innerText(), during, "and forward brings it again");
});

pageTest("every slider moves with arrows, Page, Home and End", {}, async ({ page }) => {
  for (const id of ["model.parameters", "precision", "cluster.gpu", "cluster.gpus", "sequence"]) {
    const slider = field(page, `${id}-slider`);
    const text = () => slider.getAttribute("aria-valuetext");
    await slider.focus();
    await page.keyboard.press("Home");
    const first = await text();
    await page.keyboard.press("ArrowRight");
    const second = await text();
    assert.notEqual(second, first, `${id}: arrow`);
    await page.keyboard.press("PageUp");
    const third = await text();
    assert.ok(third !== first, `${id}: page`);
    await page.keyboard.press("End");
    const last = await text();
    assert.notEqual(last, first, `${id}: end`);
    await page.keyboard.press("Home");
    assert.equal(await text(), first, `${id}: home`);
  }
});

pageTest("a link restores the whole state, and its own error names the field", {}, async ({ page, open }) => {
  await open("?lang=zh&unit=GiB#cluster.gpus=64&model=llama-3.1-70b&training.sharding=zero1");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-Hans");
  assert.equal(await field(page, "cluster.gpus").inputValue(), "64");
  assert.equal(await field(page, "training.sharding").inputValue(), "zero1");
  await page.getByText("训练", { exact: true }).first().waitFor();
  await open("?lang=en#training.sharding=zero9");
  const alert = page.locator("[role=alert]", { hasText: "zero9" });
  await alert.waitFor();
  assert.match(await alert.innerText(), /zero3/);
});

pageTest("advice is taken at one click and fits", {}, async ({ page }) => {
  await page.getByText(/too much for one H100/).first().waitFor();
  await page.locator(".verdict .apply").first().click();
  await page.locator(".verdict", { hasText: "Training" }).locator(".fits").waitFor();
  await inLink(page, "cluster.gpus=2");
});

pageTest("segments are chosen by the keyboard alone and explain themselves", {}, async ({ page }) => {
  await page.locator("#bar-training-momentum").focus();
  await page.keyboard.press("ArrowRight");
  const explanation = page.locator("#explanation");
  await explanation.getByText(/Variance|variance/).first().waitFor();
  assert.match(await explanation.innerText(), /28,000,000,000 B/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "bar-training-variance");
});

pageTest("tabs follow the arrow keys, and every view is accessible", {}, async ({ page }) => {
  await page.locator("#tab-ledger").focus();
  const ids = ["serving", "timeline", "stages", "communication", "scaling", "precision", "plan", "compare", "share"];
  for (const id of ids) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(`#tab-${id}`).getAttribute("aria-selected"), "true");
    await expectAccessible(page);
  }
});

const PIPELINE = "#model=llama-3.1-8b&cluster.gpus=4&training.pipeline=4&training.global_batch=8&training.recompute=none";

pageTest("stages stand on one scale, and the largest says why", { path: PIPELINE }, async ({ page }) => {
  await page.locator("#tab-stages").click();
  const panel = page.locator("[role=tabpanel]");
  const bars = panel.getByRole("group", { name: /^Stage/ });
  assert.equal(await bars.count(), 4);
  assert.match(await panel.locator(".stage.largest").innerText(), /Stage 0[\s\S]*has most micro-batches in flight, 4 × 8 layers/);
  // What is drawn is what the table says: the longest bar is that of the selected row.
  const ends = await bars.evaluateAll((all) => all.map((bar) => [...bar.querySelectorAll("rect")].at(-1).getBoundingClientRect().right));
  assert.equal(ends.indexOf(Math.max(...ends)), 0);
  assert.equal(await panel.locator("tr.selected th").innerText(), "0");
  await expectAccessible(page);
});

pageTest("without a pipeline the stages say what would make one, and do it", {}, async ({ page }) => {
  await page.locator("#tab-stages").click();
  const panel = page.locator("[role=tabpanel]");
  await panel.getByText(/There is one stage/).waitFor();
  await panel.getByRole("button", { name: "Try it" }).click();
  await inLink(page, "training.pipeline=4");
  assert.equal(await panel.getByRole("group", { name: /^Stage/ }).count(), 4);
});

pageTest("the timeline marks the largest phase and says what makes it so", { path: PIPELINE }, async ({ page }) => {
  await page.locator("#tab-timeline").click();
  const panel = page.locator("[role=tabpanel]");
  await panel.getByText(/A step needs most at “backward begins”/).waitFor();
  assert.equal(await panel.locator("table").first().locator("tr.selected th").innerText(), "backward begins");
  assert.equal(await panel.locator(".under .mark").count(), 1);
  await expectAccessible(page);
});

pageTest("parts of the timeline and of stages open their explanation, by mouse and by keyboard", { path: PIPELINE }, async ({ page }) => {
  await page.locator("#tab-timeline").click();
  const panel = page.locator("[role=tabpanel]");
  await panel.getByText(/Choose a part of a bar/).waitFor();
  const loss = panel.getByRole("group", { name: /^forward|^loss/ }).first();
  await loss.locator("[role=button]").first().focus();
  await page.keyboard.press("ArrowUp");
  const second = loss.locator("[role=button]").nth(1);
  assert.equal(await second.getAttribute("aria-pressed"), "true");
  assert.match(await panel.locator(".explanation h3").innerText(), /^Gradients: /);
  assert.match(await panel.locator(".explanation").innerText(), /Ψ/);
  await page.locator("#tab-stages").click();
  await panel.getByRole("group", { name: /^Stage 1/ }).locator("[role=button]").first().click();
  assert.match(await panel.locator(".explanation h3").innerText(), /^Weights: .* on stage 1$/);
  await expectAccessible(page);
});

const ACROSS = "#model=llama-3.1-70b&cluster.gpus=64&training.tensor=16&training.global_batch=64&training.sharding=zero3&training.tokens=1e12";

pageTest("communication names a rule that the layout breaks, and taking its change keeps the promise", { path: ACROSS }, async ({ page }) => {
  await page.locator("#tab-communication").click();
  const panel = page.locator("[role=tabpanel]");
  const rule = panel.locator(".rules li", { hasText: "leaves the node of 8" });
  const promised = (await rule.innerText()).match(/a step of ([\d.,]+ m?s) instead of ([\d.,]+ m?s)/);
  assert.equal(await page.locator(".step strong").first().innerText(), promised[2]);
  await rule.getByRole("button", { name: "apply" }).click();
  await inLink(page, "training.tensor=8");
  assert.equal(await page.locator(".step strong").first().innerText(), promised[1]);
  await panel.getByText(/1.00 T tokens take/).waitFor();
  await expectAccessible(page);
});

for (const view of ["timeline", "stages"]) {
  pageTest(`on a phone nothing of the ${view} sticks out`, { viewport: "phone", path: `?view=${view}${PIPELINE}` }, async ({ page }) => {
    await page.locator(".drawing").waitFor();
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.equal(width[0], width[1]);
    await expectAccessible(page);
  });
}

pageTest("eight GPUs show their collectives", { path: "#cluster.gpus=8&training.sharding=zero3" }, async ({ page }) => {
  await page.locator("#tab-communication").click();
  assert.match(await page.locator("[role=tabpanel]").innerText(), /all-gather[\s\S]*reduce-scatter/i);
});

const CONFIG = JSON.stringify({
  architectures: ["LlamaForCausalLM"], hidden_size: 4096, intermediate_size: 14336, model_type: "llama",
  num_attention_heads: 32, num_hidden_layers: 32, num_key_value_heads: 8, vocab_size: 128256,
  max_position_embeddings: 131072, tie_word_embeddings: false, rope_scaling: { rope_type: "llama3", factor: 8 },
});

pageTest("a pasted config.json is read to the last parameter, and its text never leaves", {}, async ({ page }) => {
  await field(page, "model").click();
  await page.getByRole("option", { name: "Paste a config.json …" }).click();
  const text = page.locator(".paste textarea");
  const use = page.getByRole("button", { name: "Use this model" });
  await text.fill(CONFIG.replace('"llama"', '"banana"'));
  await use.click();
  await page.locator(".paste", { hasText: "banana" }).getByText(/llama, mistral/).waitFor();
  assert.ok((await text.inputValue()).includes("banana"), "the refused text stays");
  await text.fill(CONFIG);
  await use.click();
  await inLink(page, "hidden_size=4096");
  assert.equal(await field(page, "model.parameters").inputValue(), "8,030,261,248");
  await expectAccessible(page);
});

pageTest("language, unit and theme change at once", {}, async ({ page }) => {
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByText("推理", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "GiB" }).click();
  await page.locator(".card", { hasText: "13.7 GiB" }).waitFor();
  await page.locator(".header").getByRole("button").nth(5).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
});

pageTest("on a phone the bars stay in sight while the sliders move below", { viewport: "phone" }, async ({ page }) => {
  await field(page, "sequence-slider").scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollBy(0, 200));
  const bar = await page.locator("svg.bar").last().boundingBox();
  assert.ok(bar.y >= 0 && bar.y < 400, `the training bar is at ${bar.y}`);
});

pageTest("embedded, only bars, sliders and verdict are there, and the parent hears the height", {}, async ({ page, open }) => {
  // A page without a frame around it is its own parent, so it hears what it tells.
  await page.addInitScript(() => {
    window.heard = [];
    addEventListener("message", ({ data }) => window.heard.push(data));
  });
  await open("?embed=1#cluster.gpus=8");
  assert.equal(await page.locator(".header, [role=tablist]").count(), 0);
  assert.equal(await page.locator("svg.bar").count(), 2);
  assert.equal(await page.locator("input[type=range]").count(), 5);
  await page.waitForFunction(() => window.heard.some(({ type, height }) => type === "vram-ledger/resize" && height > 100));
  await expectAccessible(page);
});

pageTest("the share view has a link and a snippet for a frame", {}, async ({ page }) => {
  await page.locator("#tab-share").click();
  assert.match(await field(page, "share-link").inputValue(), /^http:\/\/.*\?lang=en/);
  assert.match(await field(page, "share-embed").inputValue(), /<iframe[\s\S]*embed=1[\s\S]*vram-ledger\/resize/);
});
