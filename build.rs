//! Asks the linker to note where the page's program refers to what, by which `cargo xtask build` cuts it into parts.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|architecture| architecture == "wasm32") {
        println!("cargo:rustc-link-arg-bin=vram-ledger=--emit-relocs");
    }
}
