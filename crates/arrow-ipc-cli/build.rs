//! Options for the linker. In the profiles `dev` and `test`, the program has a fixed address: tests start it twelve
//! thousand times, and relocating it takes 1.5 ms each time.
//!
//! The installed program is made smaller. The linker leaves out the tables for unwinding, a twelfth of the program:
//! in the profile `dist`, a panic ends the program, so nothing reads these tables. The linker also merges functions
//! with equal code.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The linker script that removes the tables for unwinding.
const SCRIPT: &str = "without_unwinding.ld";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // An absolute path, so that cargo notices if the folder moves.
    println!("cargo::rerun-if-changed={}", path("CARGO_MANIFEST_DIR").join(SCRIPT).display());
    println!("cargo::rustc-check-cfg=cfg(without_unwinding)");
    let profile = profile();
    if profile.as_deref() == Some("debug") && is_usual_linker() {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    if profile.as_deref() == Some("dist") && is_usual_linker() {
        let script = path("CARGO_MANIFEST_DIR").join(SCRIPT);
        println!("cargo::rustc-cfg=without_unwinding");
        println!("cargo::rustc-link-arg-bins=-T{}", script.display());
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// The name of the profile, from the output path: Cargo does not pass it in any other way.
fn profile() -> Option<String> {
    let out = path("OUT_DIR");
    let build = out.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "build"))?;
    build.parent()?.file_name()?.to_str().map(str::to_owned)
}

/// Whether the linker is LLVM's, which Rust contains and uses by default for this target. Other linkers do not
/// support these options.
fn is_usual_linker() -> bool {
    let is_there = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let target = env::var("TARGET").unwrap_or_default();
    if target != "x86_64-unknown-linux-gnu" || is_there("RUSTC_LINKER") || is_there("CARGO_ENCODED_RUSTFLAGS")
    {
        return false;
    }
    let output = Command::new(path("RUSTC")).args(["--print", "sysroot"]).output();
    output.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout);
        Path::new(sysroot.trim_end()).join("lib/rustlib").join(target).join("bin/gcc-ld/ld.lld").exists()
    })
}

fn path(name: &str) -> PathBuf {
    env::var_os(name).map(PathBuf::from).unwrap_or_default()
}
