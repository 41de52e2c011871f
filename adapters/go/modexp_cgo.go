//go:build cgo

package monpro

// #include <monpro.h>
import "C"

import "unsafe"

// Engine names what computes: monpro, or math/big where cgo is off.
const Engine = "monpro"

// modExp reports whether the library has computed the power. It refuses numbers of more than 2^28 bytes, and those for
// which there is no memory.
func modExp(result, base, exponent, modulus []byte) bool {
	status := C.monpro_modexp_vartime(
		pointer(base), C.size_t(len(base)),
		pointer(exponent), C.size_t(len(exponent)),
		pointer(modulus), C.size_t(len(modulus)),
		pointer(result),
	)
	return status == C.MONPRO_STATUS_OK
}

// pointer returns the address of the bytes; it may be nil where there are none.
func pointer(bytes []byte) *C.uint8_t {
	return (*C.uint8_t)(unsafe.SliceData(bytes))
}
