//! Leaves the tables for unwinding out of the installed program: in the profile `dist` a panic ends it, so nothing reads them.
//! They would be a twelfth of it.

use std::{env, path::PathBuf};

/// What the linker is told; linkers other than GNU's and LLVM's do not know all of it.
const SCRIPT: &str = "without_unwinding.ld";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SCRIPT}");
    println!("cargo::rustc-check-cfg=cfg(without_unwinding)");
    if profile().as_deref() == Some("dist") && is_usual_linker() {
        let script = path("CARGO_MANIFEST_DIR").join(SCRIPT);
        println!("cargo::rustc-cfg=without_unwinding");
        println!("cargo::rustc-link-arg-bins=-T{}", script.display());
    }
}

/// The name of the profile, which cargo tells only by the folder that has `build`.
fn profile() -> Option<String> {
    let out = path("OUT_DIR");
    let build = out.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "build"))?;
    build.parent()?.file_name()?.to_str().map(str::to_owned)
}

/// Whether the linker is the one that Rust takes for this target by itself.
fn is_usual_linker() -> bool {
    let is_there = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    env::var_os("TARGET").is_some_and(|target| target == "x86_64-unknown-linux-gnu")
        && !is_there("RUSTC_LINKER")
        && !is_there("CARGO_ENCODED_RUSTFLAGS")
}

/// A folder that cargo names to build scripts.
fn path(name: &str) -> PathBuf {
    env::var_os(name).map(PathBuf::from).unwrap_or_default()
}
