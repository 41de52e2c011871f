module monpro-bench

go 1.24.0

require (
	github.com/ethereum/go-bigmodexpfix v0.0.0-20250911101455-f9e208c548ab
	monpro v0.0.0
)

require golang.org/x/sys v0.36.0 // indirect

replace monpro => ../
