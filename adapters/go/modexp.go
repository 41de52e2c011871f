// Package monpro computes modular powers by monpro's C library, by the conventions of go-ethereum.
//
// Where cgo is off (CGO_ENABLED=0), math/big computes the same values.
package monpro

import "math/big"

// ModExp returns base^exponent mod modulus. The numbers are big-endian bytes of any length, and the result has as many
// bytes as the modulus: it is the output of MODEXP, the precompiled contract of the Ethereum virtual machine (EIP-198).
// Leading zeros change nothing, an empty number is 0, 0⁰ is 1 mod n, and modulo 0 the result is 0.
//
// The time depends on the values: they must be public.
func ModExp(base, exponent, modulus []byte) []byte {
	result := make([]byte, len(modulus))
	if len(modulus) > 0 && !modExp(result, base, exponent, modulus) {
		byMathBig(result, base, exponent, modulus)
	}
	return result
}

// byMathBig computes the power by math/big, into a result of zeros as long as the modulus.
func byMathBig(result, base, exponent, modulus []byte) {
	n := new(big.Int).SetBytes(modulus)
	if n.Sign() == 0 {
		return
	}
	x, e := new(big.Int).SetBytes(base), new(big.Int).SetBytes(exponent)
	x.Exp(x, e, n).FillBytes(result)
}
