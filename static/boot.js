// Starts the page. A file of its own because the content policy allows no inline script.
// Trunk writes the hashed names into the two preload links, and the xtask that of the later style sheet into <meta>.
const page = document.documentElement;

try {
  const program = await import(document.getElementById("glue").href);
  await program.default({ module_or_path: document.getElementById("wasm").href });
  // The views come behind the first answer, and with them what they look like.
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = document.querySelector("meta[name=later]").content;
  document.head.append(style);
  // The page itself says when it has taken the place of the first paint: data-app="ready".
} catch (error) {
  page.setAttribute("data-app", "failed");
  document.getElementById("failed").hidden = false;
  throw error;
}
