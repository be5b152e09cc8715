//! Says early and clearly when Z3 is missing, and lets `cargo run` and `cargo test` find it from any target directory.
//!
//! The rpath in .cargo/config.toml serves programs started directly from the workspace's own target directory. Cargo
//! itself adds to the library path what build scripts name inside the target directory, hence the link there.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let Ok(directory) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") else {
        println!("cargo:warning=Z3_LIBRARY_PATH_OVERRIDE is not set: build inside the workspace, whose .cargo sets it");
        return;
    };
    let library = Path::new(&directory).join("libz3.so");
    println!("cargo:rerun-if-changed={}", library.display());
    match library.canonicalize() {
        Ok(library) => link_beside_the_build(&library),
        Err(error) => println!("cargo:error=Z3 is missing ({}: {error}): run scripts/fetch-z3 once", library.display()),
    }
}

/// Makes a link to the library, under the name by which programs load it, where Cargo looks when it runs them.
#[cfg(unix)]
fn link_beside_the_build(library: &Path) {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    let link = out.join("libz3.so.5.4");
    let _ = std::fs::remove_file(&link);
    match std::os::unix::fs::symlink(library, &link) {
        Ok(()) => println!("cargo:rustc-link-search=native={}", out.display()),
        Err(error) => println!("cargo:warning=no link to Z3 in {}: {error}", out.display()),
    }
}

#[cfg(not(unix))]
fn link_beside_the_build(_library: &Path) {}
