//! Tells the sources whether this compiler knows the intrinsics of VPCLMULQDQ and AVX-512F: they are stable since
//! Rust 1.89. An older compiler builds all but the kernels that need them.

fn main() {
    autocfg::rerun_path("build.rs");
    autocfg::emit_possibility("vpclmulqdq_intrinsics");
    autocfg::emit_possibility("avx512_in_software");
    if autocfg::new().probe_rustc_version(1, 89) {
        autocfg::emit("vpclmulqdq_intrinsics");
    }
}
