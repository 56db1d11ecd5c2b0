// The serving half: finding a model by typing, the controls of each engine, the view Serving, a pasted log.

import assert from "node:assert/strict";
import { expectAccessible, pageTest } from "./harness.mjs";

const field = (page, id) => page.locator(`[id="${id}"]`);
const panel = (page) => page.locator("[role=tabpanel]");
const inLink = (page, part) => page.waitForFunction((part) => location.hash.includes(part), part);
const notInLink = (page, part) => page.waitForFunction((part) => !location.hash.includes(part), part);

const enter = async (page, id, text) => {
  await field(page, id).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
};

const openGroup = (page, name) => page.locator(".groups > details > summary", { hasText: name }).click();

pageTest("a model is found by typing parts of its name, and taken by the keyboard alone", {}, async ({ page }) => {
  const model = page.getByRole("combobox", { name: "Model", exact: true });
  await model.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("30b qwen");
  const options = page.locator("#model-list [role=option]");
  await options.first().waitFor();
  assert.equal(await options.first().innerText(), "Qwen3 30B-A3B");
  assert.equal(await model.getAttribute("aria-expanded"), "true");
  assert.equal(await model.getAttribute("aria-activedescendant"), await options.first().getAttribute("id"));
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await inLink(page, "model=qwen3-30b-a3b");
  assert.equal(await model.inputValue(), "Qwen3 30B-A3B");
  assert.equal(await options.count(), 0);
});

pageTest("the arrow keys go round the models, and Escape gives the search up", {}, async ({ page }) => {
  const model = field(page, "model");
  // The search takes the place of the plain field as soon as the catalogue is here.
  await page.locator("#model:not([readonly])").waitFor();
  await model.focus();
  const before = await model.inputValue();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.querySelector("[role=option].active"));
  assert.equal(await page.locator("[role=option].active").innerText(), "Paste a config.json …");
  await page.keyboard.press("ArrowDown");
  const first = page.locator("#model-list [role=option]").first();
  assert.equal(await model.getAttribute("aria-activedescendant"), await first.getAttribute("id"));
  const seen = await page.evaluate(() => {
    const [list, active] = ["#model-list", ".active"].map((one) => document.querySelector(one).getBoundingClientRect());
    return active.top >= list.top - 1 && active.bottom <= list.bottom + 1;
  });
  assert.ok(seen, "the active option is in sight");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#model-list [role=option]").count(), 0);
  assert.equal(await model.inputValue(), before);
  assert.equal(new URL(page.url()).hash, "");
});

pageTest("a name that no model has is said to be none, and the other ways stay", { viewport: "phone" }, async ({ page }) => {
  await field(page, "model").click();
  await page.keyboard.type("no such model");
  await page.getByText(/No model is called that/).waitFor();
  assert.equal(await page.locator("#model-list [role=option]").count(), 2);
  await page.keyboard.press("Enter");
  assert.equal(await field(page, "model").inputValue(), "no such model", "Enter takes nothing that was not found");
  await expectAccessible(page);
  await page.getByRole("option", { name: /config\.json/ }).click();
  await page.locator(".paste textarea").waitFor();
});

pageTest("an engine shows what it has, refuses what is out of range, and gives it back for another", {}, async ({ page }) => {
  await openGroup(page, "Serving");
  assert.equal(await field(page, "inference.memory_fraction").count(), 0);
  await field(page, "inference.engine").selectOption("vllm");
  await inLink(page, "inference.engine=vllm");
  assert.equal(await field(page, "inference.memory_fraction").getAttribute("placeholder"), "0.9");
  await enter(page, "inference.memory_fraction", "1.5");
  await page.locator(".pair", { hasText: "Memory fraction" }).getByText(/1\.5.*0\.001.*1/).waitFor();
  await enter(page, "inference.memory_fraction", "0.8");
  await inLink(page, "inference.memory_fraction=0.8");
  await enter(page, "inference.kv_cache_bytes", "8 GiB");
  await inLink(page, "inference.kv_cache_bytes=8589934592");
  await enter(page, "inference.kv_cache_bytes", "much");
  await page.getByText(/“much” is not a number; allowed: bytes/).waitFor();
  await field(page, "inference.kv_cache_bytes").fill("");
  await page.keyboard.press("Enter");
  await field(page, "inference.cuda_graphs").uncheck();
  await inLink(page, "inference.cuda_graphs=false");
  await expectAccessible(page);

  await field(page, "inference.engine").selectOption("llama.cpp");
  await inLink(page, "inference.engine=llama.cpp");
  await notInLink(page, "memory_fraction");
  assert.equal(await page.locator(".controls .error").count(), 0);
  await field(page, "inference.kv").selectOption("q8_0");
  await field(page, "inference.kv_unified").check();
  await inLink(page, "inference.kv_unified=true");
  assert.deepEqual(await field(page, "inference.kv").locator("optgroup").evaluateAll((all) => all.map((one) => one.label)), [
    "Unquantised",
    "Blocks of ggml (llama.cpp)",
  ]);
  await field(page, "inference.weights").selectOption("gguf-q4_k_m");
  await inLink(page, "inference.weights=gguf-q4_k_m");
});

const LLAMA = "?view=serving#model=llama-3.1-8b&inference.engine=vllm";

pageTest("the view answers what people come for, and its change does what it says", { path: LLAMA }, async ({ page }) => {
  const answers = panel(page).locator(".answers");
  await answers.getByText(/to spare: .* one H100 SXM shows/).waitFor();
  await answers.getByText(/the model's own limit/).waitFor();
  const promised = /: ([\d,.]+) requests instead of/.exec(await answers.innerText())[1];
  await answers.locator(".apply").click();
  await answers.getByText(new RegExp(`^${promised.replace(".", "\\.")} of 4,096 tokens each`)).waitFor();
  await panel(page).getByText(/Why H100 SXM is not 80 GB/).waitFor();
  await expectAccessible(page);
});

pageTest("every engine has its row, and its name takes it", { path: LLAMA }, async ({ page }) => {
  const table = panel(page).locator("table.engines");
  assert.deepEqual(await table.locator("tbody th").allInnerTexts(), ["vLLM", "SGLang", "TensorRT-LLM", "LMDeploy", "llama.cpp", "Transformers"]);
  assert.equal(await table.locator("tr.selected th").innerText(), "vLLM");
  assert.match(await table.innerText(), /0\.90 of the whole device[\s\S]*0\.90 of what is free after loading/);
  await table.getByRole("button", { name: "llama.cpp" }).click();
  await inLink(page, "inference.engine=llama.cpp");
  assert.equal(await table.locator("tr.selected th").innerText(), "llama.cpp");
});

const LOG = [
  "INFO 10-06 12:00:40 [gpu_model_runner.py:1] Model loading took 8.4900 GiB and 2.2 seconds",
  "INFO 10-06 12:00:41 [gpu_worker.py:2] Available KV cache memory: 57.61 GiB",
  "INFO 10-06 12:00:42 [kv_cache_utils.py:3] GPU KV cache size: 471,936 tokens",
  "INFO 10-06 12:00:43 [kv_cache_utils.py:4] Maximum concurrency for 131,072 tokens per request: 3.60x",
  "INFO 10-06 12:00:44 [api_server.py:5] Starting vLLM API server",
].join("\n");

pageTest("a pasted log is held against the prediction, line by line", { path: LLAMA }, async ({ page, record }) => {
  await field(page, "pasted-log").fill(LOG);
  const table = panel(page).locator("table.logged");
  await table.waitFor();
  const row = (name) => table.locator("tbody", { hasText: name });
  assert.match(await row("8.4900 GiB").innerText(), /FP8[\s\S]*another format is served/);
  assert.match(await row("57.61 GiB").innerText(), /by “weights”/);
  assert.match(await row("471,936").innerText(), /follows from “key-value cache”/);
  assert.equal(await table.locator("tbody").count(), 4, "lines that say nothing are passed over");
  await panel(page).getByText(/131,072 tokens \(asked: 4,096\)/).waitFor();
  await expectAccessible(page);

  // It is still there after another view was looked at, and it never leaves.
  await page.locator("#tab-stages").click();
  await page.locator("#tab-serving").click();
  assert.equal(await field(page, "pasted-log").inputValue(), LOG);
  await panel(page).getByRole("button", { name: "Take these into the question" }).click();
  await inLink(page, "inference.context=131072");
  assert.ok(record.requests.every(({ url }) => !url.includes("gpu_worker")));
});

pageTest("a text that is no log says what is looked for", { path: LLAMA }, async ({ page }) => {
  await field(page, "pasted-log").fill("hello");
  await panel(page).getByText(/No line of this text/).waitFor();
  for (const words of ["Model loading took", "KV Cache is allocated.", "model buffer size ="]) {
    await panel(page).locator(".looked", { hasText: words }).waitFor();
  }
  await expectAccessible(page);
});

pageTest("sources are fetched when they are asked for", { path: "?view=serving#model=gpt-oss-20b" }, async ({ page, record }) => {
  await panel(page).locator(".sources summary").waitFor();
  const fetched = () => record.requests.filter(({ url }) => url.includes("split_rows")).length;
  assert.equal(fetched(), 0);
  await panel(page).locator(".sources summary").click();
  await panel(page).getByText(/Counted from its dimensions: 20,914,757,184 parameters/).waitFor();
  assert.equal(fetched(), 1);
  await expectAccessible(page);
});

pageTest("the ledger and the explanation say how sure a figure is", { path: "#model=llama-3.1-8b&inference.engine=vllm" }, async ({ page }) => {
  await page.locator("#bar-inference-workspace").focus();
  await page.keyboard.press("Enter");
  await page.locator("#explanation .basis", { hasText: "fitted: a constant drawn from published measurements" }).first().waitFor();
  await page.getByText("Every entry, to the byte").click();
  await panel(page).locator("details td", { hasText: "engine rule" }).first().waitFor();
});

for (const [viewport, path] of [["phone", LLAMA], ["wide", "?lang=zh&theme=dark&view=serving#model=gpt-oss-120b&inference.engine=sglang&cluster.gpus=2"]]) {
  pageTest(`nothing of it sticks out, and axe finds nothing (${viewport}, ${path.slice(1, 8)})`, { viewport, path }, async ({ page }) => {
    await field(page, "pasted-log").fill(LOG);
    await panel(page).locator("table.logged").waitFor();
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.equal(width[0], width[1]);
    await expectAccessible(page);
  });
}
