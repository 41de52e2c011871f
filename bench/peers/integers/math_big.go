// Go: math/big's Exp, which computes the constants of the modulus in every call. The protocol is that of
// chain.h.
package main

import (
	"bufio"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

func number(hexadecimal string) *big.Int {
	value, ok := new(big.Int).SetString(hexadecimal, 16)
	if !ok {
		fmt.Fprintln(os.Stderr, "an operand is not hexadecimal")
		os.Exit(2)
	}
	return value
}

// The clock CLOCK_PROCESS_CPUTIME_ID of Linux, because the collector may run in another thread.
const processClock = 2

// The CPU time of this process in nanoseconds.
func processTime() int64 {
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(strings.TrimPrefix(runtime.Version(), "go"))
		return
	}
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: --version, or OPERATION N X Y E")
		os.Exit(2)
	}
	if os.Args[1] != "modexp-vartime" {
		fmt.Println("refused: the operation")
		return
	}
	n, z, e := number(os.Args[2]), number(os.Args[3]), number(os.Args[5])
	fmt.Println("ready")
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		steps, _ := strconv.Atoi(requests.Text())
		start := processTime()
		for ; steps > 0; steps-- {
			z.Exp(z, e, n)
		}
		fmt.Printf("%d %x\n", processTime()-start, z)
	}
}
