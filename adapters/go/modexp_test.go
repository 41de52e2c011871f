package monpro

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
)

// vector is a call of MODEXP in the format of go-ethereum.
type vector struct{ Name, Input, Expected string }

// operands splits the input of the contract into base, exponent and modulus. What is missing at the end is 0.
func (v vector) operands(t *testing.T) (operands [3][]byte) {
	input, err := hex.DecodeString(v.Input)
	if err != nil {
		t.Fatal(err)
	}
	take := func(count int) []byte {
		taken := make([]byte, count)
		input = input[copy(taken, input):]
		return taken
	}
	var lengths [3]int
	for i := range lengths {
		lengths[i] = int(new(big.Int).SetBytes(take(32)).Int64())
	}
	for i, length := range lengths {
		operands[i] = take(length)
	}
	return operands
}

// expected computes the power by math/big, apart from the code of this package.
func expected(base, exponent, modulus []byte) []byte {
	n := new(big.Int).SetBytes(modulus)
	if n.BitLen() == 0 {
		return make([]byte, len(modulus))
	}
	power := new(big.Int).Exp(new(big.Int).SetBytes(base), new(big.Int).SetBytes(exponent), n)
	return power.FillBytes(make([]byte, len(modulus)))
}

func checkFile(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 10 {
		t.Fatalf("%s has %d vectors", path, len(vectors))
	}
	for _, v := range vectors {
		x := v.operands(t)
		if power := ModExp(x[0], x[1], x[2]); hex.EncodeToString(power) != v.Expected {
			t.Errorf("%s: %x instead of %s", v.Name, power, v.Expected)
		}
	}
}

func TestVectors(t *testing.T) {
	checkFile(t, filepath.Join("..", "..", "vectors", "modexp.json"))
}

// The files of go-ethereum are not copied here: their licence is the LGPL.
func TestVectorsOfGoEthereum(t *testing.T) {
	folder := os.Getenv("GETH_VECTORS")
	if folder == "" {
		t.Skip("GETH_VECTORS does not name go-ethereum's folder core/vm/testdata/precompiles")
	}
	for _, name := range []string{"modexp.json", "modexp_eip2565.json", "modexp_eip7883.json"} {
		checkFile(t, filepath.Join(folder, name))
	}
}

func TestConventions(t *testing.T) {
	cases := []struct{ base, exponent, modulus, power []byte }{
		{nil, nil, nil, []byte{}},
		{[]byte{3}, []byte{4}, nil, []byte{}},
		{nil, nil, []byte{7}, []byte{1}},
		{nil, nil, []byte{1}, []byte{0}},
		{nil, []byte{5}, []byte{0, 7}, []byte{0, 0}},
		{[]byte{5}, []byte{1}, []byte{0, 0}, []byte{0, 0}},
		{[]byte{0, 3}, []byte{0, 0, 200}, []byte{0, 3, 232}, []byte{0, 0, 1}},
		{[]byte{1}, []byte{255}, []byte{6}, []byte{1}},
	}
	for _, c := range cases {
		if power := ModExp(c.base, c.exponent, c.modulus); !bytes.Equal(power, c.power) {
			t.Errorf("%x^%x mod %x is %x instead of %x", c.base, c.exponent, c.modulus, power, c.power)
		}
	}
}

func TestAgainstMathBig(t *testing.T) {
	source := rand.New(rand.NewSource(1))
	number := func() []byte {
		bytes := make([]byte, source.Intn(80))
		source.Read(bytes)
		for i := range bytes[:len(bytes)*source.Intn(2)/2] {
			bytes[i] = 0
		}
		if zeros := source.Intn(4); zeros > 0 && len(bytes) > 0 {
			bytes[len(bytes)-1] = byte(source.Intn(16) << zeros)
		}
		return bytes
	}
	for range 3000 {
		x, e, n := number(), number(), number()
		if power := ModExp(x, e, n); !bytes.Equal(power, expected(x, e, n)) {
			t.Fatalf("%x^%x mod %x is not %x", x, e, n, power)
		}
	}
}

// The operands are not changed, and the result is a slice of its own.
func TestOperandsAreOnlyRead(t *testing.T) {
	x, e, n := []byte{200}, []byte{3}, []byte{1, 1}
	power := ModExp(x, e, n)
	power[0] = 9
	if x[0] != 200 || e[0] != 3 || !bytes.Equal(n, []byte{1, 1}) {
		t.Fatal("an operand has changed")
	}
}

func TestManyGoroutines(t *testing.T) {
	done := make(chan bool)
	for i := range 16 {
		go func() {
			n := bytes.Repeat([]byte{byte(2*i + 1)}, 40)
			x, e := []byte{3, byte(i)}, bytes.Repeat([]byte{0xa5}, 20)
			same := true
			for range 50 {
				same = same && bytes.Equal(ModExp(x, e, n), expected(x, e, n))
			}
			done <- same
		}()
	}
	for range 16 {
		if !<-done {
			t.Error("another value in a goroutine")
		}
	}
}
