//go:build cgo && !monpro_installed

package monpro

// The static library that `cargo build --release --package monpro-capi` makes in this checkout.

// #cgo CFLAGS: -I${SRCDIR}/../../crates/monpro-capi/include
// #cgo LDFLAGS: ${SRCDIR}/../../target/release/libmonpro.a -lm -ldl -lpthread
import "C"
