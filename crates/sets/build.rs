//! Links the integer set library that scripts/fetch-isl brings to third_party.

use std::path::Path;

fn main() {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets CARGO_MANIFEST_DIR");
    let directory = Path::new(&here).join("../../third_party/isl/lib");
    let library = directory.join("libisl.a");
    println!("cargo:rerun-if-changed={}", library.display());
    if library.exists() {
        println!("cargo:rustc-link-search=native={}", directory.display());
        println!("cargo:rustc-link-lib=static=isl");
    } else {
        println!("cargo:error=isl is missing ({}): run scripts/fetch-isl once", library.display());
    }
}
