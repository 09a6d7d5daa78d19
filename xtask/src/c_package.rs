//! Makes what a C program needs of `arrow-ipc-c`: both libraries, the header, a `pkg-config` file, a CMake package and the licences.

use crate::command::execute;
use crate::failure::{Failure, Outcome};
use crate::package::{LICENCES, Package, folder};
use crate::third_party::{feature_options, notices};
use crate::{reproducible, root};

const PACKAGE: &str = "fletching-arrow-ipc-c";

/// Where the folder has the licences.
const LICENCE_FOLDER: &str = "share/licenses/arrow-ipc-c";

/// `cargo xtask c-package [FOLDER] [options of cargo]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let (folder, options) = folder(args, "c-package")?;
    if let Some(option) = options.iter().find(|option| is_elsewhere(option)) {
        return Err(Failure::usage(format!(
            "c-package has no {option}: it packs what the profile `c` builds for this machine; CARGO_TARGET_DIR says where"
        )));
    }
    let root = root();
    let build = ["build", "--profile", "c", "--package", PACKAGE];
    execute(reproducible::cargo(&root)?.args(build).args(options))?;
    let package = Package::new(folder);
    let target = reproducible::built("c")?;
    let shared = format!("{}arrow_ipc_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let libraries = ["libarrow_ipc_c.a", &shared];
    reproducible::check(&root, &libraries.map(|library| target.join(library)))?;
    for library in libraries {
        package.copy(&target.join(library), &format!("lib/{library}"))?;
    }
    package.copy(&root.join("crates/arrow-ipc-c/include/arrow_ipc.h"), "include/arrow_ipc.h")?;
    for licence in LICENCES {
        package.copy(&root.join(licence), &format!("{LICENCE_FOLDER}/{licence}"))?;
    }
    let selected = [&["--package", PACKAGE], &feature_options(options)[..]].concat();
    package.write(&format!("{LICENCE_FOLDER}/THIRD-PARTY.txt"), &notices(&root, "Cargo.toml", &selected)?)?;
    let version = env!("CARGO_PKG_VERSION");
    package.write("lib/pkgconfig/arrow-ipc-c.pc", &PKG_CONFIG.replace("@VERSION@", version))?;
    package.write("lib/cmake/ArrowIpcC/ArrowIpcCConfig.cmake", &CMAKE.replace("@SHARED@", &shared))?;
    package.write(
        "lib/cmake/ArrowIpcC/ArrowIpcCConfigVersion.cmake",
        &CMAKE_VERSION.replace("@VERSION@", version),
    )
}

/// Whether an option of cargo makes other files than those that are packed.
fn is_elsewhere(option: &str) -> bool {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    ["--target", "--target-dir", "--profile", "--release", "-r", "--package", "-p"].contains(&name)
}

/// What C needs beside the library, as `rustc --print native-static-libs` says.
const PKG_CONFIG: &str = "prefix=${pcfiledir}/../..
Name: arrow-ipc-c
Description: Reads and writes files and streams of Apache Arrow IPC
Version: @VERSION@
License: Apache-2.0 OR MIT
Cflags: -I${prefix}/include
Libs: -L${prefix}/lib -larrow_ipc_c
Libs.private: -lpthread -ldl -lm
";

const CMAKE: &str = r#"# Targets: ArrowIpcC::static and ArrowIpcC::shared.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
get_filename_component(_arrow_ipc_c "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET ArrowIpcC::static)
  add_library(ArrowIpcC::static STATIC IMPORTED)
  set_target_properties(ArrowIpcC::static PROPERTIES
    IMPORTED_LOCATION "${_arrow_ipc_c}/lib/libarrow_ipc_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_arrow_ipc_c}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
  add_library(ArrowIpcC::shared SHARED IMPORTED)
  set_target_properties(ArrowIpcC::shared PROPERTIES
    IMPORTED_LOCATION "${_arrow_ipc_c}/lib/@SHARED@"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${_arrow_ipc_c}/include")
endif()
"#;

/// Of versions before 1.0, only the same minor version is compatible.
const CMAKE_VERSION: &str = r#"set(PACKAGE_VERSION "@VERSION@")
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION
    AND "${PACKAGE_FIND_VERSION_MAJOR}.${PACKAGE_FIND_VERSION_MINOR}" MATCHES "^[0-9]+\\.[0-9]+$"
    AND "${PACKAGE_VERSION}." MATCHES "^${PACKAGE_FIND_VERSION_MAJOR}\\.${PACKAGE_FIND_VERSION_MINOR}\\.")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_other_folders_are_not_packed() {
        for option in ["--target", "--target=x86_64-unknown-linux-musl", "--profile=dev", "--release"] {
            let args = ["out", option].map(str::to_owned);
            assert_eq!(run(&args).unwrap_err().status, 2, "{option}");
        }
    }
}
