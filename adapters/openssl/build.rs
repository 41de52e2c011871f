//! Marks the module as one that stays mapped: OpenSSL unloads modules, and the standard library may leave a destructor of
//! a thread behind.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
