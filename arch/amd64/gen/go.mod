module lamina/arch/amd64/gen

go 1.26

require (
	github.com/mmcloughlin/avo v0.6.0
	golang.org/x/tools v0.52.0
	lamina v0.0.0
)

replace lamina => ../../..
