//go:build cgo && monpro_installed

package monpro

// The library that `make install-c` has installed, as pkg-config finds it.

// #cgo pkg-config: monpro
import "C"
