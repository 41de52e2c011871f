//go:build !cgo

package monpro

// Engine names what computes: monpro, or math/big where cgo is off.
const Engine = "math/big"

// modExp reports that there is no library.
func modExp(_, _, _, _ []byte) bool {
	return false
}
