//! Tells the code which kind of Python it is built for.

fn main() {
    println!("cargo:rerun-if-env-changed=ARROW_IPC_FREE_THREADED");
    println!("cargo:rustc-check-cfg=cfg(refused)");
    pyo3_build_config::use_pyo3_cfgs();
    if std::env::var_os("ARROW_IPC_FREE_THREADED").is_none() {
        println!("cargo:rustc-cfg=refused");
    }
}
