//! The curves as a module of their own: the page loads it after its first answer and hands it plain data.
//!
//! ```js
//! const curves = await import("./curves.js");
//! await curves.default();
//! curves.draw(canvas, spec);
//! ```
//!
//! `draw` is all there is. What a `spec` holds is written down once, as TypeScript, in `src/curves/spec.rs`, and from
//! there into the module's `.d.ts`.

// Natively there is no canvas to draw on: only the tests look inside.
#[cfg(any(target_arch = "wasm32", test))]
#[path = "../curves/mod.rs"]
mod curves;

// The browser calls `draw`; a program still has to have a start.
fn main() {}
