// Starts the page. A file of its own because the content policy allows no inline script.
// The two preload links have the names of the files.
const page = document.documentElement;

try {
  const program = await import(document.getElementById("glue").href);
  await program.default({ module_or_path: document.getElementById("wasm").href });
  // The page itself says when it has taken the place of the first paint: data-app="ready".
} catch (error) {
  page.setAttribute("data-app", "failed");
  document.getElementById("failed").hidden = false;
  throw error;
}
