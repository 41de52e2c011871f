// Times modular powers by monpro, by math/big and by go-bigmodexpfix, the arithmetic of go-ethereum, on the vectors of
// vectors/modexp.json.
//
// All take turns in each round; the figures are medians. The answers are compared before the clock starts.
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	fixed_big "github.com/ethereum/go-bigmodexpfix/src/math/big"
	"monpro"
)

// contender computes base^exponent mod modulus, into as many bytes as the modulus has.
type contender struct {
	name  string
	power func(base, exponent, modulus []byte) []byte
}

var contenders = []contender{
	{monpro.Engine, monpro.ModExp},
	{"math/big", func(base, exponent, modulus []byte) []byte {
		n := new(big.Int).SetBytes(modulus)
		power := new(big.Int).Exp(new(big.Int).SetBytes(base), new(big.Int).SetBytes(exponent), n)
		return power.FillBytes(make([]byte, len(modulus)))
	}},
	{"go-bigmodexpfix", func(base, exponent, modulus []byte) []byte {
		n := new(fixed_big.Int).SetBytes(modulus)
		power := new(fixed_big.Int).Exp(new(fixed_big.Int).SetBytes(base), new(fixed_big.Int).SetBytes(exponent), n)
		return power.FillBytes(make([]byte, len(modulus)))
	}},
}

// vector is a call of MODEXP in the format of go-ethereum.
type vector struct {
	Name, Input string
	Gas         int
}

func (v vector) operands() (operands [3][]byte) {
	input, err := hex.DecodeString(v.Input)
	fail(err)
	at := 96
	for i := range operands {
		length := int(new(big.Int).SetBytes(input[32*i : 32*i+32]).Int64())
		operands[i] = input[at : at+length]
		at += length
	}
	return operands
}

func main() {
	path := flag.String("vectors", "../../../vectors/modexp.json", "the file of the vectors")
	rounds := flag.Int("rounds", 15, "the number of rounds")
	flag.Parse()
	text, err := os.ReadFile(*path)
	fail(err)
	var vectors []vector
	fail(json.Unmarshal(text, &vectors))

	fmt.Printf("%s, %d rounds; times in µs, and how many times as long the others take\n", runtime.Version(), *rounds)
	fmt.Printf("%-30s", "")
	for _, c := range contenders {
		fmt.Printf("%18s", c.name)
	}
	fmt.Println()
	logarithms := make([]float64, len(contenders))
	for _, v := range vectors {
		times := race(v, *rounds)
		fmt.Printf("%-30s%18.2f", v.Name, 1e6*times[0])
		for i, seconds := range times {
			logarithms[i] += math.Log(seconds / times[0])
			if i > 0 {
				fmt.Printf("%18.2f", seconds/times[0])
			}
		}
		fmt.Println()
	}
	fmt.Printf("%-30s%18s", "geometric mean", "")
	for _, sum := range logarithms[1:] {
		fmt.Printf("%18.2f", math.Exp(sum/float64(len(vectors))))
	}
	fmt.Println()
}

// race returns the median seconds of a power for each contender.
func race(v vector, rounds int) []float64 {
	x := v.operands()
	for _, c := range contenders[1:] {
		if !bytes.Equal(c.power(x[0], x[1], x[2]), contenders[0].power(x[0], x[1], x[2])) {
			fail(fmt.Errorf("%s: %s has another answer", v.Name, c.name))
		}
	}
	seconds := make([][]float64, len(contenders))
	for range rounds {
		for i, c := range contenders {
			seconds[i] = append(seconds[i], spent(c, x))
		}
	}
	medians := make([]float64, len(contenders))
	for i, all := range seconds {
		slices.Sort(all)
		medians[i] = all[len(all)/2]
	}
	return medians
}

// spent returns the seconds of one power, of as many as take at least two milliseconds: processor time of the process,
// so that other programs are not counted, and the collection of garbage is.
func spent(c contender, x [3][]byte) float64 {
	for count := 1; ; count *= 2 {
		start := processorTime()
		for range count {
			c.power(x[0], x[1], x[2])
		}
		if elapsed := (processorTime() - start).Seconds(); elapsed > 2e-3 {
			return elapsed / float64(count)
		}
	}
}

func processorTime() time.Duration {
	var used syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
